import express from 'express';
import swagger from 'swagger-ui-express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Exchange, baseHeaders, sendProblem, untilShare, usageOf } from './respond.ts';
import { Problem } from './problems.ts';

const ROOT = '/swagger-ui';

/** The page has inline styles and images; its scripts are files. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

const DOCUMENT = '/api-docs';

/**
 * The page loads the document from `url`; `swaggerUrl` keeps a `?url=` in the address from choosing another one. It keeps
 * the key when it is reloaded, and shows only the beginning of long responses, as all of one would freeze it.
 */
function optionsBelow(basePath: string) {
  const url = basePath + DOCUMENT;
  return {
    swaggerUrl: url,
    swaggerOptions: {
      url,
      deepLinking: true,
      filter: true,
      persistAuthorization: true,
      responseInterceptor: withShortText,
    },
    customSiteTitle: 'Sim Racing Timing Service',
  };
}

interface ShownResponse {
  readonly url: string;
  text?: string;
}

/** Shortens a response to what the page can show. Its source is sent to the page: it uses nothing of this module. */
function withShortText(response: ShownResponse): ShownResponse {
  const most = 100_000;
  const { url, text = '' } = response;
  const isShort = url.endsWith('/api-docs') || text.length <= most;
  if (!isShort) response.text = `${text.slice(0, most)}\n… ${text.length - most} characters more: see the curl command`;
  return response;
}

/** An Express application, typed for Node's requests and responses, which it turns into its own. */
interface Application {
  handle(request: IncomingMessage, response: ServerResponse, done: () => void): void;
}

/**
 * Serves swagger-ui by Express: several times the CPU of a router (docs/decisions/0014-own-http-layer.md).
 * @param basePath that of the address at which people reach the service
 * @param notFound answers where swagger-ui has nothing
 */
export function swaggerUi(
  basePath: string,
  notFound: (exchange: Exchange) => void,
): (request: IncomingMessage, exchange: Exchange) => void {
  const options = optionsBelow(basePath);
  // It works with and without a trailing slash: its files are found from its base.
  const page = swagger
    .generateHTML(undefined, options)
    .replace('<head>', `<head>\n  <base href="${basePath}${ROOT}/">`);
  const app = express().disable('x-powered-by').disable('etag');
  app.get([ROOT, `${ROOT}/index.html`], (_, response) => response.type('html').send(page));
  app.use(ROOT, ...swagger.serveFiles(undefined, options));
  const mounted: Application = { handle: app };
  return (request, exchange) => {
    exchange.route = `GET ${ROOT}`;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendProblem(exchange, new Problem('METHOD_NOT_ALLOWED', 'This takes GET.', { headers: { Allow: 'GET, HEAD' } }));
      return;
    }
    const share = untilShare(exchange);
    if (share === null) send(request, exchange);
    else void share.then(() => send(request, exchange));
  };
  function send(request: IncomingMessage, exchange: Exchange): void {
    // Nobody waits any more.
    if (exchange.settled) return;
    exchange.once('finish', () => {
      const usage = usageOf(exchange);
      usage.sent += Number(exchange.getHeader('Content-Length') ?? 0);
      usage.settle();
    });
    const base = baseHeaders(exchange);
    for (let i = 0; i < base.length; i += 2) exchange.setHeader(base[i] ?? '', base[i + 1] ?? '');
    exchange.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    // From here on the response is Express's, unless it finds none.
    exchange.settled = true;
    mounted.handle(request, exchange, () => {
      exchange.settled = false;
      notFound(exchange);
    });
  }
}
