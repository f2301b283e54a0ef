import { openMongoPersonalKeys } from '../../infra/mongodb/personal-keys.ts';
import { keyWrapping } from '../../infra/system/key-wrapping.ts';
import { noMongo, startMongo, type StoreServer } from '../support/processes/servers.ts';
import { PATIENCE_MS } from '../support/processes/waits.ts';
import { describeUnless } from '../support/unless.ts';
import { personalKeysContract } from './personal-keys.ts';

describeUnless(noMongo(), 'key store on MongoDB', () => {
  let server: StoreServer;
  before(async () => {
    server = await startMongo();
  });
  after(() => server.stop());

  personalKeysContract({
    name: 'mongodb',
    open: async () =>
      openMongoPersonalKeys({ url: server.url, timeoutMs: PATIENCE_MS, wrapping: keyWrapping('a secret') }),
  });
});
