import { once } from 'node:events';
import type { Server } from 'node:net';

/** Has a server listen on a port of this machine, a free one unless given; resolves to the port. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
