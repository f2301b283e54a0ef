import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { listenOn } from '../../src/service/app/http-settings.ts';
import { startProjectorProcess } from '../../src/service/app/projector-process.ts';
import { loadConfig } from '../../src/service/config/config.ts';
import { reasonOf } from '../../src/service/config/start-failure.ts';
import { createLogger } from '../../src/service/observability/log.ts';
import { CERTIFICATE, KEY } from '../support/certificate.ts';
import { depth } from '../support/depth.ts';
import { failureOf } from '../support/failure.ts';
import { runCommand, withoutWaiting } from '../support/processes/command-process.ts';
import { firstToken } from '../support/processes/first-key.ts';
import { startListener } from '../support/processes/servers.ts';
import { refusalOf, withServiceHere } from '../support/processes/service-here.ts';
import { useWorld, type Environment, type Running, type Start } from '../support/processes/world.ts';

/** A directory that not even root can create. */
const UNWRITABLE = '/sys/timing';

/** Written by LMDB itself, without a newline, when a page does not reach the disk. */
const LMDB_NOTE = /^Write error: .*?, size \d+/;

/** Otherwise the file limit would also apply to the cache of tsx. */
const UNCACHED = { TSX_DISABLE_CACHE: '1' };

describe('a start that fails', () => {
  const world = useWorld();

  /** The process ends with code 1 and prints these lines only. */
  async function refuses(start: Start, ...lines: readonly RegExp[]): Promise<void> {
    const started = world.start(start);
    expect(await started.ended).to.deep.equal({ code: 1, signal: null });
    expectLines(started, lines);
  }
  function expectLines({ err, out }: Running, lines: readonly RegExp[]): void {
    const said = withoutWaiting(err.replace(LMDB_NOTE, '')).trimEnd().split('\n');
    expect(said, err).to.have.length(lines.length);
    for (const [index, line] of lines.entries()) expect(said[index]).to.match(line);
    expect(out).to.equal('');
  }

  it('says what is wrong with each setting', async () => {
    const env = { PORT: 'many', LOG_LEVEL: 'loud', PROJECTOR: 'on', TLS_CERT_FILE: '/cert.pem' };
    await refuses({ dataDir: world.directory(), env }, /^PORT: /, /^PROJECTOR: /, /^LOG_LEVEL: /, /^TLS_KEY_FILE: /);
  });

  it('says in one line what is wrong with the URL or the settings of a store, and quotes no secret', async () => {
    const refusals: readonly [Environment, RegExp][] = [
      [{ EVENTSTORE_URL: 'esdb://host:2113?tls=false&tlsVerifyCert=no' }, /^EVENTSTORE_URL: .* tlsVerifyCert, .*know$/],
      [{ EVENTSTORE_URL: 'esdb://u:hidden@host?tls=false' }, /^EVENTSTORE_URL: .*user name.*tls=false/],
      [{ EVENTSTORE_URL: 'esdb://u:p?hidden=x@host' }, /^EVENTSTORE_URL: /],
      [{ EVENTSTORE_URL: 'esdb://host?tlsCAFile=/no/such/ca.crt' }, /^EVENTSTORE_URL: .*certificate file/],
      [{ EVENTSTORE_URL: 'esdb://host?nodePreference=hidden' }, /^EVENTSTORE_URL: the URL cannot be used/],
      [{ MONGODB_URL: 'mongodb://u:hidden@host/db?foo=hidden' }, /^MONGODB_URL: .* foo$/],
      [{ MONGODB_URL: 'mongodb://u:hidden@host/db?maxPoolSize=hidden' }, /^MONGODB_URL: .* maxPoolSize$/],
      [{ MONGODB_URL: 'mongodb://u:hidden@host' }, /^MONGODB_URL: .*host\[:port\]\/database/],
      [{ S3_BUCKET: 'a/b' }, /^S3_BUCKET: .*name of a bucket/],
      [{ S3_BUCKET: 'bucket', S3_REGION: 'eu central' }, /^S3_REGION: .*name of a region/],
    ];
    for (const [env, line] of refusals) {
      const said = await refusalOf(world.directory(), env);
      expect(said).to.match(line);
      expect(said).not.to.match(/hidden|\n/);
    }
  });

  it('says that the port is in use', async () => {
    const { port, stop } = await startListener(() => undefined);
    const dataDir = world.directory();
    const env = { BOOTSTRAP_ADMIN_TOKEN: '' };
    const refusal = await refusalOf(dataDir, { ...env, PORT: String(port) });
    await stop();
    expect(refusal).to.match(new RegExp(`EADDRINUSE.*${port}.*PORT`));
    // The key of the first start that had its port.
    expect(await withServiceHere({ DATA_DIR: dataDir, ...env }, firstToken)).to.match(/^srt_/);
  });

  it('says that the host is unknown, and that a TLS file is missing', async () => {
    expect(await refusalOf(world.directory(), { HOST: '192.0.2.1' })).to.match(/EADDRNOTAVAIL.*192\.0\.2\.1.*HOST/);
    const env = { TLS_CERT_FILE: '/no/cert.pem', TLS_KEY_FILE: '/no/key.pem' };
    expect(await refusalOf(world.directory(), env)).to.match(/^ENOENT.*\/no\/cert\.pem.*TLS_CERT_FILE/);
  });

  it('says that the data directory cannot be created or written', async () => {
    expect(await refusalOf(UNWRITABLE)).to.match(/data directory \/sys\/timing cannot be made: E(PERM|ACCES|ROFS)/);
    const dataDir = world.directory();
    writeFileSync(join(dataDir, 'file'), '');
    expect(await refusalOf(join(dataDir, 'file', 'data'))).to.match(/cannot be made: ENOTDIR/);
    expect(await refusalOf('/proc/timing')).to.match(/data directory \/proc\/timing cannot be made: ENOENT/);
    await refuses({ dataDir: UNWRITABLE, command: 'projector' }, /cannot be made: E(PERM|ACCES|ROFS)/);
  });

  it('says that an existing data directory may not be written', async function () {
    // Root may write anywhere.
    if (process.getuid?.() === 0) this.skip();
    const dataDir = world.directory();
    await withServiceHere(dataDir, async () => undefined);
    chmodSync(join(dataDir, 'events', 'data.mdb'), 0o400);
    await refuses({ dataDir }, /event store in .* cannot be opened: .*[Pp]ermission denied/);
  });

  it('says that a store is damaged', async () => {
    const dataDir = world.directory();
    mkdirSync(join(dataDir, 'events'));
    writeFileSync(join(dataDir, 'events', 'data.mdb'), Buffer.alloc(40_000, 'not a database'));
    expect(await refusalOf(dataDir)).to.match(/event store in .* cannot be opened: .*data\.mdb is damaged/);
  });

  it('says that the disk is full', async () => {
    const start = { dataDir: world.directory(), fileBlocks: 8, env: UNCACHED };
    await refuses(start, /event store in .* cannot be opened: EFBIG/);
  });
});

/** Another key than that of the certificate. */
const OTHER_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});

/** 2: each failure is tried with one of the two roles, in turn; 1: with both. */
const ROLES = depth({ short: 2, deep: 1 });

describe('a start that fails half-way', () => {
  const world = useWorld();

  /** What each role lacks, by the setting that is named: what it is set to, and what is said. */
  function failures(portVariable: string, usedPort: number): readonly (readonly [string, Environment, RegExp])[] {
    const directory = world.directory();
    const file = (name: string, content: string | Buffer): string => {
      writeFileSync(join(directory, name), content);
      return join(directory, name);
    };
    const TLS_CERT_FILE = file('cert.pem', CERTIFICATE);
    const TLS_KEY_FILE = file('key.pem', KEY);
    return [
      [portVariable, { [portVariable]: String(usedPort) }, /EADDRINUSE/],
      ['HOST', { HOST: '192.0.2.1' }, /EADDRNOTAVAIL/],
      ['HOST', { HOST: 'no-such-host.invalid' }, /ENOTFOUND|EAI_AGAIN/],
      ['TLS_CERT_FILE', { TLS_CERT_FILE: '/no/cert.pem', TLS_KEY_FILE }, /ENOENT/],
      ['TLS_KEY_FILE', { TLS_CERT_FILE, TLS_KEY_FILE: '/no/key.pem' }, /ENOENT/],
      ['TLS_KEY_FILE', { TLS_CERT_FILE, TLS_KEY_FILE: directory }, /EISDIR/],
      ['TLS_CERT_FILE', { TLS_CERT_FILE: file('no.pem', 'no PEM'), TLS_KEY_FILE }, /TLS_CERT_FILE, TLS_KEY_FILE: /],
      ['TLS_KEY_FILE', { TLS_CERT_FILE, TLS_KEY_FILE: file('empty.pem', '') }, /TLS_CERT_FILE, TLS_KEY_FILE: /],
      ['TLS_KEY_FILE', { TLS_CERT_FILE, TLS_KEY_FILE: file('other.pem', OTHER_KEY) }, /TLS_CERT_FILE, TLS_KEY_FILE: /],
      ['MONGODB_URL', { MONGODB_URL: 'mongodb://host/db?foo=1' }, /foo/],
      ['EVENTSTORE_URL', { EVENTSTORE_URL: 'esdb://u:p@host?tls=false' }, /user name/],
    ];
  }

  for (const [command, portVariable, first] of [
    ['serve', 'PORT', 0],
    ['projector', 'PROJECTOR_PORT', 1],
  ] as const) {
    it(`ends ${command} with code 1, one line that names the setting, and nothing left open`, async () => {
      const { port, stop } = await startListener(() => undefined);
      const dataDir = world.directory();
      for (const [number, [setting, env, said]] of failures(portVariable, port).entries()) {
        if (number % ROLES !== first % ROLES) continue;
        const started = world.start({ dataDir, command, env: { PROJECTOR_PORT: '0', ...env } });
        const ended = await started.ended;
        expect(ended, `${command}, ${JSON.stringify(env)}: ${started.err}`).to.deep.equal({ code: 1, signal: null });
        const err = withoutWaiting(started.err);
        expect(err.trimEnd().split('\n'), err).to.have.length(1);
        expect(err).to.match(said).and.to.include(setting);
      }
      await stop();
    }).timeout(600_000);
  }

  it('leaves nothing open in its process, so that another start on the data directory succeeds', async () => {
    const { port, stop } = await startListener(() => undefined);
    const dataDir = world.directory();
    const settings = { DATA_DIR: dataDir, HOST: '127.0.0.1', PROJECTOR_PORT: String(port), LOG_LEVEL: 'silent' };
    const config = loadConfig({ ...settings, LOG_LEVEL: 'error' });
    const log = createLogger({ level: 'silent' });
    const error = await failureOf(startProjectorProcess({ config, log }));
    expect(reasonOf(error)).to.match(/EADDRINUSE.*set PROJECTOR_PORT/);
    await stop();
    const worker = await startProjectorProcess({ config: loadConfig({ ...settings, LOG_LEVEL: 'error' }), log });
    expect((await fetch(`${worker.url}/actuator/health/liveness`)).status).to.equal(200);
    await worker.close();
  });

  it('names DATA_DIR when a part of it cannot be used', async () => {
    const dataDir = world.directory();
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    expect(await refusalOf(file)).to.match(/DATA_DIR/);
    expect(await refusalOf(join(file, 'below'))).to.match(/DATA_DIR/);
    for (const key of ['no JSON', '{}', '{"kty":"OKP","crv":"Ed25519","x":"AA","d":"AA"}']) {
      const directory = world.directory();
      writeFileSync(join(directory, 'license-signing-key.json'), key);
      expect(await refusalOf(directory), key).to.match(/signing key in .* is damaged.*DATA_DIR/);
    }
  });

  it('names the port that this process may not listen on', async () => {
    const refused = Object.assign(new Error('listen EACCES: permission denied 127.0.0.1:80'), { code: 'EACCES' });
    const http = { listen: () => Promise.reject(refused) };
    const error = await failureOf(listenOn(http, { host: '127.0.0.1', port: 80, portVariable: 'PROJECTOR_PORT' }));
    expect(reasonOf(error)).to.match(/EACCES.*set PROJECTOR_PORT/);
  });

  it('ends each command on the stores with code 1 and one line', async () => {
    const dataDir = world.directory();
    await withServiceHere(dataDir, async () => undefined);
    const commands = [['rebuild'], ['verify'], ['projections'], ['dead-letters', 'show'], ['keys', 'list']];
    for (const args of commands) {
      const { code, out, err } = await runCommand(args, { DATA_DIR: dataDir, MONGODB_URL: 'mongodb://host/db?foo=1' });
      expect(code, `${args.join(' ')}: ${err}`).to.equal(1);
      expect(err.trimEnd().split('\n'), err).to.have.length(1);
      expect(err).to.match(/MONGODB_URL: .*foo/);
      expect(out).to.equal('');
    }
  }).timeout(600_000);
});
