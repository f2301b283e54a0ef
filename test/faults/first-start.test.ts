import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { textOf, type Client } from '../support/api/client.ts';
import { bodies, createVenue, issueLicenseFile } from '../support/api/venue.ts';
import { announcedBy, expectOneLicence, MADE_UP } from '../support/processes/first-key.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { clientOf, World, type ServiceProcess } from '../support/processes/world.ts';
import { depth } from '../support/depth.ts';

const KEY_FILE = 'license-signing-key.json';

/** Number of times that two services start at once. */
const STARTS = depth({ short: 1, deep: 3 });

/** Options of a process that dies before it issues a matching key; the root key's id starts with zeros. */
const dying = (key: string) => ({ preload: './crash-point', env: { ...MADE_UP, CRASH_BEFORE: `^apiKey-${key}` } });

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
  const world = new World();
  afterEach(() => world.clean());

  it('that dies between root licence and root key is completed by the next', async () => {
    const dataDir = world.directory();
    const first = world.start({ dataDir, ...dying('0000') });
    expect((await first.ended).signal).to.equal('SIGKILL');
    expect(announcedBy(first)).to.be.empty;
    const second = await world.service({ dataDir, env: MADE_UP });
    const [token, ...others] = announcedBy(second.process);
    expect(others).to.be.empty;
    await expectOneRoot(second, token);
    await second.process.end('SIGKILL');
    await withServiceHere(
      dataDir,
      async (third) => {
        expect(third.announced).to.be.empty;
        await expectOneRoot(third, token);
      },
      MADE_UP,
    );
  });

  it('of two services at once makes one root licence, one key, one signing key', async () => {
    for (let round = 1; round <= STARTS; round++) {
      const dataDir = world.directory();
      const services = await Promise.all([1, 2].map(() => world.service({ dataDir, env: MADE_UP })));
      const [token, ...others] = announcedBy(...services.map(({ process }) => process));
      expect(others).to.be.empty;
      for (const service of services) await expectOneRoot(service, token);
      expect(new Set(await Promise.all(services.map(jwksOf))).size).to.equal(1);
      expect(readdirSync(dataDir).filter((name) => name.includes(KEY_FILE))).to.deep.equal([KEY_FILE]);
      await Promise.all(services.map(({ process }) => process.end('SIGTERM')));
    }
  });

  it('makes the signing key for its owner only, and every later start uses it', async () => {
    const dataDir = world.directory();
    const first = await world.service({ dataDir });
    expect(statSync(join(dataDir, KEY_FILE)).mode & 0o777).to.equal(0o600);
    const [text, jwks] = [readFileSync(join(dataDir, KEY_FILE), 'utf8'), await jwksOf(first)];
    await first.process.end('SIGKILL');
    const later = await withServiceHere(dataDir, jwksOf);
    expect([readFileSync(join(dataDir, KEY_FILE), 'utf8'), later]).to.deep.equal([text, jwks]);
  });
});

describe('a rig whose service dies between registering it and issuing its key', () => {
  const world = new World();
  afterEach(() => world.clean());

  it('gets the same rig and a working key when it tries again', async () => {
    const dataDir = world.directory();
    const { venue, licenseFile } = await withServiceHere(dataDir, async ({ admin }) => {
      const made = await createVenue(admin);
      return { venue: made, licenseFile: await issueLicenseFile(made.manager, made.licenseId) };
    });
    const body = { hardwareId: 'hw-retried', licenseFile };
    const headers = { 'Idempotency-Key': randomUUID() };

    const service = await world.service({ dataDir, ...dying('(?!0000)') });
    const lost = await clientOf(service.url, venue.manager.token)
      .post('/api/v1/rigs', body, headers)
      .catch((error: unknown) => error);
    expect(lost).to.be.instanceOf(TypeError);
    expect((await service.process.ended).signal).to.equal('SIGKILL');

    await withServiceHere(dataDir, ({ url }) => expectOneRig(clientOf(url, venue.manager.token)));

    async function expectOneRig(manager: Client): Promise<void> {
      const rigs = (await manager.list('/api/v1/rigs')).filter(({ hardwareId }) => hardwareId === body.hardwareId);
      expect(rigs).to.have.length(1);
      const tokens: string[] = [];
      for (let attempt = 1; attempt <= 2; attempt++) {
        const answer = await manager.post('/api/v1/rigs', body, headers);
        expect([answer.status, answer.header('Idempotency-Replayed')]).to.deep.equal([201, 'true']);
        expect(textOf(answer.body, 'rig', 'id')).to.equal(rigs[0]?.['id']);
        tokens.push(textOf(answer.body, 'apiKey', 'token'));
      }
      const [unused = '', rig = ''] = tokens;
      expect((await manager.as(unused).get('/api/v1/licenses/current')).status, 'never used').to.equal(401);
      await manager.as(rig).create('/api/v1/laps', bodies.lap({ ...venue, rigId: textOf(rigs[0], 'id') }));
      expect((await manager.post('/api/v1/rigs', { ...body, hardwareId: 'hw-other' }, headers)).status).to.equal(422);
    }
  });
});
