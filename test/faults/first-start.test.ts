import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { announcedBy, expectOneLicence, firstToken, MADE_UP } from '../support/processes/first-key.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { until } from '../support/processes/waits.ts';
import { clientOf, useWorld, type ServiceProcess } from '../support/processes/world.ts';
import { depth } from '../support/depth.ts';

const KEY_FILE = 'license-signing-key.json';

/** Number of times that two services start at once. */
const STARTS = depth({ short: 1, deep: 3 });

/** Options of a process that dies before it issues a key. */
const DYING = { preload: './crash-point', env: { ...MADE_UP, CRASH_BEFORE: '^apiKey-' } };

/** There is one licence with one key, which the token belongs to. */
async function expectOneRoot({ url }: Pick<ServiceProcess, 'url'>, token: string | undefined): Promise<void> {
  const admin = clientOf(url, token ?? null);
  await expectOneLicence(admin);
  const keys = await admin.list('/api/v1/api-keys');
  expect(keys.map(({ role, enabled }) => ({ role, enabled }))).to.deep.equal([{ role: 'ADMIN', enabled: true }]);
}

async function jwksOf({ admin }: Pick<ServiceProcess, 'admin'>): Promise<string> {
  return (await admin.get('/.well-known/jwks.json')).text;
}

describe('the first start', () => {
  const world = useWorld();

  it('is completed by the next one if it dies between root licence and root key', async () => {
    const dataDir = world.directory();
    const first = world.start({ dataDir, ...DYING });
    expect((await first.ended).signal).to.equal('SIGKILL');
    expect(announcedBy(first)).to.be.empty;
    const token = await withServiceHere({ DATA_DIR: dataDir, ...MADE_UP }, async (second) => {
      const announced = await firstToken(second);
      await expectOneRoot(second, announced);
      return announced;
    });
    await withServiceHere({ DATA_DIR: dataDir, ...MADE_UP }, async (third) => {
      await expectOneRoot(third, token);
      expect(third.announced).to.be.empty;
    });
  });

  it('creates one root licence, one key and one signing key even for two services at once', async () => {
    for (let round = 1; round <= STARTS; round++) {
      const dataDir = world.directory();
      const services = await Promise.all([1, 2].map(() => world.service({ dataDir, env: MADE_UP })));
      const announced = (): readonly string[] => announcedBy(...services.map(({ process }) => process));
      // A busy service announces its key after it listens.
      const [token] = await until(announced, ({ length }) => length > 0);
      for (const service of services) await expectOneRoot(service, token);
      expect(announced()).to.have.length(1);
      expect(new Set(await Promise.all(services.map(jwksOf))).size).to.equal(1);
      expect(readdirSync(dataDir).filter((name) => name.includes(KEY_FILE))).to.deep.equal([KEY_FILE]);
      await Promise.all(services.map(({ process }) => process.end('SIGTERM')));
    }
  });

  it('creates a signing key that only its owner can read, and later starts use it', async () => {
    const dataDir = world.directory();
    const first = await withServiceHere(dataDir, jwksOf);
    expect(statSync(join(dataDir, KEY_FILE)).mode & 0o777).to.equal(0o600);
    const text = readFileSync(join(dataDir, KEY_FILE), 'utf8');
    const later = await withServiceHere(dataDir, jwksOf);
    expect([readFileSync(join(dataDir, KEY_FILE), 'utf8'), later]).to.deep.equal([text, first]);
  });
});
