import type { Config, VARIABLES } from '../../service/config/config.ts';
import { addressesIn } from '../../service/http/client-address.ts';

/** What is so; for a warning or a problem, also what to do. */
export type Verdict = readonly [level: 'ok' | 'warning' | 'problem', text: string];

/** The verdict on a setting, or on what else was checked. */
export type Finding = readonly [about: string, ...Verdict];

type Setting = keyof typeof VARIABLES.shape;

const isLoopback = addressesIn(['127.0.0.0/8', '::1']);

/** Bits of the shortest prefix that may name proxies or exempt clients; a shorter one is a part of the internet. */
const SHORTEST_PREFIX = 8;

/** Whether only this machine reaches a host. */
export function isLocal(host: string): boolean {
  return host === 'localhost' || isLoopback(host.replace(/^\[|\]$/g, ''));
}

/** Whether a network is so wide that strangers are in it. */
function isWide(network: string): boolean {
  const [, prefix] = network.split('/');
  return prefix !== undefined && Number(prefix) < SHORTEST_PREFIX;
}

/** Limits that 0 switches off. */
const LIMITS = {
  CLIENT_REQUESTS_PER_MINUTE: 'clientRequestsPerMinute',
  KEY_REQUESTS_PER_MINUTE: 'keyRequestsPerMinute',
  CLIENT_REFUSED_KEYS_PER_MINUTE: 'clientRefusedKeysPerMinute',
  CLIENT_CONNECTIONS: 'clientConnections',
  CLIENT_CONNECTIONS_PER_MINUTE: 'clientConnectionsPerMinute',
  CLIENT_STREAMS: 'clientStreams',
  CLIENT_LIVE_READERS: 'clientLiveReaders',
  CLIENT_REPLAYS: 'clientReplays',
  MAX_REPLAYS: 'maxReplays',
  MAX_CONNECTIONS: 'maxConnections',
} as const satisfies Partial<Record<Setting, keyof Config>>;

const CHECKS = {
  TLS_CERT_FILE: checkTransport,
  TRUSTED_PROXIES: checkProxies,
  UNLIMITED_CLIENTS: checkExemptions,
  LICENSE_WALLS: ({ licenseWalls }) =>
    licenseWalls
      ? ['ok', 'licences cannot change what others own']
      : ['problem', 'off: any CRUD key changes everything'],
  RIG_KEY_SCOPE: ({ rigKeyScope }) =>
    rigKeyScope === 'rig'
      ? ['ok', 'the key of a rig may do only what a rig needs']
      : ['warning', 'a key that is stolen from a rig may do all that its role allows: set it to rig'],
  PUBLIC_PARTICIPANTS: ({ publicParticipants }) =>
    publicParticipants ? ['warning', 'anyone can list the participants by name'] : ['ok', 'participants need a key'],
  CORS_ORIGINS: ({ corsOrigins }) =>
    corsOrigins === '*'
      ? ['warning', 'pages of any site may call the API: name origins']
      : ['ok', 'pages of other sites may not call the API, except for named origins'],
  BOOTSTRAP_ADMIN_TOKEN: ({ bootstrapAdminToken }) =>
    bootstrapAdminToken === null
      ? ['ok', 'not in the environment']
      : ['warning', 'only the first start needs it: unset it, and keep the key in a safe'],
  LICENSE_SIGNING_KEY: ({ licenseSigningKey, eventStoreUrl }) =>
    licenseSigningKey === null && eventStoreUrl !== null
      ? ['warning', 'each data directory has a key of its own: set it before there is a second node']
      : ['ok', 'one key signs licence files'],
  EVENTSTORE_URL: ({ eventStoreUrl }) => checkServer(eventStoreUrl, (url) => !/[?&]tls=false/i.test(url)),
  MONGODB_URL: ({ mongodbUrl }) => checkServer(mongodbUrl, (url) => /^mongodb\+srv:|[?&](tls|ssl)=true/i.test(url)),
  S3_ENDPOINT: ({ s3Endpoint }) =>
    s3Endpoint?.startsWith('http:') === true && !isLocal(new URL(s3Endpoint).hostname)
      ? ['warning', 'files cross the network in plain text: use https, or a network of their own']
      : ['ok', 'files do not cross a network in plain text'],
} as const satisfies Partial<Record<Setting, (config: Config) => Verdict>>;

/** Checks settings for a service that strangers can reach. */
export function checkSettings(config: Config): readonly Finding[] {
  const checks = Object.entries<(config: Config) => Verdict>(CHECKS);
  return [...checks.map(([about, check]): Finding => [about, ...check(config)]), ...checkLimits(config)];
}

function checkLimits(config: Config): readonly Finding[] {
  const off = Object.entries(LIMITS).filter(([, key]) => config[key] === 0);
  if (off.length === 0) return [['CLIENT_…, KEY_…, MAX_…', 'ok', 'every limit is on']];
  return off.map(([about]) => [about, 'problem', 'there is no limit: unset it for the default']);
}

function checkTransport({ tls, host, trustedProxies }: Config): Verdict {
  if (tls !== null) return ['ok', 'the service speaks TLS'];
  if (isLocal(host)) return ['ok', `only this machine reaches ${host}: TLS is left to a proxy`];
  if (trustedProxies.length > 0) return ['warning', `plain HTTP at ${host}: only the proxies may reach the port`];
  return [
    'problem',
    `keys cross the network in plain text: set it and TLS_KEY_FILE, or use a proxy and HOST=127.0.0.1`,
  ];
}

function checkProxies({ trustedProxies, tls }: Config): Verdict {
  const wide = trustedProxies.filter(isWide);
  if (wide.length > 0) return ['problem', `anyone in ${wide.join(', ')} may claim any address: name the proxies alone`];
  if (trustedProxies.length > 0) return ['ok', `${trustedProxies.join(', ')} must append the address that they see`];
  if (tls === null) return ['warning', 'no proxy is named: if there is one, all its clients count as one address'];
  return ['ok', 'no proxy is believed'];
}

function checkExemptions({ unlimitedClients }: Config): Verdict {
  const others = unlimitedClients.filter((network) => !isLoopback(network.split('/')[0] ?? ''));
  if (others.length === 0) return ['ok', 'no client on another machine is exempt from limits'];
  const level = others.some(isWide) ? 'problem' : 'warning';
  return [level, `${others.join(', ')}: clients there have no limits`];
}

/** Checks the URL of a store server; null: embedded. Several hosts are judged by the first. */
function checkServer(url: string | null, usesTls: (url: string) => boolean): Verdict {
  if (url === null) return ['ok', 'embedded: no server'];
  const { username, hostname } = new URL(url.replace(/,[^/?#]*/, ''));
  if (username === '') return ['problem', 'no user name and password: anyone who reaches the server needs no key'];
  if (usesTls(url) || isLocal(hostname)) return ['ok', 'has a user, and nothing crosses a network in plain text'];
  return ['warning', 'crosses the network in plain text: use TLS, or a network of its own'];
}
