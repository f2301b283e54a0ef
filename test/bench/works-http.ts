import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { Timed } from './child-protocol.ts';
import { lapBody, type Fixtures } from './laps.ts';
import { bodyOf, Client, Connection, headOf, type Call } from './load.ts';
import { atMost, cpuResult, round, type Goal, type Result } from './result.ts';
import { compare, type Comparison, type Side } from './rounds.ts';
import type { Server, World } from './world.ts';

export const CONNECTIONS = 64;
/** Different bodies that are sent, and different laps that are asked for. */
const BODIES = 1_000;
export const PAGE_SIZE = 20;

const LapShown = z.object({ id: z.string(), totalTime: z.number(), participantName: z.string().min(1) });
const Echoed = z.object({ totalTime: z.number() });
/** What a page of laps must have. */
export const PageShown = z.object({ content: z.array(LapShown), totalElements: z.number() });

interface Driven {
  readonly server: Server;
  readonly label: string;
  readonly connections: number;
  readonly next: () => Call;
  /** What a request counts as; 1, unless said. */
  readonly unitsPerCall?: number;
}

/** Lets V8 see the work: over many connections, for one alone would take long, unless what it sends is much. */
export async function warmUp(
  { scale }: World,
  { url }: Server,
  { next, unitsPerCall = 1 }: Pick<Driven, 'next' | 'unitsPerCall'>,
): Promise<void> {
  const many = await Client.open(url, Math.ceil(CONNECTIONS / unitsPerCall));
  await many.run(scale.warmUpMs, next);
  many.close();
}

/** Connects to a server that has seen the work. */
export async function drive(
  world: World,
  { server, label, connections, next, unitsPerCall = 1 }: Driven,
): Promise<Side> {
  await warmUp(world, server, { next, unitsPerCall });
  const client = await Client.open(server.url, connections);
  const { child } = server;
  return {
    label,
    child,
    async round() {
      const before = await child.cpuMicros();
      const { seconds, latencies } = await client.run(world.scale.roundMs, next);
      return {
        units: latencies.length * unitsPerCall,
        seconds,
        latencies,
        cpuMicros: (await child.cpuMicros()) - before,
      };
    },
  };
}

type Kind = 'service' | 'echo' | 'keyed';

/** Requests that record laps, over and over through a number of bodies; `keyed`: each with a key of its own. */
export function lapPosts(fixtures: Fixtures, kind: Kind): () => Call {
  const Shown = kind === 'echo' ? Echoed : LapShown;
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
}

/** A request with a body of JSON (ASCII) in two parts, between which there is room for more headers. */
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

/** A POST of a lap against the Express echo. */
async function postAgainstEcho(world: World, connections: number): Promise<Comparison> {
  const fixtures = await world.fixtures();
  const server = await world.service(await world.store(0));
  const echo = await world.server('express-echo');
  return compare(
    await drive(world, { server, label: 'POST lap', connections, next: lapPosts(fixtures, 'service') }),
    await drive(world, { server: echo, label: 'express echo', connections, next: lapPosts(fixtures, 'echo') }),
    world.scale.rounds,
  );
}

export async function postLap(world: World): Promise<Result[]> {
  const compared = await postAgainstEcho(world, CONNECTIONS);
  return [cpuResult(`POST lap, ${CONNECTIONS} connections`, atMost(1), compared)];
}

export async function postLapAlone(world: World): Promise<Result[]> {
  const compared = await postAgainstEcho(world, 1);
  const raw = await world.storesIn(world.newPath(), 'raw-stores');
  const count = world.scale.batch / 50;
  const { seconds, cpuMicros } = await raw.ask('append', Timed, { count, inFlight: 1 });
  const [p50, rawMs] = [compared.subject.p50Ms ?? NaN, (seconds / count) * 1_000];
  return [
    cpuResult('POST lap, 1 connection', atMost(4), compared),
    {
      work: 'POST lap, 1 connection, until it is answered',
      figure: `${round(p50)} ms p50`,
      baseline: `${round(rawMs)} ms a durable write by raw lmdb, alone`,
      ratio: p50 / rawMs,
      shown: `${(p50 / rawMs).toFixed(2)}×`,
      goal: atMost(1.5),
      ratios: [p50 / rawMs],
      sides: [compared.subject],
      notes: [`such a write takes ${round(cpuMicros / count)} µs of CPU`],
    },
  ];
}

export async function postLapKeyed(world: World): Promise<Result[]> {
  const fixtures = await world.fixtures();
  const server = await world.service(await world.store(0));
  const side = async (label: string, kind: Kind): Promise<Side> =>
    drive(world, { server, label, connections: CONNECTIONS, next: lapPosts(fixtures, kind) });
  const compared = await compare(await side('with key', 'keyed'), await side('without', 'service'), world.scale.rounds);
  return [cpuResult('POST lap with an Idempotency-Key', atMost(1.1), compared)];
}

export async function getLap(world: World): Promise<Result[]> {
  const server = await world.service(await world.store(world.scale.middle));
  const next = inTurns((await lapsById(server.url)).map(({ call }) => call));
  return [await againstSameBytes(world, { work: 'GET lap by id', goal: atMost(1.5), server, next })];
}

/** The first laps in an order, and a request for each. */
export async function lapsById(
  url: string,
  sort: 'totalTime' | 'createdAt' = 'totalTime',
): Promise<readonly { readonly id: string; readonly call: Call }[]> {
  const answer = await fetch(`${url}/api/v1/laps/paged?size=${BODIES}&sort=${sort}`);
  const { content } = PageShown.parse(await answer.json());
  return content.map(({ id }) => ({
    id,
    call: get(`/api/v1/laps/${id}`, (body) => LapShown.parse(JSON.parse(body)).id === id),
  }));
}

/** A page: the same one over and over, as those who wait for laps ask for it, and another one each time. */
export async function getPage(world: World): Promise<Result[]> {
  const { middle } = world.scale;
  const server = await world.service(await world.store(middle));
  const of = `of ${middle} laps, size ${PAGE_SIZE}`;
  const work = { goal: atMost(3), server };
  return [
    await againstSameBytes(world, { ...work, work: `GET page 0 ${of}`, next: pageOf(0, middle) }),
    await againstSameBytes(world, { ...work, work: `GET another page each time ${of}`, next: pagesOf(middle) }),
  ];
}

/** Requests for all pages of laps, one after the other: more than a service keeps in memory. */
export function pagesOf(total: number, from = 0): () => Call {
  const count = Math.floor((total - from) / PAGE_SIZE);
  return inTurns(Array.from({ length: count }, (_, n) => pageOf(Math.floor(from / PAGE_SIZE) + n, total)()));
}

/** Requests for one page of laps in the default order. */
export function pageOf(page: number, total: number): () => Call {
  const call = get(`/api/v1/laps/paged?page=${page}&size=${PAGE_SIZE}`, (body) => {
    const { content, totalElements } = PageShown.parse(JSON.parse(body));
    return content.length === PAGE_SIZE && totalElements === total;
  });
  return () => call;
}

interface Read {
  readonly work: string;
  readonly goal: Goal;
  readonly server: Server;
  readonly next: () => Call;
}

/** A read against a plain server that answers the same bytes, head included. */
export async function againstSameBytes(world: World, { work, goal, server, next }: Read): Promise<Result> {
  const call = next();
  const answer = await answerOf(server.url, call);
  const baseline = await world.server('fixed-answer');
  await baseline.child.ask('answer', z.null(), { status: 200, headers: ownHeaders(answer), body: bodyOf(answer) });
  const same = await answerOf(baseline.url, call);
  if (same.length !== answer.length) throw new Error(`not the same bytes:\n${headOf(answer)}\n${headOf(same)}`);
  const compared = await compare(
    await drive(world, { server, label: work, connections: CONNECTIONS, next }),
    await drive(world, { server: baseline, label: 'node:http', connections: CONNECTIONS, next: () => call }),
    world.scale.rounds,
  );
  return cpuResult(work, goal, compared);
}

async function answerOf(url: string, { text }: Call): Promise<Buffer> {
  const connection = await Connection.open(url);
  const answer = await connection.send(text);
  connection.close();
  return answer;
}

/** The headers that Node does not set of itself, names and values in turns. */
function ownHeaders(answer: Buffer): string[] {
  const lines = headOf(answer).split('\r\n').slice(1);
  return lines
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
    .filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name ?? ''))
    .flat();
}

export function get(path: string, fits: Call['fits']): Call {
  return { text: `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`, status: '200', fits };
}

/** The items one after the other, over and over. */
export function inTurns<T>(items: readonly T[]): () => T {
  let at = 0;
  return () => {
    const item = items[at++ % items.length];
    if (item === undefined) throw new Error('there is nothing to send');
    return item;
  };
}
