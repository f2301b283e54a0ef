import { z } from 'zod';
import { bodyOf, Client, Connection, headOf, statusOf, type Call } from './load.ts';
import type { Next, Requests } from './requests.ts';
import { cpuResult, rateResult, type Goal, type Result } from './result.ts';
import { compare, type Comparison, type Side } from './rounds.ts';
import type { Server, World } from './world.ts';

export const CONNECTIONS = 64;

/** What a server is asked, over so many connections. */
interface Asked {
  readonly next: Requests;
  /** 64, unless said. */
  readonly connections?: number;
  /** What a request counts as; 1, unless said. */
  readonly unitsPerCall?: number;
}

/** A row of requests to a server and a baseline, which takes what it leaves out from the other side. */
export interface RequestWork extends Asked {
  /** For `--only`. */
  readonly name: string;
  readonly work: string;
  readonly server: (world: World) => Promise<Server>;
  /** `same bytes`: a plain server that always answers the same bytes, head included. */
  readonly baseline: 'same bytes' | (Partial<Asked & Pick<RequestWork, 'server'>> & { readonly label: string });
  readonly goal: Goal;
  /** Warm-up requests of each side, where the usual time would give one side many more than the other. */
  readonly practice?: number;
  /** More rows that follow from the comparison. */
  readonly also?: (world: World, compared: Comparison) => Promise<readonly Result[]>;
}

/** A row that compares the throughput of two sides. */
export interface RateWork {
  readonly name: string;
  readonly work: string;
  readonly baseline: string;
  readonly sides: (world: World) => Promise<readonly [subject: Side, baseline: Side]>;
  readonly goal: Goal;
  readonly rounds: number;
  /** Warm-up rounds of each side; 1 by default. */
  readonly practice?: number;
}

/** What is measured under a name; rows are shown in the order of the works. */
export interface Work {
  readonly name: string;
  readonly measure: (world: World) => Promise<readonly Result[]>;
}

export function requestWork(row: RequestWork): Work {
  const { name, work, goal, baseline, practice = 0, also = async () => [] } = row;
  const measure = async (world: World): Promise<readonly Result[]> => {
    const server = await row.server(world);
    const next = await row.next(server);
    const beside =
      baseline === 'same bytes'
        ? { ...row, label: 'node:http', ...(await sameBytes(world, server, next())) }
        : { ...row, server: async () => server, ...baseline };
    const other = await beside.server(world);
    const [subject, base] = [
      await drive(world, server, { ...row, next }),
      await drive(world, other, { ...beside, next: await beside.next(other) }),
    ];
    for (const side of [subject, base]) for (let done = 0; done < practice;) done += (await side()).units;
    const compared = await compare(subject, base, world.scale.rounds);
    return [cpuResult({ work, label: beside.label, goal }, compared), ...(await also(world, compared))];
  };
  return { name, measure };
}

export function rateWork(row: RateWork): Work {
  const { name, work, baseline: label, goal, sides, rounds, practice = 1 } = row;
  const measure = async (world: World): Promise<readonly Result[]> => {
    const [subject, baseline] = await sides(world);
    for (let n = 0; n < practice; n += 1) for (const side of [subject, baseline]) await side();
    return [rateResult({ work, label, goal }, await compare(subject, baseline, rounds))];
  };
  return { name, measure };
}

type Driven = Omit<Asked, 'next'> & { readonly next: Next };

/** Warms a server up and connects to it. */
async function drive(world: World, server: Server, driven: Driven): Promise<Side> {
  const { connections = CONNECTIONS, unitsPerCall = 1, next } = driven;
  await warmUp(world, server, { next, unitsPerCall });
  const client = await Client.open(server.url, connections);
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
  const many = await Client.open(url, Math.ceil(CONNECTIONS / unitsPerCall));
  await many.run(scale.warmUpMs, next);
  many.close();
}

/** A plain server that repeats a server's answer to a request, and that request. */
export async function sameBytes(world: World, { url }: Server, call: Call) {
  const answer = await answerOf(url, call);
  const server = await world.server('fixed-answer');
  const status = Number(statusOf(answer));
  await server.child.ask('answer', z.null(), { status, headers: ownHeaders(answer), body: bodyOf(answer) });
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
