import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import {
  bucketName,
  esdbUrl,
  integer,
  longText,
  mongodbUrl,
  networks,
  oneOf,
  origins,
  publicUrl,
  regionName,
  signingKey,
  text,
  webUrl,
} from './formats.ts';

const DAY_MS = 86_400_000;
const GIB = 1_073_741_824;
const port = integer(0, 65_535);
const bytes = integer(1, GIB);
const diskBytes = integer(0, 524_288 * GIB);
const count = integer(0, 1_000_000_000);
const milliseconds = integer(1, DAY_MS);

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

function optional<T>(format: z.ZodType<T, string>) {
  return format.optional().transform((value) => value ?? null);
}

/** A variable that holds or may hold a secret: not quoted in messages. */
const secret = <T extends z.ZodType>(format: T, description: string): T => format.meta({ secret: true, description });

/** Every environment variable that the service reads; `prefault` is its default. See docs/operations.md. */
export const VARIABLES = z.object({
  HOST: text.prefault('127.0.0.1').describe('address to listen on'),
  PORT: port.prefault('8080').describe('port to listen on; 0: any free one'),
  PUBLIC_URL: optional(publicUrl).describe(
    'address at which clients reach the service, with the path that a proxy gives it; unset: that of the request, without a path',
  ),
  TLS_CERT_FILE: optional(text).describe('PEM certificate chain; unset: plain HTTP'),
  TLS_KEY_FILE: optional(text).describe('PEM private key of the certificate'),
  CORS_ORIGINS: optional(origins).describe('origins whose pages may call the API; unset: none'),
  DATA_DIR: text.prefault('./data').describe('directory of the embedded stores, created if missing'),
  EVENTSTORE_URL: secret(
    optional(esdbUrl),
    'EventStoreDB, such as `esdb://host:2113?tls=false`; unset: embedded event store',
  ),
  MONGODB_URL: secret(optional(mongodbUrl), 'MongoDB, such as `mongodb://host/timing`; unset: embedded read store'),
  S3_BUCKET: optional(bucketName).describe('S3 bucket of uploaded files; unset: files in the data directory'),
  S3_ENDPOINT: secret(optional(webUrl), "URL of an S3 server that is not Amazon's; unset: Amazon's"),
  S3_REGION: regionName.prefault('us-east-1').describe('region of the bucket'),
  CDN_BASE_URL: optional(webUrl).describe(
    'URL of the files, to which `/cdn/…` redirects; unset: `/cdn/…` serves them itself',
  ),
  PROJECTOR: oneOf(['inline', 'off'])
    .prefault('inline')
    .describe('off: a process of its own keeps the read models (`npm run projector`)'),
  PROJECTOR_PORT: optional(port).describe('port where `npm run projector` shows health and metrics; unset: none'),
  LEASE_TERM_MS: integer(300, DAY_MS)
    .prefault('5000')
    .describe('time after which a standby replaces a projector that is silent'),
  RETIRE_AFTER_MS: integer(500, DAY_MS)
    .prefault('10000')
    .describe('how long read models are kept after a rebuild has replaced them; the same for all processes'),
  STORE_TIMEOUT_MS: milliseconds.prefault('5000').describe('time limit of a call of a store server'),
  BOOTSTRAP_ADMIN_TOKEN: secret(
    optional(longText(24)),
    'API key of the root licence at the first start; unset: one is generated and printed once',
  ),
  LICENSE_SIGNING_KEY: secret(
    optional(signingKey),
    'key that signs licence files; unset: generated once, in the data directory',
  ),
  LICENSE_FILE_MAX_AGE: optional(integer(1, 3_650 * 86_400)).describe(
    'age, in seconds, from which a licence file is refused; unset: no limit',
  ),
  RIG_KEY_ROLE: oneOf(['R', 'CR', 'CRUD'])
    .prefault('CRUD')
    .describe('role of the key that a rig gets when it registers'),
  RIG_KEY_SCOPE: oneOf(['rig', 'role'])
    .prefault('rig')
    .describe('rig: the key of a rig may do only what a rig needs; role: what its role allows'),
  LICENSE_WALLS: oneOf(['on', 'off'])
    .prefault('on')
    .describe(
      'on: below ADMIN, keys change only what their licence owns or what is shared; off: what their role allows',
    ),
  PUBLIC_PARTICIPANTS: oneOf(['true', 'false'])
    .prefault('false')
    .describe('true: participants can be read without a key, except for their contact data'),
  BODY_LIMIT_BYTES: bytes.prefault('1048576').describe('largest JSON body'),
  BODY_DEPTH_LIMIT: integer(1, 1_000).prefault('32').describe('deepest nesting of a JSON body'),
  UPLOAD_LIMIT_BYTES: bytes.prefault('10485760').describe('largest uploaded file'),
  UPLOAD_LICENSE_BYTES: diskBytes
    .prefault('1073741824')
    .describe('bytes of uploaded files of one licence: of the files whose current bytes it sent'),
  UPLOAD_TOTAL_BYTES: diskBytes.prefault('10737418240').describe('bytes of uploaded files of all licences together'),
  UPLOAD_KEEPS_FREE_BYTES: diskBytes
    .prefault('1073741824')
    .describe('bytes that uploads leave free on the disk of `DATA_DIR`'),
  TRUSTED_PROXIES: networks
    .prefault('none')
    .describe('addresses and networks of the reverse proxies whose `X-Forwarded-For` is believed'),
  UNLIMITED_CLIENTS: networks
    .prefault('127.0.0.0/8,::1')
    .describe('addresses and networks of clients to which none of the next eight limits applies'),
  CLIENT_REQUESTS_PER_MINUTE: count.prefault('30000').describe('requests of one client address; 0: no limit'),
  KEY_REQUESTS_PER_MINUTE: count.prefault('12000').describe('requests under one API key; 0: no limit'),
  CLIENT_REFUSED_KEYS_PER_MINUTE: count.prefault('60').describe('invalid keys from one client address; 0: no limit'),
  CLIENT_CONNECTIONS: count.prefault('2000').describe('open connections of one client address; 0: no limit'),
  CLIENT_CONNECTIONS_PER_MINUTE: count
    .prefault('6000')
    .describe('connections that one client address opens, a sixth of them at once; 0: no limit'),
  CLIENT_STREAMS: count
    .prefault('256')
    .describe('lists and files that are sent to one client address at a time; 0: no limit'),
  CLIENT_LIVE_READERS: count
    .prefault('1000')
    .describe('live boards that one client address watches at a time; 0: no limit'),
  CLIENT_REPLAYS: count.prefault('8').describe('replays among them; 0: no limit'),
  MAX_REPLAYS: count.prefault('64').describe('replays of all clients at a time; 0: no limit'),
  LIVE_BUFFER_BYTES: bytes
    .prefault('67108864')
    .describe('bytes that wait for all readers of live boards together; beyond that the slowest are disconnected'),
  MAX_CONNECTIONS: count.prefault('12000').describe('open connections of all clients; 0: no limit'),
  QUERY_BUDGET: integer(1_000, 1_000_000_000)
    .prefault('20000')
    .describe('most documents that one request may visit, except for unpaged lists and pages that columns have'),
  REQUEST_DEADLINE_MS: milliseconds.prefault('10000').describe('time limit of a request that waits for a store'),
  PROJECTION_WAIT_MS: integer(0, DAY_MS)
    .prefault('2000')
    .describe('how long a write waits for the read models before it answers 202'),
  SHUTDOWN_GRACE_MS: milliseconds.prefault('10000').describe('how long requests in flight may take after SIGTERM'),
  LOG_LEVEL: oneOf(LOG_LEVELS).prefault('info').describe('lowest level that is logged'),
});

type Variables = z.output<typeof VARIABLES>;

type TlsFile = 'TLS_CERT_FILE' | 'TLS_KEY_FILE';

/** Refuses one file without the other, even if other variables are wrong too. */
function goesWith(missing: TlsFile, given: TlsFile) {
  return z.refine<Variables>((variables) => variables[missing] !== null || variables[given] === null, {
    path: [missing],
    error: `not set, but ${given} is; expected both or none`,
    when: () => true,
  });
}

/** The name of a setting, made of that of its variable: `dataDir` of `DATA_DIR`. */
type SettingOf<S extends string> = S extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<SettingOf<Rest>>}`
  : Lowercase<S>;

function settingOf(variable: string): string {
  return variable.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The same values under the names of settings. */
function settingsOf<V extends object>(variables: V) {
  const settings = Object.fromEntries(Object.entries(variables).map(([name, value]) => [settingOf(name), value]));
  // Each name is renamed here as it is by the type.
  return settings as { [K in keyof V & string as SettingOf<K>]: V[K] };
}

const Settings = VARIABLES.check(goesWith('TLS_CERT_FILE', 'TLS_KEY_FILE'), goesWith('TLS_KEY_FILE', 'TLS_CERT_FILE'))
  .transform((all) => {
    const {
      EVENTSTORE_URL: eventStoreUrl,
      TLS_CERT_FILE: certFile,
      TLS_KEY_FILE: keyFile,
      LICENSE_FILE_MAX_AGE: maxAge,
      UPLOAD_LICENSE_BYTES: perLicense,
      UPLOAD_TOTAL_BYTES: inTotal,
      UPLOAD_KEEPS_FREE_BYTES: keptFree,
      ...variables
    } = all;
    return {
      ...settingsOf(variables),
      eventStoreUrl,
      /** PEM files of the certificate chain and its private key; null: plain HTTP. */
      tls: certFile === null || keyFile === null ? null : Object.freeze({ certFile, keyFile }),
      licenseFileMaxAgeMs: maxAge === null ? null : maxAge * 1_000,
      licenseWalls: variables.LICENSE_WALLS === 'on',
      publicParticipants: variables.PUBLIC_PARTICIPANTS === 'true',
      uploadRoom: Object.freeze({ perLicense, inTotal, keptFree }),
    };
  })
  .readonly();

export type Config = z.output<typeof Settings>;

/** Thrown for wrong settings; the message has one line per problem, and quotes no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

const QUOTED = 80;

/**
 * Reads the settings from environment variables. A variable that is set but empty counts as unset, because compose files
 * cannot leave one out.
 * @throws {ConfigError} naming every variable that is wrong.
 */
export function loadConfig(environment: Environment): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Settings.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map((issue) => problemOf(issue, given)).join('\n'));
}

/** Share of the letters of a variable that may differ where it resembles one of ours. */
const MISSPELT_SHARE = 0.25;

/** Variables with similar names that belong to others: OpenSSL's. */
const OF_OTHERS = new Set(['SSL_CERT_FILE']);

/** A line for each variable that the service does not read, but whose name resembles one that it does. */
export function misspeltVariables(environment: Environment): readonly string[] {
  const ours = Object.keys(VARIABLES.shape);
  return Object.keys(environment).flatMap((name) => {
    if (ours.includes(name) || OF_OTHERS.has(name)) return [];
    const meant = closest(name.toUpperCase(), ours);
    if (distance(name.toUpperCase(), meant) > Math.max(1, name.length * MISSPELT_SHARE)) return [];
    return [`The environment variable ${name} is not read; ${meant} is`];
  });
}

function problemOf({ path, message }: z.core.$ZodIssue, given: Environment): string {
  const name = String(path[0]);
  const value = given[name];
  if (value === undefined) return `${name}: ${message}`;
  const shape: Readonly<Record<string, z.ZodType>> = VARIABLES.shape;
  const shown = shape[name]?.meta()?.secret === true ? 'the value' : JSON.stringify(value.slice(0, QUOTED));
  return `${name}: ${shown} is not allowed; expected ${message}`;
}
