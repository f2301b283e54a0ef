import { compare, resultOf, round, type Comparison, type Goal, type Result, type Side } from './comparison.ts';
import { bodyOf, Client, Connection, headOf, statusOf, type Call } from './load.ts';
import type { Next, Requests } from './requests.ts';
import type { Server, World } from './world.ts';

export const CONNECTIONS = 64;

/** What is measured under a name; rows are shown in the order of the works. */
export interface Work {
  /** For `--only`. */
  readonly name: string;
  readonly measure: (world: World) => Promise<readonly Result[]>;
}

/** What all rows say that compare a subject with a baseline. */
interface Row {
  readonly name: string;
  readonly work: string;
  readonly goal: Goal;
  /** Units that each side does before it is measured. */
  readonly practice?: number;
}

/** What a server is asked, over so many connections. */
interface Asked {
  readonly next: Requests;
  /** 64, unless said. */
  readonly connections?: number;
  /** What a request counts as; 1, unless said. */
  readonly unitsPerCall?: number;
}

/** A row about the CPU of requests to a server; the baseline takes what it leaves out from the other side. */
export interface RequestRow extends Row, Asked {
  readonly server: (world: World) => Promise<Server>;
  /** `same bytes`: a plain server that always answers the same bytes, head included. */
  readonly baseline: 'same bytes' | (Partial<Asked & Pick<RequestRow, 'server'>> & { readonly label: string });
  /** Another row that follows from the comparison. */
  readonly also?: (world: World, comparison: Comparison) => Promise<Result>;
}

export type Sides = readonly [subject: Side, baseline: Side];

/** A row about the throughput of two sides. */
export interface RateRow extends Row {
  readonly baseline: string;
  readonly sides: (world: World) => Promise<Sides>;
  readonly rounds: number;
}

export function requestWork(row: RequestRow): Work {
  const { name, work, goal, baseline, also } = row;
  const measure = async (world: World): Promise<readonly Result[]> => {
    const server = await row.server(world);
    const next = await row.next(server);
    const beside =
      baseline === 'same bytes'
        ? { ...row, label: 'node:http', ...(await sameBytes(world, server, next())) }
        : { ...row, server: async () => server, ...baseline };
    const other = await beside.server(world);
    const ours = await drive(world, server, { ...row, next });
    const sides: Sides = [ours, await drive(world, other, { ...beside, next: await beside.next(other) })];
    const comparison = await practised(sides, row, world.scale.rounds);
    const { cpu } = comparison;
    const figure = `${round(cpu.ours)} µs CPU`;
    const theirs = `${round(cpu.theirs)} µs ${beside.label}`;
    const result = resultOf({ work, goal, figure, baseline: theirs, ratio: cpu.ratio });
    return also === undefined ? [result] : [result, await also(world, comparison)];
  };
  return { name, measure };
}

export function rateWork(row: RateRow): Work {
  const { name, work, goal, baseline, rounds } = row;
  const measure = async (world: World): Promise<readonly Result[]> => {
    const { rate, cpu } = await practised(await row.sides(world), row, rounds);
    const figure = `${round(rate.ours)}/s`;
    const theirs = `${round(rate.theirs)}/s ${baseline}`;
    const shown = `${(rate.ratio * 100).toFixed(0)} %`;
    const notes = [`CPU of ${baseline} is ${(100 / cpu.ratio).toFixed(0)} % of ours`];
    return [resultOf({ work, goal, figure, baseline: theirs, ratio: rate.ratio, shown, notes })];
  };
  return { name, measure };
}

async function practised(sides: Sides, { practice = 0 }: Row, rounds: number): Promise<Comparison> {
  for (const side of sides) for (let done = 0; done < practice;) done += (await side()).units;
  return compare(sides, rounds);
}

type Driven = Omit<Asked, 'next'> & { readonly next: Next };

/** Warms a server up and connects to it. */
async function drive(world: World, server: Server, driven: Driven): Promise<Side> {
  const { connections = CONNECTIONS, unitsPerCall = 1, next } = driven;
  await warmUp(world, server, { next, unitsPerCall });
  const client = new Client(server.url, connections);
  const { child } = server;
  return async () => {
    const before = await child.cpuMicros();
    const { seconds, latencies } = await client.run(world.scale.roundMs, next);
    const cpuMicros = (await child.cpuMicros()) - before;
    return { units: latencies.length * unitsPerCall, seconds, cpuMicros, latencies };
  };
}

/** Warms V8 up over many connections, as one alone would take long. */
export async function warmUp(
  { scale }: World,
  { url }: Server,
  { next, unitsPerCall = 1 }: Pick<Driven, 'next' | 'unitsPerCall'>,
): Promise<void> {
  const many = new Client(url, Math.ceil(CONNECTIONS / unitsPerCall));
  await many.run(scale.warmUpMs, next);
  many.close();
}

/** A plain server that repeats a server's answer to a request, and that request. */
async function sameBytes(world: World, { url }: Server, call: Call) {
  const answer = await answerOf(url, call);
  const fixed = { status: Number(statusOf(answer)), headers: ownHeaders(answer), body: bodyOf(answer) };
  const server = await world.server('fixed-answer', fixed);
  const same = await answerOf(server.url, call);
  if (same.length !== answer.length) throw new Error(`not the same bytes:\n${headOf(answer)}\n${headOf(same)}`);
  return { server: async () => server, next: () => () => call };
}

async function answerOf(url: string, { text }: Call): Promise<Buffer> {
  const connection = await Connection.open(url);
  const answer = await connection.send(text);
  connection.close();
  return answer;
}

/** The headers that Node does not set itself, alternating names and values. */
function ownHeaders(answer: Buffer): string[] {
  const lines = headOf(answer).split('\r\n').slice(1);
  return lines
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
    .filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name ?? ''))
    .flat();
}
