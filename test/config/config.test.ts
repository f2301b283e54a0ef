import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { z } from 'zod';
import { ConfigError, loadConfig, misspeltVariables, VARIABLES } from '../../src/service/config/config.ts';

const newKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('config', () => {
  it('runs with nothing set', () => {
    expect(loadConfig({})).to.deep.include({
      host: '127.0.0.1',
      port: 8080,
      tls: null,
      dataDir: './data',
      eventStoreUrl: null,
      licenseFileMaxAgeMs: null,
      licenseWalls: true,
      publicParticipants: false,
      trustedProxies: [],
      uploadRoom: { perLicense: 1_073_741_824, inTotal: 10_737_418_240, keptFree: 1_073_741_824 },
    });
  });

  it('takes the address at which clients reach the service, with a path or without, and refuses others in a line', () => {
    for (const [given, publicUrl] of [
      ['https://timing.example.org', 'https://timing.example.org'],
      ['http://10.0.0.5:8080/', 'http://10.0.0.5:8080'],
      ['https://example.org/venue/timing/', 'https://example.org/venue/timing'],
    ] as const) {
      expect(loadConfig({ PUBLIC_URL: given }).publicUrl).to.equal(publicUrl);
    }
    const wrong = [
      '/timing',
      'timing.example.org',
      'ftp://example.org',
      'https://a:b@example.org',
      'https://example.org/?a',
    ];
    for (const given of [
      ...wrong,
      'https://example.org/a"b',
      'https://example.org/a%2Fb',
      'https://example.org/a//b',
    ]) {
      const [problem = '', ...more] = problemsOf({ PUBLIC_URL: given });
      expect(problem, given).to.match(/^PUBLIC_URL: .* is not allowed; expected a URL such as https:/);
      expect(more).to.deep.equal([]);
    }
  });

  it('takes an empty variable for an unset one and ignores variables of others', () => {
    expect(loadConfig({ PORT: '', TLS_CERT_FILE: '', PATH: '/bin' })).to.deep.equal(loadConfig({}));
  });

  it('gives every value that is set', () => {
    const key = newKey();
    const config = loadConfig({
      HOST: '::',
      PORT: '0',
      PROJECTOR: 'off',
      LOG_LEVEL: 'silent',
      RIG_KEY_ROLE: 'CR',
      PROJECTION_WAIT_MS: '0',
      BOOTSTRAP_ADMIN_TOKEN: 'x'.repeat(24),
      LICENSE_SIGNING_KEY: JSON.stringify({ ...key, kid: 'k1', use: 'sig' }),
      TLS_CERT_FILE: 'a.pem',
      TLS_KEY_FILE: 'b.pem',
      CORS_ORIGINS: 'https://a.example, http://localhost:3000',
      TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::/32,::1',
      UNLIMITED_CLIENTS: 'none',
      S3_ENDPOINT: 'http://localhost:9000/',
      CDN_BASE_URL: 'https://cdn.example/files/',
    });
    expect(config).to.deep.include({
      host: '::',
      port: 0,
      projector: 'off',
      logLevel: 'silent',
      rigKeyRole: 'CR',
      projectionWaitMs: 0,
      bootstrapAdminToken: 'x'.repeat(24),
      licenseSigningKey: { ...key, kid: 'k1' },
      tls: { certFile: 'a.pem', keyFile: 'b.pem' },
      corsOrigins: ['https://a.example', 'http://localhost:3000'],
      trustedProxies: ['10.0.0.0/8', '2001:db8::/32', '::1'],
      unlimitedClients: [],
      // Without the slash at the end.
      s3Endpoint: 'http://localhost:9000',
      cdnBaseUrl: 'https://cdn.example/files',
    });
    expect(loadConfig({ CORS_ORIGINS: '*' }).corsOrigins).to.equal('*');
  });

  it('is frozen, values included', () => {
    const LICENSE_SIGNING_KEY = JSON.stringify(newKey());
    const config = loadConfig({
      TLS_CERT_FILE: 'a',
      TLS_KEY_FILE: 'b',
      CORS_ORIGINS: 'https://a.example',
      LICENSE_SIGNING_KEY,
    });
    for (const value of [config, ...Object.values(config)]) expect(value).to.be.frozen;
  });

  it('reports every problem in a line of its own, with the variable, the value and what is allowed', () => {
    expect(problemsOf({ PORT: '80a', LOG_LEVEL: 'loud', CORS_ORIGINS: 'a.example', HOST: 'fine' })).to.deep.equal([
      'PORT: "80a" is not allowed; expected a whole number from 0 to 65535',
      'CORS_ORIGINS: "a.example" is not allowed; expected * or a comma list of origins such as https://example.org',
      'LOG_LEVEL: "loud" is not allowed; expected one of trace, debug, info, warn, error, fatal, silent',
    ]);
    expect(() => loadConfig({ PORT: 'a\nb', LOG_LEVEL: 'x' })).to.throw(
      ConfigError,
      /^PORT: "a\\nb" .*\nLOG_LEVEL: .*$/,
    );
  });

  it('quotes no address of a store, as it may hold a password', () => {
    const wrong = 'ftp://u:hunter2@h';
    const problems = problemsOf({ EVENTSTORE_URL: wrong, MONGODB_URL: wrong, S3_ENDPOINT: wrong });
    expect(problems).to.have.length(3);
    expect(problems[0]).to.equal(
      'EVENTSTORE_URL: the value is not allowed; expected a URL that starts with esdb:// or esdb+discover://',
    );
    expect(problems.join()).not.to.include('hunter2');
  });

  const refused: Record<string, readonly string[]> = {
    PORT: ['-1', '65536', '1.5', '1e3', ' 80', '0x50', 'NaN', '9'.repeat(400)],
    BODY_LIMIT_BYTES: ['0', '1073741825', '1mb'],
    BODY_DEPTH_LIMIT: ['0', '1001'],
    TRUSTED_PROXIES: ['proxy', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.1,', 'fe80::1%eth0', '/8'],
    UNLIMITED_CLIENTS: ['none,::1', '256.0.0.1', '10.0.0.0/-1'],
    MAX_CONNECTIONS: ['-1', 'none'],
    QUERY_BUDGET: ['999', '1000000001'],
    REQUEST_DEADLINE_MS: ['0', '86400001'],
    PROJECTOR: ['on', 'INLINE'],
    RIG_KEY_ROLE: ['crud', 'ROOT'],
    BOOTSTRAP_ADMIN_TOKEN: ['x'.repeat(23)],
    S3_ENDPOINT: ['minio:9000', 'ftp://s3.example', 'https://key:secret@s3.example', 'https://', 'https://a?b'],
    CDN_BASE_URL: ['cdn.example', '/files', 'https://cdn.example/files?v=1'],
    CORS_ORIGINS: [
      ...['https://a.example/', 'https://A.example', 'https://a.example:443', 'ftp://a'],
      ...['null', '*,https://a.example', ','],
    ],
  };
  for (const [name, values] of Object.entries(refused)) {
    it(`refuses wrong values of ${name}`, () => {
      for (const value of values) expect(problemsOf({ [name]: value }), value).to.have.length(1);
    });
  }

  it('refuses a signing key that is none, and never quotes it', () => {
    const key = newKey();
    const changed = [
      { d: undefined },
      { d: key.d?.slice(1) },
      { kty: 'EC' },
      { crv: 'X25519' },
      { x: newKey().x },
      { kid: 7 },
    ].map((change) => JSON.stringify({ ...key, ...change }));
    for (const value of ['{', '[]', 'null', '"x"', ...changed]) {
      const problems = problemsOf({ LICENSE_SIGNING_KEY: value });
      expect(problems, value).to.have.length(1);
      expect(problems[0]).to.match(/^LICENSE_SIGNING_KEY: the value is not allowed; expected a private Ed25519 key/);
    }
  });

  it('requires both TLS files or none', () => {
    expect(problemsOf({ TLS_CERT_FILE: 'a' })).to.deep.equal([
      'TLS_KEY_FILE: not set, but TLS_CERT_FILE is; expected both or none',
    ]);
    expect(problemsOf({ TLS_KEY_FILE: 'b' })).to.deep.equal([
      'TLS_CERT_FILE: not set, but TLS_KEY_FILE is; expected both or none',
    ]);
    expect(
      problemsOf({ TLS_CERT_FILE: 'a', PORT: 'x', LOG_LEVEL: 'x' }).map((line) => line.split(':')[0]),
    ).to.deep.equal(['PORT', 'LOG_LEVEL', 'TLS_KEY_FILE']);
  });

  it('accepts each default as a value', () => {
    const defaults = rows().flatMap(({ name, unset }) => (unset === null ? [] : [[name, unset] as const]));
    expect(loadConfig(Object.fromEntries(defaults))).to.deep.equal(loadConfig({}));
  });

  it('is meant by variables with similar names, not by others that systems have', () => {
    const typos = { DATADIR: '', MONGO_URL: '', TRUSTED_PROXY: '', REQUEST_DEADLINE: '', port: '' };
    const meant = ['DATA_DIR', 'MONGODB_URL', 'TRUSTED_PROXIES', 'REQUEST_DEADLINE_MS', 'PORT'];
    const others = ['HOME', 'HOSTNAME', 'PATH', 'PWD', 'AWS_REGION', 'SSL_CERT_FILE', 'NODE_OPTIONS', 'LOGNAME'];
    const names = Object.keys(typos);
    const lines = names.map((name, n) => `The environment variable ${name} is not read; ${meant[n]} is`);
    expect(
      misspeltVariables({ ...typos, ...Object.fromEntries(others.map((name) => [name, ''])), HOST: '::1' }),
    ).to.deep.equal(lines);
  });

  it('is described in docs/operations.md, row by row', () => {
    const page = readFileSync('docs/operations.md', 'utf8');
    for (const { name, unset, description } of rows()) {
      expect(page).to.include(`| \`${name}\` | ${unset === null ? 'unset' : `\`${unset}\``} | ${description} |`);
    }
  });
});

const Row = z.object({ description: z.string(), default: z.string().nullable().default(null) });

/** What the schema says of each variable. */
function rows() {
  const { properties = {} } = z.toJSONSchema(VARIABLES, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => {
    const { description, default: unset } = Row.parse(property);
    return { name, unset, description };
  });
}
