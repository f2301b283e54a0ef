import type { ReadStore } from '../../src/kernel/ports/read-store.ts';
import { MongoReadModels } from './namespace.ts';
import { openMongoServer, type MongoServerOptions } from './open-server.ts';
import { registersOf } from './registers.ts';

/**
 * Opens a read store on a MongoDB server or replica set. Nothing is sent before the first call, so the server may be
 * down; a call that fails or exceeds the time limit throws {StoreUnavailable}, and the next one tries again. A message
 * with a code means that the server refused the command.
 * @throws {WrongStoreSettings} when the URL is malformed; the message does not quote it, as it may contain a password.
 */
export function openMongoReadStore(options: MongoServerOptions): ReadStore {
  const server = openMongoServer(options);
  let closing: Promise<void> | null = null;
  return {
    namespace: async (name, collections) => new MongoReadModels(server, name, collections),
    drop: (name) => new MongoReadModels(server, name, []).drop(),
    // The operator of the server watches its disk.
    space: () => Promise.resolve(null),
    ...registersOf(server),
    close: () => (closing ??= server.close()),
  };
}
