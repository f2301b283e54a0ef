import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

/**
 * Sends the head of a POST and a part of its body, and waits until the service has taken it: it asks for the body
 * (100 Continue). The status is that of its answer.
 */
export async function hangingRequest(url: string, { path, token }: { readonly path: string; readonly token: string }) {
  const sent = request(url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': 100, 'X-API-Key': token, Expect: '100-continue' },
  });
  const status = once(sent, 'response')
    .then(([response]: IncomingMessage[]) => response?.statusCode)
    .finally(() => sent.destroy());
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.write('{"name":');
  return { status };
}
