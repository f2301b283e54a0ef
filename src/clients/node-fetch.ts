import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';

/** How many connections to a service are kept open. */
const KEPT_SOCKETS = 4;

const httpAgent = new HttpAgent({ keepAlive: true, maxFreeSockets: KEPT_SOCKETS });
const httpsAgent = new HttpsAgent({ keepAlive: true, maxFreeSockets: KEPT_SOCKETS });

/** Statuses whose answers have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Sends a request as `fetch` does, over `node:http`: the `fetch` of Node cannot connect in Wine. It follows no redirects.
 * @throws an error with a code such as ECONNREFUSED when there is no answer, and the reason of the signal.
 */
export async function nodeFetch(request: Request, signal: AbortSignal): Promise<Response> {
  const body = request.body === null ? null : Buffer.from(await request.arrayBuffer());
  const url = new URL(request.url);
  const headers = Object.fromEntries(request.headers);
  if (body !== null) headers['content-length'] = String(body.length);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { method: request.method, headers, signal };
    const sent =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: httpsAgent })
        : httpRequest(url, { ...options, agent: httpAgent });
    sent.once('response', resolve);
    sent.once('error', reject);
    sent.end(body ?? undefined);
  });
  const bytes = await buffer(answer);
  const { statusCode: status = 0 } = answer;
  const response = new Response(WITHOUT_BODY.has(status) ? null : new Uint8Array(bytes), {
    status,
    headers: headersOf(answer),
  });
  Object.defineProperty(response, 'url', { value: request.url });
  return response;
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return headers;
}
