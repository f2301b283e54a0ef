import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { Failure } from '../connection.ts';

/**
 * Keeps other bridges from using a directory until this process ends, or what it returns is called. The system itself
 * lets go of it, however the process ends: it is a named pipe on Windows, an abstract socket on Linux. Other systems have
 * neither, and nothing is kept there.
 * @throws {Failure} when another bridge uses it.
 */
export async function holdDirectory(directory: string): Promise<() => void> {
  const name = `sim-racing-timing-${createHash('sha256').update(realpathSync(directory)).digest('hex')}`;
  const address = addressOf(name);
  if (address === null) return () => undefined;
  const server = createServer();
  server.unref();
  server.listen(address);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new Failure(`Another bridge uses ${directory}: end it, or give --dir`, { cause: error });
  }
  return () => server.close();
}

function addressOf(name: string): string | null {
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return process.platform === 'linux' ? `\0${name}` : null;
}
