import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { linesOf, type BridgeStatus, type StatusView } from './bridge-status.ts';

/** A page with the status of a bridge. */
export interface StatusPage {
  readonly port: number;
  readonly close: () => void;
}

/** Names under which this machine calls itself: a page of somebody else that has another name for it sees nothing. */
const OWN_NAMES: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost']);
/** How often, in s, the page shows what is new. */
const REFRESH_S = 2;
const APPEARANCE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; }
dt { opacity: .7; }
dd { margin: 0; overflow-wrap: anywhere; }
.problem, .waits { border-left: .25rem solid #c60; padding-left: .75rem; }
ol { padding-left: 1.25rem; }`;

/**
 * Shows the status of a bridge at `http://127.0.0.1:PORT/`, and as JSON at `/status.json`, to this machine only.
 * @throws an error with a code such as EADDRINUSE when the port cannot be opened.
 */
export async function openStatusPage(status: BridgeStatus, port: number): Promise<StatusPage> {
  const server = createServer((request, response) => answer(request, response, status.view()));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const opened = address === null || typeof address === 'string' ? port : address.port;
  return {
    port: opened,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer({ method, url, headers }: IncomingMessage, response: ServerResponse, view: StatusView): void {
  const [host = ''] = (headers.host ?? '').split(':');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (!OWN_NAMES.has(host)) {
    response.writeHead(421).end();
  } else if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end();
  } else if (url === '/') {
    response.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(pageOf(view));
  } else if (url === '/status.json') {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(`${JSON.stringify(view)}\n`);
  } else {
    response.writeHead(404).end();
  }
}

function pageOf(view: StatusView): string {
  const rows = linesOf(view).map(rowOf).join('\n');
  const waits = view.waitingFor.map(({ name, laps, link }) => {
    const text = escaped(`${name}: ${laps} waiting`);
    return `<li>${link === null ? text : `<a href="${escaped(link)}">${text}</a>`}</li>`;
  });
  const last = view.last.map((line) => `<li>${escaped(line)}</li>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${REFRESH_S}">
<title>Bridge: ${escaped(view.game)}</title>
<style>${APPEARANCE}</style>
<main>
<h1>Bridge: ${escaped(view.game)}</h1>
${view.problem === null ? '' : `<p class="problem">${escaped(view.problem)}</p>`}
<dl>
${rows}
</dl>
${waits.length === 0 ? '' : `<h2>Not mapped</h2>\n<ul class="waits">${waits.join('\n')}</ul>`}
<h2>Last</h2>
<ol>${last.join('\n')}</ol>
</main>
</html>
`;
}

function rowOf(line: string): string {
  const colon = line.indexOf(':');
  const term = line.slice(0, colon);
  return `<dt>${escaped(term)}</dt><dd>${escaped(line.slice(colon + 1).trim())}</dd>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
