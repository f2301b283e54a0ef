import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { CERTIFICATE, ENDED_CERTIFICATE, KEY } from '../support/certificate.ts';
import { callCommand, runCommand } from '../support/processes/command-process.ts';
import { listen } from '../support/processes/listen.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { useWorld, type Environment } from '../support/processes/world.ts';

/** A setting, its value, and what is said of it; further settings that matter. */
type Case = readonly [setting: string, value: string, level: string, others?: Environment];

const SIGNING_KEY =
  '{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}';
const SERVER = { EVENTSTORE_URL: 'esdb://timing:secret@events.example.org' };

const CASES: readonly Case[] = [
  ['TLS_CERT_FILE', '', 'ok'],
  ['TLS_CERT_FILE', '', 'problem', { HOST: '0.0.0.0' }],
  ['TLS_CERT_FILE', '', 'warning', { HOST: '::', TRUSTED_PROXIES: '192.0.2.1' }],
  ['TRUSTED_PROXIES', '', 'warning'],
  ['TRUSTED_PROXIES', '192.0.2.1,10.0.0.0/8', 'ok'],
  ['TRUSTED_PROXIES', '::/0', 'problem'],
  ['UNLIMITED_CLIENTS', '', 'ok'],
  ['UNLIMITED_CLIENTS', 'none', 'ok'],
  ['UNLIMITED_CLIENTS', '127.0.0.1,192.0.2.0/24', 'warning'],
  ['UNLIMITED_CLIENTS', '0.0.0.0/0', 'problem'],
  ['CLIENT_STREAMS', '0', 'problem'],
  ['MAX_CONNECTIONS', '0', 'problem'],
  ['LICENSE_WALLS', 'on', 'ok'],
  ['LICENSE_WALLS', 'off', 'problem'],
  ['RIG_KEY_SCOPE', 'role', 'warning'],
  ['PUBLIC_PARTICIPANTS', 'true', 'warning'],
  ['CORS_ORIGINS', '*', 'warning'],
  ['CORS_ORIGINS', 'https://example.org', 'ok'],
  ['BOOTSTRAP_ADMIN_TOKEN', 'the-hidden-admin-token-of-a-test', 'warning'],
  ['LICENSE_SIGNING_KEY', '', 'ok'],
  ['LICENSE_SIGNING_KEY', '', 'warning', SERVER],
  ['LICENSE_SIGNING_KEY', SIGNING_KEY, 'ok', SERVER],
  ['EVENTSTORE_URL', '', 'ok'],
  ['EVENTSTORE_URL', 'esdb://127.0.0.1:2113?tls=false', 'problem'],
  ['EVENTSTORE_URL', 'esdb://a.example.org,b.example.org', 'problem'],
  ['EVENTSTORE_URL', 'esdb://timing:hidden@a.example.org:2113,b.example.org:2113?tlsCAFile=/ca.crt', 'ok'],
  ['MONGODB_URL', 'mongodb://db.example.org/timing', 'problem'],
  ['MONGODB_URL', 'mongodb://timing:hidden@db.example.org/timing', 'warning'],
  ['MONGODB_URL', 'mongodb://timing:hidden@[::1]/timing', 'ok'],
  ['MONGODB_URL', 'mongodb://timing:hidden@db.example.org/timing?tls=true', 'ok'],
  ['S3_ENDPOINT', 'http://files.example.org', 'warning'],
  ['S3_ENDPOINT', 'https://files.example.org', 'ok'],
];

describe('sim-racing-timing doctor', () => {
  const world = useWorld();

  const doctor = (env: Environment = {}, ...args: readonly string[]) =>
    callCommand(['doctor', ...args], { DATA_DIR: world.dataDir, ...env });

  /** The levels of what is said of a setting, or of something else. */
  const levelsOf = (out: string, about: string): readonly string[] =>
    out.split('\n').flatMap((line) => (line.slice(8).startsWith(`${about} `) ? [line.slice(0, 8).trim()] : []));

  it('judges each setting, quotes no secret, and ends with 1 if there is a problem', async () => {
    for (const [setting, value, level, others = {}] of CASES) {
      const { out, err, code } = await doctor({ [setting]: value, ...others });
      expect(err).to.equal('');
      expect(levelsOf(out, setting), `${setting}=${value} ${JSON.stringify(others)}`).to.deep.equal([level]);
      expect(code).to.equal(/^problem /m.test(out) ? 1 : 0);
      expect(out).not.to.match(/hidden/);
    }
  });

  it('reports no problem behind a proxy on the same machine', async () => {
    const { out } = await runCommand(['doctor'], { DATA_DIR: world.dataDir, TRUSTED_PROXIES: '127.0.0.1' });
    // How full the disk is depends on the machine.
    const lines = out.split('\n').filter((line) => !line.includes(' GiB '));
    expect(new Set(lines.map((line) => line.split(' ')[0]))).to.deep.equal(new Set(['ok', 'Problems:', '']));
  });

  it('says which settings are wrong', async () => {
    const { code, err } = await runCommand(['doctor'], { PORT: 'many' });
    expect({ code, err }).to.deep.equal({
      code: 1,
      err: 'PORT: "many" is not allowed; expected a whole number from 0 to 65535\n',
    });
  });

  it('checks the data directory and the certificate', async () => {
    mkdirSync(join(world.dataDir, 'events'));
    expect(levelsOf((await doctor()).out, 'DATA_DIR')[0]).to.equal('ok');
    chmodSync(world.dataDir, 0o755);
    const open = await doctor();
    expect(levelsOf(open.out, 'DATA_DIR')[0]).to.equal('problem');
    expect(open.out).to.contain('can read events:');
    expect(levelsOf((await doctor({ DATA_DIR: join(world.dataDir, 'none') })).out, 'DATA_DIR')).to.deep.equal([
      'warning',
    ]);
    const files = { TLS_CERT_FILE: join(world.dataDir, 'cert.pem'), TLS_KEY_FILE: join(world.dataDir, 'key.pem') };
    const tls = async (): Promise<readonly (readonly string[])[]> => {
      const { out } = await doctor(files);
      return Object.keys(files).map((setting) => levelsOf(out, setting));
    };
    expect(await tls(), 'no files').to.deep.equal([['ok', 'problem'], ['problem']]);
    writeFileSync(files.TLS_CERT_FILE, CERTIFICATE);
    expect(await tls(), 'no key').to.deep.equal([['ok', 'ok'], ['problem']]);
    writeFileSync(files.TLS_KEY_FILE, KEY, { mode: 0o644 });
    writeFileSync(files.TLS_CERT_FILE, ENDED_CERTIFICATE);
    expect(await tls()).to.deep.equal([['ok', 'problem'], ['problem']]);
    chmodSync(files.TLS_KEY_FILE, 0o600);
    writeFileSync(files.TLS_CERT_FILE, CERTIFICATE);
    expect(await tls()).to.deep.equal([['ok', 'ok'], ['ok']]);
  });

  it('asks a running service whether it is ready, shows its metrics, and limits this client', async () => {
    const asked = (env: Environment) =>
      withServiceHere({ DATA_DIR: world.dataDir, ...env }, async ({ url }) => (await doctor({}, '--url', url)).out);
    const limited = await asked({ UNLIMITED_CLIENTS: 'none' });
    for (const about of ['--url', 'readiness', 'X-Forwarded-For'])
      expect(levelsOf(limited, about)).to.deep.equal(['ok']);
    expect(levelsOf(limited, 'metrics')).to.deep.equal(['warning']);
    expect(levelsOf(await asked({}), 'X-Forwarded-For')).to.deep.equal(['warning']);
    const { out, code } = await doctor({}, '--url', 'http://127.0.0.1:1');
    expect([levelsOf(out, '--url'), code]).to.deep.equal([['problem'], 1]);
  });

  it('finds out whether the proxy in front of a running service lets a forged address pass', async () => {
    const through = (appends: boolean) =>
      withServiceHere({ DATA_DIR: world.dataDir, TRUSTED_PROXIES: '127.0.0.1' }, async ({ url }) => {
        const proxy = createServer(({ url: path = '', headers }, response) => {
          const claimed = headers['x-forwarded-for'];
          const client = '203.0.113.5';
          const forwarded =
            claimed === undefined ? client : appends ? `${String(claimed)}, ${client}` : String(claimed);
          void fetch(url + path, { headers: { 'X-Forwarded-For': forwarded } }).then((answer) => {
            const limit = answer.headers.get('RateLimit');
            response.writeHead(answer.status, limit === null ? {} : { RateLimit: limit }).end();
          });
        });
        const { out } = await doctor({}, '--url', `http://127.0.0.1:${await listen(proxy)}`);
        proxy.close();
        return levelsOf(out, 'X-Forwarded-For');
      });
    expect([await through(true), await through(false)]).to.deep.equal([['ok'], ['problem']]);
  });
});
