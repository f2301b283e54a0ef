import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { expect } from 'chai';
import { z } from 'zod';
import { loadConfig } from '../src/service/config/config.ts';
import { checkSettings } from '../src/tools/cli/doctor-settings.ts';
import { CERTIFICATE, KEY } from './support/certificate.ts';
import { useDirectories } from './support/directories.ts';
import { listen } from './support/processes/listen.ts';
import { withServiceHere } from './support/processes/service-here.ts';

const COMPOSE = readFileSync('compose.yaml', 'utf8');
const DOCKERFILE = readFileSync('Dockerfile', 'utf8');

/** Images that are named by version: the head of compose.yaml says how to find their digests. */
const BY_VERSION = ['kurrentplatform/kurrentdb:26.0.3'];

/** Variables of compose.yaml that hold a secret. */
const SECRET = /PASSWORD|SECRET|KEY|TOKEN/;

describe('compose.yaml', () => {
  it('has no password by default: each secret must be set, or may be left out', () => {
    const variables = [...COMPOSE.matchAll(/\$\{(\w+)([^}]*)\}/g)].map(([, name = '', rest = '']) => ({ name, rest }));
    const secrets = variables.filter(({ name }) => SECRET.test(name));
    expect(secrets).not.to.be.empty;
    for (const { name, rest } of secrets) expect(rest, name).to.match(/^:\?run \.\/make-secrets\.sh$|^:-$/);
    expect(COMPOSE).not.to.match(/INSECURE|tls=false|http:\/\/eventstore/);
    expect(COMPOSE, 'it sends no telemetry').to.match(/KURRENTDB_TELEMETRY_OPTOUT: 'true'/);
  });

  it('limits the memory of every service, and names the images of others by digest', () => {
    const services = COMPOSE.slice(COMPOSE.indexOf('\nservices:'), COMPOSE.indexOf('\n# Made by')).split(
      /\n {2}(?=\w)/,
    );
    for (const service of services.slice(1)) expect(service).to.match(/mem_limit: \d|<<: \*(service|projector)/);
    const images = [...COMPOSE.matchAll(/ image: (\S+)/g), ...DOCKERFILE.matchAll(/^FROM (\S+)/gm)].map(
      ([, image]) => image,
    );
    const moving = images.filter((image) => !/:[\w.-]+@sha256:[\da-f]{64}$/.test(image ?? ''));
    expect(moving).to.have.members(['sim-racing-timing', ...BY_VERSION]);
  });
});

const newDirectory = useDirectories();

describe('make-secrets.sh', function () {
  let directory = '';
  before(function () {
    // Without openssl there is nothing to test.
    if (spawnSync('openssl', ['version']).status !== 0) this.skip();
    directory = newDirectory();
    copyFileSync('make-secrets.sh', join(directory, 'make-secrets.sh'));
    writeFileSync(join(directory, '.env'), "SUBNET=10.9.8.0/24\nS3_ACCESS_KEY='of-the-operator'\n", { mode: 0o644 });
    run();
  });

  const run = () => execFileSync('sh', [join(directory, 'make-secrets.sh')], { cwd: '/', encoding: 'utf8' });
  const read = (name: string) => readFileSync(join(directory, name), 'utf8');
  const variables = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      [...read('.env').matchAll(/^(\w+)='?(.*?)'?$/gm)].map(([, name = '', value = '']) => [name, value]),
    );

  it('makes every secret that compose.yaml requires, for its owner only, and keeps existing ones', () => {
    const made = variables();
    for (const [, name = ''] of COMPOSE.matchAll(/\$\{(\w+):\?/g)) expect(made, name).to.have.property(name);
    const passwords = Object.entries(made).filter(([name]) => /PASSWORD|SECRET/.test(name));
    for (const [name, value] of passwords) expect(value, name).to.match(/^[\da-f]{48}$/);
    expect(new Set(Object.values(made)).size).to.equal(Object.keys(made).length);
    expect(made).to.include({ SUBNET: '10.9.8.0/24', S3_ACCESS_KEY: 'of-the-operator' });
    expect(statSync(join(directory, '.env')).mode & 0o777).to.equal(0o600);
    expect(statSync(join(directory, 'certificates')).mode & 0o777).to.equal(0o700);

    const before = [read('.env'), read('certificates/eventstore.crt')];
    run();
    expect([read('.env'), read('certificates/eventstore.crt')]).to.deep.equal(before);
  });

  it('makes settings that the service takes, and in which the doctor finds no problem', () => {
    const made = variables();
    const block = COMPOSE.slice(COMPOSE.indexOf('x-environment:'), COMPOSE.indexOf('\nservices:'));
    const valueOf = (text: string): string =>
      text.replaceAll(/\$\{(\w+)(?::[?-]([^}]*))?\}/g, (_, name: string, rest = '') => made[name] ?? String(rest));
    const settings = new Map<string, string>();
    for (const [, name = '', text = ''] of block.matchAll(/^ {2}([A-Z]\w+): (.*)$/gm)) {
      settings.set(name, valueOf(text.replaceAll("'", '')));
    }
    const config = loadConfig({ ...Object.fromEntries<string>(settings), HOST: '0.0.0.0' });
    expect(config).to.deep.include({ projector: 'off', trustedProxies: ['10.9.8.0/24'] });
    expect(config.eventStoreUrl).to.match(/^esdb:\/\/admin:[\da-f]{48}@eventstore:2113\?tlsCAFile=\/run\/secrets\/ca$/);
    expect(config.licenseSigningKey).not.to.equal(null);
    expect(checkSettings(config).filter(([, level]) => level === 'problem')).to.deep.equal([]);
  });

  it('makes a certificate of EventStoreDB that its clients can verify', async () => {
    const authority = read('certificates/ca.crt');
    const node = read('certificates/eventstore.crt');
    const key = read('certificates/eventstore.key');
    expect(readdirSync(join(directory, 'certificates')), 'no key of the authority').to.have.lengthOf(3);
    const ca = new X509Certificate(authority);
    const certificate = new X509Certificate(node);
    expect([ca.ca, certificate.ca, certificate.verify(ca.publicKey)]).to.deep.equal([true, false, true]);
    expect(certificate.checkPrivateKey(createPrivateKey(key))).to.equal(true);
    expect(certificate.subject).to.equal('CN=eventstoredb-node');
    expect(certificate.checkIP('127.0.0.1')).to.equal('127.0.0.1');

    const server = createServer({ cert: node, key }, (socket) => socket.end());
    const client = connect({ port: await listen(server), host: '127.0.0.1', ca: authority, servername: 'eventstore' });
    await once(client, 'secureConnect');
    expect(client.authorized).to.equal(true);
    client.destroy();
    server.close();
  });
});

describe('the health check of the image', () => {
  const [, json = ''] = /^HEALTHCHECK .*? CMD (.*)$/m.exec(DOCKERFILE) ?? [];
  const [program = '', ...args] = z.array(z.string()).parse(JSON.parse(json));

  const check = (env: Readonly<Record<string, string>>) =>
    new Promise<number | null>((resolve) => {
      spawn(program, args, { env: { PATH: process.env['PATH'] ?? '', ...env }, stdio: 'ignore' }).once('exit', resolve);
    });

  it('follows the TLS of the service, and fails where nothing answers', async () => {
    const directory = newDirectory();
    const tls = { TLS_CERT_FILE: join(directory, 'cert.pem'), TLS_KEY_FILE: join(directory, 'key.pem') };
    writeFileSync(tls.TLS_CERT_FILE, CERTIFICATE);
    writeFileSync(tls.TLS_KEY_FILE, KEY);
    const codes: (number | null)[] = [];
    for (const env of [{}, tls]) {
      await withServiceHere({ DATA_DIR: join(directory, 'data'), ...env }, async ({ url }) =>
        codes.push(await check({ PORT: new URL(url).port, ...env })),
      );
    }
    expect(codes).to.deep.equal([0, 0]);
    expect(await check({ PORT: '1' })).to.equal(1);
  });
});
