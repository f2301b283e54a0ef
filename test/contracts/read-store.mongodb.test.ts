import { openMongoReadStore } from '../../infra/mongodb/read-store.ts';
import { noMongo, startMongo } from '../support/processes/servers.ts';
import type { StoreServer } from '../support/processes/servers.ts';
import { PATIENCE_MS } from '../support/processes/waits.ts';
import { readStoreContract } from './read-store.ts';

const reason = noMongo();

(reason === null ? describe : describe.skip)(`read store on MongoDB${reason === null ? '' : ` (${reason})`}`, () => {
  let server: StoreServer;
  before(async () => {
    server = await startMongo();
  });
  after(() => server.stop());

  readStoreContract({
    name: 'mongodb',
    // FerretDB's SQLite backend goes over the whole collection for each document that it updates.
    many: 600,
    open: async () => openMongoReadStore({ url: server.url, timeoutMs: PATIENCE_MS }),
  });
});
