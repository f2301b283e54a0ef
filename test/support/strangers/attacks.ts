import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { RawShot, Shot } from './shots.ts';

/** What attacks are aimed at. */
export const Target = z.object({
  /** The event with the laps, and one of its layouts and cars. */
  eventId: z.string(),
  trackLayoutId: z.string(),
  carId: z.string(),
  participantId: z.string(),
  rigId: z.string(),
  lapId: z.string(),
  /** Path of an uploaded file. */
  file: z.string(),
  /** Key of a rig, for the attacks of a tenant. */
  token: z.string(),
});

export type Target = z.output<typeof Target>;

/** A way to use a service up. */
export interface Attack {
  readonly name: string;
  /** Requests at once, where it is not the usual number. */
  readonly atOnce?: number;
  /** The n-th request. */
  readonly next: (target: Target, n: number) => Shot | RawShot;
}

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
function pick(paths: readonly string[], n: number): string {
  return paths[n % paths.length] ?? '';
}

const BATCH = JSON.stringify({
  laps: Array.from({ length: 1_000 }, () => ({ valid: 'x'.repeat(BATCH_LENGTH / 1_000) })),
});

/** The attacks of which each was seen to stop a race, and then what else a stranger may think of. */
const SEEN: readonly Attack[] = [
  {
    name: 'live-left',
    next: (target) => ({ path: `${event(target)}/live?carId=${randomUUID()}`, leavesAfterMs: SOON_MS }),
  },
  {
    name: 'live-from-left',
    next: (target, n) => ({
      path: `${event(target)}/live?carId=${randomUUID()}&from=${moment(n)}`,
      leavesAfterMs: SOON_MS,
    }),
  },
  {
    name: 'replays-unread',
    next: (target, n) => ({ path: `${event(target)}/live?from=${moment(n)}&speed=60`, unread: true }),
  },
  {
    name: 'boards-all',
    next: (target, n) => ({ path: `${event(target)}/leaderboard?validOnly=false&size=${1 + (n % 1_000)}` }),
  },
  { name: 'boards-as-of', next: (target, n) => ({ path: `${event(target)}/leaderboard?asOf=${moment(n)}` }) },
  { name: 'results-as-of', next: (target, n) => ({ path: `${event(target)}/results.csv?asOf=${moment(n)}` }) },
  {
    name: 'pages-by-rig-name',
    next: ({ eventId }, n) => ({ path: `/api/v1/laps/paged?eventId=${eventId}&sort=rigName&page=${n % 1_500}` }),
  },
  { name: 'lists', next: () => ({ path: '/api/v1/laps' }) },
  {
    name: 'boards-left',
    next: (target, n) => ({ path: `${event(target)}/leaderboard?asOf=${moment(n)}`, leavesAfterMs: LATER_MS }),
  },
];

const OTHERS: readonly Attack[] = [
  {
    name: 'boards-filtered',
    next: (target, n) => ({
      path: `${event(target)}/leaderboard?carId=${target.carId}&validOnly=false&asOf=${moment(n)}&page=${n % 9}`,
    }),
  },
  {
    name: 'pages-deep',
    next: (_, n) => ({ path: `/api/v1/laps/paged?size=20&sort=createdAt,desc&page=${n % 2_500}` }),
  },
  {
    name: 'pages-scanned',
    next: ({ carId }, n) => ({
      path: `/api/v1/laps/paged?carId=${carId}&valid=false&sort=drivenAt,desc&to=${moment(n)}`,
    }),
  },
  {
    name: 'lists-filtered',
    next: ({ carId }, n) => ({ path: `/api/v1/laps?carId=${carId}&valid=false&to=${moment(n)}` }),
  },
  {
    name: 'lists-unread',
    next: () => ({ path: '/api/v1/laps', headers: { 'Accept-Encoding': 'gzip' }, unread: true }),
  },
  { name: 'lists-gzip', next: () => ({ path: '/api/v1/laps', headers: { 'Accept-Encoding': 'gzip' } }) },
  {
    name: 'heads',
    next: (target, n) => ({
      method: 'HEAD',
      path: pick(['/api/v1/laps', `${event(target)}/leaderboard?asOf=${moment(n)}`, '/api/v1/laps/paged?size=1000'], n),
    }),
  },
  {
    name: 'operations',
    next: (_, n) => ({
      path: pick(['/actuator/prometheus', '/api-docs', '/actuator/health', '/swagger-ui', '/.well-known/jwks.json'], n),
    }),
  },
  { name: 'bests', next: ({ participantId }) => ({ path: `/api/v1/participants/${participantId}/bests` }) },
  {
    name: 'live-resumed',
    next: (target, n) => ({
      path: `${event(target)}/live?validOnly=${String(n % 2 === 0)}`,
      headers: { 'Last-Event-ID': String(n % 100) },
      unread: true,
    }),
  },
  { name: 'live-resumed-left', next: (target) => ({ path: `${event(target)}/live?after=0`, leavesAfterMs: LATER_MS }) },
  {
    name: 'live-delayed-left',
    next: (target, n) => ({
      path: `${event(target)}/live?delaySeconds=${1 + (n % 3_600)}&validOnly=false`,
      leavesAfterMs: LATER_MS,
    }),
  },
  { name: 'live', next: (target) => ({ path: `${event(target)}/live` }) },
  {
    name: 'histories',
    next: ({ lapId, eventId, token }, n) => ({
      path: pick([`/api/v1/laps/${lapId}/history`, `/api/v1/events/${eventId}/history?limit=1000`], n),
      headers: { 'X-API-Key': token },
    }),
  },
  {
    name: 'completeness',
    next: (target, n) => ({
      path: pick([`${event(target)}/completeness`, `/api/v1/rigs/${target.rigId}/completeness`], n),
      headers: { 'X-API-Key': target.token },
    }),
  },
  {
    name: 'wrong-keys',
    next: (_, n) => ({ path: '/api/v1/laps/paged', headers: { 'X-API-Key': `wrong-${n}-${randomUUID()}` } }),
  },
  {
    name: 'queries-long',
    next: (target, n) => ({
      path: `${event(target)}/leaderboard?${`x${n}=%41&`.repeat(QUERY_LENGTH).slice(0, QUERY_LENGTH)}`,
    }),
  },
  {
    name: 'nothing-there',
    next: (_, n) => ({ method: pick(['GET', 'OPTIONS', 'PUT', 'TRACE'], n), path: `/api/v1/${randomUUID()}/${n}` }),
  },
  {
    name: 'file-ranges',
    next: ({ file }, n) => ({ path: file, headers: { Range: pick(['bytes=0-', 'bytes=-1', 'bytes=1-4,9-12'], n) } }),
  },
  { name: 'file-unread', next: ({ file }) => ({ path: file, unread: true }) },
  {
    name: 'batches-without-key',
    next: () => ({ method: 'POST', path: '/api/v1/laps/batch', headers: JSON_TYPE, body: BATCH }),
  },
  {
    name: 'batches-invalid',
    next: ({ token }) => ({
      method: 'POST',
      path: '/api/v1/laps/batch',
      headers: { ...JSON_TYPE, 'X-API-Key': token },
      body: BATCH,
    }),
  },
  {
    name: 'batches',
    next: ({ token, eventId, participantId, rigId, carId, trackLayoutId: trackId }) => {
      const lap = { participantId, rigId, eventId, carId, trackId, sectors: [90_000], totalTime: 90_000, valid: true };
      return {
        method: 'POST',
        path: '/api/v1/laps/batch',
        headers: { ...JSON_TYPE, 'X-API-Key': token },
        body: JSON.stringify({ laps: Array.from({ length: 1_000 }, () => lap) }),
      };
    },
  },
  {
    name: 'bodies-slow',
    next: () => ({ bytes: 'POST /api/v1/laps HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n{' }),
  },
  { name: 'connections', atOnce: 1_500, next: () => ({ bytes: 'GET /api/v1/laps HTTP/1.1\r\nHost: a\r\nX-Slow: ' }) },
  {
    name: 'pipelines',
    atOnce: 50,
    next: (target) => ({
      bytes: `GET ${event(target)}/leaderboard?validOnly=false HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(PIPELINED),
    }),
  },
];

/** All of the others in turns. */
const mixture: Attack = {
  name: 'mixture',
  next: (target, n) => {
    const all = [...SEEN, ...OTHERS];
    const attack = all[n % all.length];
    if (attack === undefined) throw new Error('there is no attack');
    return attack.next(target, Math.floor(n / all.length));
  },
};

/** No attack, for comparison. */
const none: Attack = { name: 'none', atOnce: 0, next: ({ lapId }) => ({ path: `/api/v1/laps/${lapId}` }) };

export const ATTACKS: readonly Attack[] = [none, ...SEEN, mixture, ...OTHERS];

/** @throws {Error} no attack has this name. */
export function attackOf(name: string): Attack {
  const found = ATTACKS.find((attack) => attack.name === name);
  if (found === undefined) throw new Error(`there is no attack ${name}`);
  return found;
}
