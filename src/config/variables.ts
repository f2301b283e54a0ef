import { integer, longText, oneOf, origins, signingKey, text, url, webUrl, type Format } from './formats.ts';
import { ROLES } from '../domain/roles.ts';
import { LOG_LEVELS } from '../observability/log.ts';

/** One environment variable, and its row in README's configuration table. */
export interface Variable<T = unknown> extends Format<T> {
  readonly name: string;
  /** The text that stands in while the variable is unset or empty; null: its value is null then. */
  readonly unset: string | null;
  readonly description: string;
  /** Holds or may hold a secret: not quoted in messages. */
  readonly secret?: true;
}

const DAY_MS = 86_400_000;
const GIB = 1_073_741_824;
const bytes = integer(1, GIB);
const milliseconds = integer(1, DAY_MS);

const ADDRESS = {
  host: { name: 'HOST', ...text, unset: '127.0.0.1', description: 'address to listen on' },
  port: { name: 'PORT', ...integer(0, 65_535), unset: '8080', description: 'port to listen on; 0: any free one' },
  tlsCertFile: { name: 'TLS_CERT_FILE', ...text, unset: null, description: 'PEM certificate chain; unset: plain HTTP' },
  tlsKeyFile: { name: 'TLS_KEY_FILE', ...text, unset: null, description: 'PEM private key of the certificate' },
  corsOrigins: {
    name: 'CORS_ORIGINS',
    ...origins,
    unset: null,
    description: 'origins whose pages may call the API; unset: none',
  },
} as const satisfies Record<string, Variable>;

const STORES = {
  dataDir: {
    name: 'DATA_DIR',
    ...text,
    unset: './data',
    description: 'directory of the embedded stores, made if missing',
  },
  eventStoreUrl: {
    name: 'EVENTSTORE_URL',
    ...url(['esdb:', 'esdb+discover:']),
    unset: null,
    description: 'EventStoreDB, such as `esdb://host:2113?tls=false`; unset: embedded event store',
    secret: true,
  },
  mongodbUrl: {
    name: 'MONGODB_URL',
    ...url(['mongodb:', 'mongodb+srv:']),
    unset: null,
    description: 'MongoDB, such as `mongodb://host/timing`; unset: embedded read store',
    secret: true,
  },
  s3Bucket: {
    name: 'S3_BUCKET',
    ...text,
    unset: null,
    description: 'S3 bucket of uploaded files; unset: files in the data directory',
  },
  s3Endpoint: {
    name: 'S3_ENDPOINT',
    ...webUrl,
    unset: null,
    description: "URL of an S3 server that is not Amazon's; unset: Amazon's",
    secret: true,
  },
  s3Region: { name: 'S3_REGION', ...text, unset: 'us-east-1', description: 'region of the bucket' },
  cdnBaseUrl: {
    name: 'CDN_BASE_URL',
    ...webUrl,
    unset: null,
    description: 'URL at which the files can be had, to which `/cdn/…` redirects; unset: `/cdn/…` sends them itself',
  },
  projector: {
    name: 'PROJECTOR',
    ...oneOf(['inline', 'off']),
    unset: 'inline',
    description: 'off: the read models are kept by a process of their own (`npm run projector`)',
  },
  projectorPort: {
    name: 'PROJECTOR_PORT',
    ...integer(0, 65_535),
    unset: null,
    description: 'port where `npm run projector` shows health and metrics; unset: none',
  },
  leaseTermMs: {
    name: 'LEASE_TERM_MS',
    ...integer(300, DAY_MS),
    unset: '5000',
    description: 'after how long a silent projector is replaced by one that stands by',
  },
  storeTimeoutMs: {
    name: 'STORE_TIMEOUT_MS',
    ...milliseconds,
    unset: '5000',
    description: 'when a call of a store server that does not answer is given up',
  },
} as const satisfies Record<string, Variable>;

const KEYS = {
  bootstrapAdminToken: {
    name: 'BOOTSTRAP_ADMIN_TOKEN',
    ...longText(24),
    unset: null,
    description: 'API key of the root licence at the first start; unset: one is made up and printed once',
    secret: true,
  },
  licenseSigningKey: {
    name: 'LICENSE_SIGNING_KEY',
    ...signingKey,
    unset: null,
    description: 'key that signs licence files; unset: made once, in the data directory',
    secret: true,
  },
  rigKeyRole: {
    name: 'RIG_KEY_ROLE',
    ...oneOf(ROLES),
    unset: 'CRUD',
    description: 'role of the key that a rig gets when it registers',
  },
} as const satisfies Record<string, Variable>;

const LIMITS = {
  bodyLimitBytes: { name: 'BODY_LIMIT_BYTES', ...bytes, unset: '1048576', description: 'largest JSON body' },
  bodyDepthLimit: {
    name: 'BODY_DEPTH_LIMIT',
    ...integer(1, 1_000),
    unset: '32',
    description: 'deepest nesting of a JSON body',
  },
  uploadLimitBytes: { name: 'UPLOAD_LIMIT_BYTES', ...bytes, unset: '10485760', description: 'largest uploaded file' },
  requestDeadlineMs: {
    name: 'REQUEST_DEADLINE_MS',
    ...milliseconds,
    unset: '10000',
    description: 'when a request that still waits for a store is given up',
  },
  projectionWaitMs: {
    name: 'PROJECTION_WAIT_MS',
    ...integer(0, DAY_MS),
    unset: '2000',
    description: 'how long a write waits for the read models before it answers 202',
  },
  shutdownGraceMs: {
    name: 'SHUTDOWN_GRACE_MS',
    ...milliseconds,
    unset: '10000',
    description: 'how long requests in flight may take after SIGTERM',
  },
  logLevel: { name: 'LOG_LEVEL', ...oneOf(LOG_LEVELS), unset: 'info', description: 'lowest level that is logged' },
} as const satisfies Record<string, Variable>;

/** Every environment variable that the service reads, by the name of its value in `Config`. */
export const VARIABLES = { ...ADDRESS, ...STORES, ...KEYS, ...LIMITS } as const;
