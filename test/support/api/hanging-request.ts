import { once } from 'node:events';
import { request, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

/** What came back for a request that was never finished. */
export interface EarlyAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A POST whose head has arrived and whose body is not complete. */
export interface Hanging {
  readonly answer: Promise<EarlyAnswer>;
  readonly request: ClientRequest;
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
  const answer = once(sent, 'response')
    .then(([response]: IncomingMessage[]) => collected(response))
    .finally(() => sent.destroy());
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.write('{"name":');
  return { answer, request: sent };
}

async function collected(response: IncomingMessage | undefined): Promise<EarlyAnswer> {
  if (response === undefined) throw new Error('an answer without a response');
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}
