import { once } from 'node:events';
import { request, type IncomingMessage, type RequestOptions } from 'node:http';

/** An answer as it arrives: not decompressed, to a path that is sent unchanged. */
export type Raw = Awaited<ReturnType<typeof sendRaw>>;

export async function sendRaw(url: string, options: RequestOptions) {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, ...options }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headers, rawHeaders } = response;
  return { status, headers, rawHeaders, body: Buffer.concat(await response.toArray()) };
}
