import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { hasCode } from '../system/disk.ts';
import { pidNamespace } from '../system/processes.ts';

/** Name of a process's socket in a directory: its process table, and a random id. */
const SOCKET = /^open-(\d+)-[-0-9a-f]{36}\.sock$/;

/** Name of a socket on which its process may not listen yet. */
const ENTERING = /^entering-[-0-9a-f]{36}\.sock$/;

/** Age, in ms, of such a socket after which its process must have ended. */
const MAX_ENTERING_MS = 60_000;

/** The names of this process's own sockets. */
const ownNames = new Set<string>();

/** A directory that this process has entered. */
export interface EnteredDirectory {
  /** Whether another process may have it open now. */
  readonly isShared: () => Promise<boolean>;
  /** Called when the environments are closed. */
  readonly leave: () => Promise<void>;
}

/** The result on a system that does not show which processes have entered. */
const unknownProcesses: EnteredDirectory = { isShared: () => Promise.resolve(true), leave: () => Promise.resolve() };

/**
 * Enters a directory of LMDB environments, and refuses it when a process of another process table is in it: LMDB
 * distinguishes its readers by their process ids, and lmdb 3.5.6 crashes half a minute later when two containers share a
 * directory in which each is process 1. A process in the directory listens on a socket there, which answers for as long
 * as it lives, in whatever container it is, and needs nobody to remove it when it was killed.
 *
 * Every process may enter if the system has only one process table, or the file system no sockets.
 * @throws {Error} whose message says what to do.
 */
export async function enterDirectory(directory: string): Promise<EnteredDirectory> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const table = pidNamespace();
  if (table === null) return unknownProcesses;
  // Through a descriptor: the path of a socket is limited to about a hundred characters.
  const descriptor = openSync(directory, 'r');
  const pathOf = (name: string): string => `/proc/self/fd/${descriptor}/${name}`;
  const id = randomUUID();
  const name = `open-${table}-${id}.sock`;
  // A socket that is bound refuses until its process listens. Under its name it would be taken for that of a process that
  // has ended, and removed for good.
  const entering = `entering-${id}.sock`;
  const server = createServer((socket) => socket.destroy());
  const leave = async (): Promise<void> => {
    ownNames.delete(name);
    if (server.listening) await new Promise((resolve) => server.close(resolve));
    closeSync(descriptor);
    for (const own of [name, entering]) await rm(join(directory, own), { force: true });
  };
  ownNames.add(name);
  try {
    server.listen(pathOf(entering)).unref();
    await once(server, 'listening');
    await rename(join(directory, entering), join(directory, name));
  } catch {
    await leave();
    return unknownProcesses;
  }
  const othersTables = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const other of await readdir(directory)) {
      const [, otherTable] = SOCKET.exec(other) ?? [];
      if (otherTable === undefined || ownNames.has(other)) continue;
      if (await answers(pathOf(other))) found.push(otherTable);
      else await rm(join(directory, other), { force: true });
    }
    return found;
  };
  await removeAbandoned(directory);
  // This process listens before it looks for others: of two that enter at once, at least one sees the other.
  const foreign = (await othersTables()).find((other) => other !== table);
  if (foreign !== undefined) {
    await leave();
    throw new Error(
      `${directory} is in use by a process of another container (process table ${foreign}): embedded stores are ` +
        'shared only by processes that see each other; use servers (EVENTSTORE_URL, MONGODB_URL), or one container',
    );
  }
  return { isShared: async () => (await othersTables()).length > 0, leave };
}

/** Removes the sockets of processes that were killed before they listened. */
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!ENTERING.test(name)) continue;
    const path = join(directory, name);
    const stats = await stat(path).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    });
    if (stats !== null && Date.now() - stats.mtimeMs > MAX_ENTERING_MS) await rm(path, { force: true });
  }
}

/** Whether a process listens on a socket; true also when that is unknown. */
async function answers(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    // Its process has ended, it is missing, or it was copied from another machine.
    return !hasCode(error, 'ECONNREFUSED', 'ENOENT', 'ENOTSOCK');
  } finally {
    socket.destroy();
  }
}
