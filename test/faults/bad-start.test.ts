import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
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
    const said = err.replace(LMDB_NOTE, '').trimEnd().split('\n');
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
    const [dataDir, env] = [world.directory(), { BOOTSTRAP_ADMIN_TOKEN: '' }];
    const refusal = await refusalOf(dataDir, { ...env, PORT: String(port) });
    await stop();
    expect(refusal).to.match(new RegExp(`EADDRINUSE.*${port}.*PORT`));
    // The key of the first start that had its port.
    expect(await withServiceHere({ DATA_DIR: dataDir, ...env }, firstToken)).to.match(/^srt_/);
  });

  it('says that the host is unknown, and that a TLS file is missing', async () => {
    expect(await refusalOf(world.directory(), { HOST: '192.0.2.1' })).to.match(/EADDRNOTAVAIL.*192\.0\.2\.1/);
    const env = { TLS_CERT_FILE: '/no/cert.pem', TLS_KEY_FILE: '/no/key.pem' };
    expect(await refusalOf(world.directory(), env)).to.match(/^ENOENT.*\/no\/cert\.pem/);
  });

  it('says that the data directory cannot be made or written', async () => {
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
