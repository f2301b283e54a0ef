import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../src/kernel/json.ts';
import type { RawShot, Shot } from './shots.ts';

/** What attacks are aimed at. */
export interface Target {
  /** The event with the laps, and one of its layouts and cars. */
  readonly eventId: string;
  readonly trackLayoutId: string;
  readonly carId: string;
  readonly participantId: string;
  readonly rigId: string;
  readonly lapId: string;
  /** Path of an uploaded file. */
  readonly file: string;
  /** Key of a rig, for the attacks of a tenant. */
  readonly token: string;
  /** What a tenant changes again and again. */
  readonly flooded: Flooded;
}

/** A driver with many laps on one layout in one event, and the drivers beside them. */
export interface Flooded {
  readonly participantId: string;
  readonly eventId: string;
  readonly trackLayoutId: string;
  readonly rigId: string;
  readonly carId: string;
  readonly carBrandId: string;
  readonly simulatorId: string;
  readonly otherIds: readonly string[];
  /** Some of the laps, the best first. */
  readonly lapIds: readonly string[];
}

/** A way to use a service up: its n-th request. */
type Attack = (target: Target, n: number) => Shot | RawShot;

/** Requests at once, of attacks that do not have the usual number. */
export const AT_ONCE: Readonly<Record<string, number>> = { none: 0, connections: 1_500, pipelines: 50 };

/** The laps of a store begin on that day; moments are taken from there on, this many ms apart. */
const FIRST_DAY = Date.UTC(2025, 0, 1);
const MOMENT_MS = 1_009;
const MOMENTS = 5_000;
/** Times, in ms, after which clients leave. */
const SOON_MS = 2;
const LATER_MS = 5;
/** Length of a long query, and of the body of a batch, in characters. */
const QUERY_LENGTH = 12_000;
const BATCH_LENGTH = 900_000;
/** Requests that are sent on one connection without waiting for answers. */
const PIPELINED = 500;
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** A moment with laps, another one for each n. */
function moment(n: number): string {
  return new Date(FIRST_DAY + (n % MOMENTS) * MOMENT_MS).toISOString();
}

function event({ eventId }: Target): string {
  return `/api/v1/events/${eventId}`;
}

/** One of several, in turns. */
function pick<T>(items: readonly T[], n: number): T {
  const item = items[n % items.length];
  if (item === undefined) throw new Error('there is nothing to pick');
  return item;
}

const BATCH = JSON.stringify({
  laps: Array.from({ length: 1_000 }, () => ({ valid: 'x'.repeat(BATCH_LENGTH / 1_000) })),
});

/** A change of a tenant, who does not wait until it can be read. */
function changed(path: string, { token }: Target, body: JsonObject): Shot {
  const headers = { ...JSON_TYPE, 'X-API-Key': token, Prefer: 'respond-async' };
  return { method: 'PATCH', path: `/api/v1/${path}`, headers, body: JSON.stringify(body) };
}

/** Events that cost others more than their sender: what each of them changes, or lets be read, is thousands of records. */
const FLOODS: Readonly<Record<string, Attack>> = {
  'renames-of-driver': (target, n) =>
    changed(`participants/${target.flooded.participantId}`, target, { firstName: `Flood ${n}` }),
  'renames-of-drivers': (target, n) =>
    changed(`participants/${pick(target.flooded.otherIds, n)}`, target, { firstName: `Flood ${n}` }),
  'renames-of-event': (target, n) => changed(`events/${target.flooded.eventId}`, target, { name: `Flood ${n}` }),
  'renames-of-rig': (target, n) => changed(`rigs/${target.flooded.rigId}`, target, { name: `Flood ${n}` }),
  'renames-of-layout': (target, n) =>
    changed(`track-layouts/${target.flooded.trackLayoutId}`, target, { displayName: `Flood ${n}` }),
  'renames-of-catalogue': (target, n) =>
    pick(
      [
        changed(`cars/${target.flooded.carId}`, target, { modelName: `Flood ${n}` }),
        changed(`car-brands/${target.flooded.carBrandId}`, target, { displayName: `Flood ${n}` }),
        changed(`simulators/${target.flooded.simulatorId}`, target, { displayName: `Flood ${n}` }),
      ],
      n,
    ),
  'settings-of-event': (target, n) =>
    changed(`events/${target.flooded.eventId}`, target, { settingsJson: JSON.stringify({ n }) }),
  'best-lap-struck': (target, n) =>
    changed(`laps/${target.flooded.lapIds[0]}`, target, { valid: Math.floor(n / 2) % 2 === 0 }),
  'laps-struck': (target, n) =>
    changed(`laps/${pick(target.flooded.lapIds, n)}`, target, {
      valid: Math.floor(n / target.flooded.lapIds.length) % 2 === 0,
    }),
  'laps-reassigned': ({ flooded, ...target }, n) =>
    changed(
      `laps/${pick(flooded.lapIds, n)}`,
      { flooded, ...target },
      { participantId: n % 2 === 0 ? flooded.participantId : pick(flooded.otherIds, n) },
    ),
  'renames-and-strikes': (target, n) => pick(IN_FLOOD, n)(target, Math.floor(n / IN_FLOOD.length)),
};

const IN_FLOOD = Object.values(FLOODS).slice(0, -1);

const SINGLE: Readonly<Record<string, Attack>> = {
  // Each of these was seen to stop a race.
  'live-left': (target) => ({ path: `${event(target)}/live?carId=${randomUUID()}`, leavesAfterMs: SOON_MS }),
  'live-from-left': (target, n) => ({
    path: `${event(target)}/live?carId=${randomUUID()}&from=${moment(n)}`,
    leavesAfterMs: SOON_MS,
  }),
  'replays-unread': (target, n) => ({ path: `${event(target)}/live?from=${moment(n)}&speed=60`, unread: true }),
  'boards-all': (target, n) => ({ path: `${event(target)}/leaderboard?validOnly=false&size=${1 + (n % 1_000)}` }),
  'boards-as-of': (target, n) => ({ path: `${event(target)}/leaderboard?asOf=${moment(n)}` }),
  'results-as-of': (target, n) => ({ path: `${event(target)}/results.csv?asOf=${moment(n)}` }),
  'pages-by-rig-name': ({ eventId }, n) => ({
    path: `/api/v1/laps/paged?eventId=${eventId}&sort=rigName&page=${n % 1_500}`,
  }),
  lists: () => ({ path: '/api/v1/laps' }),
  'boards-left': (target, n) => ({ path: `${event(target)}/leaderboard?asOf=${moment(n)}`, leavesAfterMs: LATER_MS }),
  // What else a stranger may think of.
  'boards-filtered': (target, n) => ({
    path: `${event(target)}/leaderboard?carId=${target.carId}&validOnly=false&asOf=${moment(n)}&page=${n % 9}`,
  }),
  'pages-deep': (_, n) => ({ path: `/api/v1/laps/paged?size=20&sort=createdAt,desc&page=${n % 2_500}` }),
  'pages-scanned': ({ carId }, n) => ({
    path: `/api/v1/laps/paged?carId=${carId}&valid=false&sort=drivenAt,desc&to=${moment(n)}`,
  }),
  'lists-filtered': ({ carId }, n) => ({ path: `/api/v1/laps?carId=${carId}&valid=false&to=${moment(n)}` }),
  'lists-unread': () => ({ path: '/api/v1/laps', headers: { 'Accept-Encoding': 'gzip' }, unread: true }),
  'lists-gzip': () => ({ path: '/api/v1/laps', headers: { 'Accept-Encoding': 'gzip' } }),
  heads: (target, n) => ({
    method: 'HEAD',
    path: pick(['/api/v1/laps', `${event(target)}/leaderboard?asOf=${moment(n)}`, '/api/v1/laps/paged?size=1000'], n),
  }),
  operations: (_, n) => ({
    path: pick(['/actuator/prometheus', '/api-docs', '/actuator/health', '/swagger-ui', '/.well-known/jwks.json'], n),
  }),
  bests: ({ participantId }) => ({ path: `/api/v1/participants/${participantId}/bests` }),
  'live-resumed': (target, n) => ({
    path: `${event(target)}/live?validOnly=${String(n % 2 === 0)}`,
    headers: { 'Last-Event-ID': String(n % 100) },
    unread: true,
  }),
  'live-resumed-left': (target) => ({ path: `${event(target)}/live?after=0`, leavesAfterMs: LATER_MS }),
  'live-delayed-left': (target, n) => ({
    path: `${event(target)}/live?delaySeconds=${1 + (n % 3_600)}&validOnly=false`,
    leavesAfterMs: LATER_MS,
  }),
  live: (target) => ({ path: `${event(target)}/live` }),
  histories: ({ lapId, eventId, token }, n) => ({
    path: pick([`/api/v1/laps/${lapId}/history`, `/api/v1/events/${eventId}/history?limit=1000`], n),
    headers: { 'X-API-Key': token },
  }),
  completeness: (target, n) => ({
    path: pick([`${event(target)}/completeness`, `/api/v1/rigs/${target.rigId}/completeness`], n),
    headers: { 'X-API-Key': target.token },
  }),
  'wrong-keys': (_, n) => ({ path: '/api/v1/laps/paged', headers: { 'X-API-Key': `wrong-${n}-${randomUUID()}` } }),
  'queries-long': (target, n) => ({
    path: `${event(target)}/leaderboard?${`x${n}=%41&`.repeat(QUERY_LENGTH).slice(0, QUERY_LENGTH)}`,
  }),
  'nothing-there': (_, n) => ({
    method: pick(['GET', 'OPTIONS', 'PUT', 'TRACE'], n),
    path: `/api/v1/${randomUUID()}/${n}`,
  }),
  'file-ranges': ({ file }, n) => ({
    path: file,
    headers: { Range: pick(['bytes=0-', 'bytes=-1', 'bytes=1-4,9-12'], n) },
  }),
  'file-unread': ({ file }) => ({ path: file, unread: true }),
  'batches-without-key': () => ({ method: 'POST', path: '/api/v1/laps/batch', headers: JSON_TYPE, body: BATCH }),
  'batches-invalid': ({ token }) => ({
    method: 'POST',
    path: '/api/v1/laps/batch',
    headers: { ...JSON_TYPE, 'X-API-Key': token },
    body: BATCH,
  }),
  batches: ({ token, eventId, participantId, rigId, carId, trackLayoutId: trackId }) => {
    const lap = { participantId, rigId, eventId, carId, trackId, sectors: [90_000], totalTime: 90_000, valid: true };
    return {
      method: 'POST',
      path: '/api/v1/laps/batch',
      headers: { ...JSON_TYPE, 'X-API-Key': token },
      body: JSON.stringify({ laps: Array.from({ length: 1_000 }, () => lap) }),
    };
  },
  'bodies-slow': () => ({ bytes: 'POST /api/v1/laps HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n{' }),
  connections: () => ({ bytes: 'GET /api/v1/laps HTTP/1.1\r\nHost: a\r\nX-Slow: ' }),
  pipelines: (target) => ({
    bytes: `GET ${event(target)}/leaderboard?validOnly=false HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(PIPELINED),
  }),
};

const IN_TURNS = Object.values(SINGLE);

export const ATTACKS: Readonly<Record<string, Attack>> = {
  // No attack, for comparison.
  none: ({ lapId }) => ({ path: `/api/v1/laps/${lapId}` }),
  ...SINGLE,
  ...FLOODS,
  mixture: (target, n) => pick(IN_TURNS, n)(target, Math.floor(n / IN_TURNS.length)),
};
