import { openMongoReadStore } from '../../infra/mongodb/read-store.ts';
import { noMongo, startMongo, type StoreServer } from '../support/processes/servers.ts';
import { PATIENCE_MS } from '../support/processes/waits.ts';
import { describeUnless } from '../support/unless.ts';
import { readStoreContract } from './read-store.ts';

describeUnless(noMongo(), 'read store on MongoDB', () => {
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
