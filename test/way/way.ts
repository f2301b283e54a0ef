import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { bodies, createVenue } from '../support/api/venue.ts';
import type { Client } from '../support/api/client.ts';
import { startService } from '../support/api/service.ts';

/** What one warm request runs through of our own code. */
export interface Way {
  readonly files: number;
  readonly functions: number;
  /** Calls of functions; each time that an async function goes on counts as one. */
  readonly calls: number;
}

/** A measured request: its way, and how it divides among the files, most calls first. */
export interface MeasuredWay extends Way {
  readonly byFile: readonly { readonly file: string; readonly functions: number; readonly calls: number }[];
}

/** The requests that are measured. */
export type WayName = 'POST lap' | 'POST lap, key of a rig' | 'GET lap' | 'page of 20 laps';

/** Requests before the first that is counted, and those that are counted: the least of each count is taken. */
const WARM_UP = 30;
const ROUNDS = 30;

/** Interval, in ms, at which repeated timers run meanwhile. */
const RARELY_MS = 1_000;

/** The folder that the code runs from, this repository or its dist/, with a slash at its end. */
const ROOT = new URL('../../', import.meta.url).href;

/** The files that count: those of the product. */
const PRODUCT = /^(src|commands|projections|queries|infra)\//;

/**
 * Counts with V8's precise coverage, in this very process, what warm requests run through on the embedded stores. Noise
 * (timers, sweeps) only ever adds, so the least of several rounds is taken.
 */
export async function measureWays(): Promise<Readonly<Record<WayName, MeasuredWay>>> {
  const service = await withRareIntervals(() => startService());
  const session = new Session();
  session.connect();
  try {
    const venue = await createVenue(service.client);
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    let sent = 0;
    const lap = () => ({ ...bodies.lap(venue), totalTime: 90_000 + (sent += 1) });
    const record = (client: Client) => async () => {
      expect((await client.post('/api/v1/laps', lap())).status).to.equal(201);
    };
    // Spectators have no key.
    const anyone = service.client.as(null);
    const get = (path: string) => async () => {
      expect((await anyone.get(path)).status).to.equal(200);
    };
    return {
      'POST lap': await least(session, { send: record(service.client) }),
      'POST lap, key of a rig': await least(session, { send: record(venue.rig) }),
      'GET lap': await least(session, { send: get(`/api/v1/laps/${venue.lapId}`) }),
      // Of laps of which one is new: a page that nothing has changed in is kept as bytes.
      'page of 20 laps': await least(session, { before: record(venue.rig), send: get('/api/v1/laps/paged') }),
    };
  } finally {
    session.disconnect();
    await service.close();
  }
}

/**
 * Starts something whose repeated timers run rarely, such as the poll of the log for commits of other processes: on a busy
 * machine it would meet every request several times.
 */
async function withRareIntervals<T>(start: () => Promise<T>): Promise<T> {
  const { setInterval } = globalThis;
  Object.assign(globalThis, { setInterval: (run: () => void) => setInterval(run, RARELY_MS) });
  try {
    return await start();
  } finally {
    Object.assign(globalThis, { setInterval });
  }
}

/** A request, and what has to happen before each time it is sent. */
interface Measured {
  readonly before?: () => Promise<void>;
  readonly send: () => Promise<void>;
}

async function least(session: Session, { before, send }: Measured): Promise<MeasuredWay> {
  for (let n = 0; n < WARM_UP; n += 1) await send();
  let best: MeasuredWay | null = null;
  for (let n = 0; n < ROUNDS; n += 1) {
    await before?.();
    // Each round at another moment: the log is polled in a rhythm of its own, which should not meet every request.
    await pause(n % 7);
    await session.post('Profiler.takePreciseCoverage');
    await send();
    const way = wayOf((await session.post('Profiler.takePreciseCoverage')).result);
    best = best === null ? way : leastOf(best, way);
  }
  return best ?? expect.fail('nothing was measured');
}

/** The least of each count: noise may add a file to the round with the fewest calls. */
function leastOf(one: MeasuredWay, two: MeasuredWay): MeasuredWay {
  return {
    files: Math.min(one.files, two.files),
    functions: Math.min(one.functions, two.functions),
    calls: Math.min(one.calls, two.calls),
    byFile: two.calls < one.calls ? two.byFile : one.byFile,
  };
}

function wayOf(scripts: readonly Profiler.ScriptCoverage[]): MeasuredWay {
  const byFile = scripts
    .flatMap(({ url, functions }) => {
      const file = url.startsWith(ROOT) ? fileURLToPath(url).slice(fileURLToPath(ROOT).length) : '';
      const counts = functions.map(({ ranges }) => ranges[0]?.count ?? 0).filter((count) => count > 0);
      return PRODUCT.test(file) && counts.length > 0 ? [{ file, functions: counts.length, calls: sum(counts) }] : [];
    })
    .sort((a, b) => b.calls - a.calls);
  return {
    files: byFile.length,
    functions: sum(byFile.map(({ functions }) => functions)),
    calls: sum(byFile.map(({ calls }) => calls)),
    byFile,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
