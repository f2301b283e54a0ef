import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

/** A POST whose head has arrived and whose body is not complete. */
interface Hanging {
  /** Of its answer. */
  readonly status: Promise<number | undefined>;
}

/** Sends the head of a POST, and waits until the service has taken it: it asks for the body (100 Continue). */
export async function hangingRequest(
  url: string,
  { path, token }: { readonly path: string; readonly token: string },
): Promise<Hanging> {
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
