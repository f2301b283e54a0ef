import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '../../src/kernel/json.ts';
import { ADMIN_TOKEN, lapBody } from './laps.ts';
import type { Call } from './load.ts';
import type { Server } from './world.ts';

/** Number of different bodies sent, and of different laps requested. */
const BODIES = 1_000;
/** Laps per batch: the maximum. */
export const BATCH = 1_000;
export const PAGE_SIZE = 20;
/** Requested rows of a leaderboard. */
export const ROWS = 100;
/** Spellings of a query that has at least twelve letters and digits. */
export const SPELLINGS = 4_096;

const LapShown = z.object({ id: z.string(), totalTime: z.number(), participantName: z.string().min(1) });
const Echoed = z.object({ totalTime: z.number() });
const LapChanged = z.object({ valid: z.boolean() });
const PageShown = z.object({ content: z.array(LapShown), totalElements: z.number() });
const Verdicts = z.object({ results: z.array(z.object({ verdict: z.literal('created'), id: z.string() })) });
const BoardShown = z.object({
  content: z.array(z.object({ position: z.number(), participantName: z.string().min(1) })),
  totalElements: z.number(),
  leaderboard: z.object({ theoreticalBest: z.number().nullable() }),
});

export type Next = () => Call;

/** Makes the requests to a server. */
export type Requests = (server: Server) => Next | Promise<Next>;

/** Cycles through a number of laps; `keyed`: each request has a new Idempotency-Key. */
export function posts(kind: 'service' | 'echo' | 'keyed' = 'service'): Requests {
  const Shown = kind === 'echo' ? Echoed : LapShown;
  return ({ fixtures }) => {
    const calls = Array.from({ length: BODIES }, (_, n) => {
      const body = lapBody(fixtures, n);
      const { start, rest } = jsonRequest('POST', '/api/v1/laps', { token: fixtures.tokens[body.rigId] ?? '', body });
      const fits = (text: string): boolean => Shown.parse(JSON.parse(text)).totalTime === body.totalTime;
      return { start, rest, whole: { text: start + rest, status: '201', fits } };
    });
    const next = inTurns(calls);
    if (kind !== 'keyed') return () => next().whole;
    return () => {
      const { start, rest, whole } = next();
      return { ...whole, text: `${start}Idempotency-Key: ${randomUUID()}\r\n${rest}` };
    };
  };
}

/** Batches of laps, a rig per batch; `keyed`: each lap has a new key. */
export function batches(keyed: boolean): Requests {
  return ({ fixtures }) => {
    const next = inTurns(
      fixtures.rigIds.map((rigId) => ({
        token: fixtures.tokens[rigId] ?? '',
        laps: Array.from({ length: BATCH }, (_, n): JsonObject => ({ ...lapBody(fixtures, n), rigId })),
      })),
    );
    const fits = (text: string): boolean => Verdicts.parse(JSON.parse(text)).results.length === BATCH;
    return () => {
      const { token, laps } = next();
      const sent = keyed ? laps.map((lap) => ({ ...lap, key: randomUUID() })) : laps;
      const { start, rest } = jsonRequest('POST', '/api/v1/laps/batch', { token, body: { laps: sent } });
      return { text: start + rest, status: '200', fits };
    };
  };
}

/** A request with a JSON body (ASCII), split where more headers can be inserted. */
export function jsonRequest(
  method: 'POST' | 'PATCH',
  path: string,
  { token, body }: { readonly token: string; readonly body: JsonObject },
) {
  const json = JSON.stringify(body);
  return {
    start: `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${token}\r\n`,
    rest: `Content-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
  };
}

/** The first laps, by their ids. */
export const lapsById: Requests = async (server) =>
  inTurns(
    (await lapIds(server, 'totalTime')).map((id) =>
      get(`/api/v1/laps/${id}`, (body) => LapShown.parse(JSON.parse(body)).id === id),
    ),
  );

/** The same, each with the tag that it was sent with: there is nothing new. */
export const unchanged: Requests = async (server) => {
  const calls: Call[] = [];
  for (const id of await lapIds(server, 'totalTime')) {
    const path = `/api/v1/laps/${id}`;
    const etag = (await fetch(server.url + path)).headers.get('ETag') ?? '';
    const text = get(path).text.replace(/\r\n$/, `If-None-Match: ${etag}\r\n\r\n`);
    calls.push({ text, status: '304', fits: (body) => body === '' });
  }
  return inTurns(calls);
};

/**
 * Toggles the validity of laps. The newest laps, not the fastest: a driver who loses a best lap has all their laps
 * scanned.
 */
export const lapPatches: Requests = async (server) => {
  const ids = await lapIds(server, 'createdAt');
  let sent = 0;
  return () => {
    const [id = '', valid] = [ids[sent % ids.length], Math.floor(sent / ids.length) % 2 === 0];
    sent += 1;
    const { start, rest } = jsonRequest('PATCH', `/api/v1/laps/${id}`, { token: ADMIN_TOKEN, body: { valid } });
    return { text: start + rest, status: '200', fits: (body) => LapChanged.parse(JSON.parse(body)).valid === valid };
  };
};

async function lapIds({ url }: Server, sort: 'totalTime' | 'createdAt'): Promise<readonly string[]> {
  const answer = await fetch(`${url}/api/v1/laps/paged?size=${BODIES}&sort=${sort}`);
  return PageShown.parse(await answer.json()).content.map(({ id }) => id);
}

/** One page of laps in the default order. */
export function page(number: number, total: number): Next {
  const call = pageCall(`page=${number}&size=${PAGE_SIZE}`, (found) => found === total);
  return () => call;
}

/** All pages of laps in turn: more than a service caches. */
export function pages(total: number, from = 0): Next {
  const count = Math.floor((total - from) / PAGE_SIZE);
  return inTurns(Array.from({ length: count }, (_, n) => page(Math.floor(from / PAGE_SIZE) + n, total)()));
}

/** Page 0 with filters or an order. A name such as `eventId` stands for the id of one of the events. */
export function filtered(query: string, { fixtures }: Server, n: number): Call {
  const filled = query.replaceAll(/\b(event|participant|rig|car|track)Id\b/g, (name, noun: Noun) => {
    const ids = fixtures[`${noun}Ids`];
    return `${name}=${ids[n % ids.length] ?? ''}`;
  });
  return pageCall(`size=${PAGE_SIZE}&${filled}`, () => true);
}

/** What laps are filtered by. */
type Noun = 'event' | 'participant' | 'rig' | 'car' | 'track';

function pageCall(query: string, isTotal: (found: number) => boolean): Call {
  return get(`/api/v1/laps/paged?${query}`, (body) => {
    const { content, totalElements } = PageShown.parse(JSON.parse(body));
    return content.length === Math.min(PAGE_SIZE, totalElements) && isTotal(totalElements);
  });
}

/**
 * The first rows of the first event's leaderboard, which must have at least `rows`. In more spellings than a service
 * keeps bodies, it computes each, as after a lap.
 */
export function board(rows: number, spellings = 1): Requests {
  return ({ fixtures: { eventIds } }) => {
    const path = `/api/v1/events/${eventIds[0] ?? ''}/leaderboard`;
    const fits = (body: string): boolean => {
      const { content, totalElements } = BoardShown.parse(JSON.parse(body));
      return content.length >= rows && totalElements >= rows && content[0]?.position === 1;
    };
    const query = `page=0&size=${ROWS}`;
    return inTurns(Array.from({ length: spellings }, (_, n) => get(`${path}?${spelled(query, n)}`, fits)));
  };
}

/** The n-th spelling of a query: bodies are kept by the spelling of what was asked for. */
export function spelled(query: string, n: number): string {
  let place = 0;
  return query.replaceAll(/\w/g, (letter) =>
    ((n >> place++) & 1) === 0 ? letter : `%${letter.charCodeAt(0).toString(16)}`,
  );
}

export function get(path: string, fits: Call['fits'] = () => true): Call {
  return { text: `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`, status: '200', fits };
}

/** Cycles through the items. */
export function inTurns<T>(items: readonly T[]): () => T {
  let at = 0;
  return () => {
    const item = items[at++ % items.length];
    if (item === undefined) throw new Error('there is nothing to send');
    return item;
  };
}
