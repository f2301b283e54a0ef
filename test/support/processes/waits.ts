import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { StoreUnavailable } from '../../../src/kernel/ports/errors.ts';
import { failureOf } from '../failure.ts';
import type { Answer, Client } from '../api/client.ts';

/** Tolerance of limits, in ms: a busy machine may stand still for seconds, while a hang never ends. */
export const MOMENT_MS = 30_000;

/** Limits with which a service does not answer 202 or 503 just because the machine or a test server is slow. */
export const PATIENT = {
  PROJECTION_WAIT_MS: '25000',
  REQUEST_DEADLINE_MS: '30000',
  STORE_TIMEOUT_MS: '20000',
} as const;

/** Limit of each wait, in ms: less than that of a test in mocha, so that a failure names what was waited for. */
export const PATIENCE_MS = 240_000;

/** Interval between two polls, in ms: other processes need the processor, too. */
const ASK_EVERY_MS = 20;

/** A promise, or after `PATIENCE_MS` an error that says what did not come. */
export async function bounded<T>(wait: Promise<T>, what: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(inVain(what())), PATIENCE_MS);
  });
  return Promise.race([wait, limit]).finally(() => clearTimeout(timer));
}

function inVain(what: string, cause?: unknown): Error {
  return new Error(`waited ${PATIENCE_MS / 1_000} s for ${what}`, { cause });
}

/** How to poll: interval in ms, and what of an answer changes as long as it is worth waiting on. */
interface Polling<T> {
  readonly everyMs?: number;
  readonly progressOf?: (answer: T) => unknown;
}

/** Polls until the answer is as expected, true by default; gives up after `PATIENCE_MS`, or that long after the last progress. */
export async function until<T>(
  ask: () => T | Promise<T>,
  wanted: (answer: T) => boolean = Boolean,
  { everyMs = ASK_EVERY_MS, progressOf = () => null }: Polling<T> = {},
): Promise<T> {
  let end = performance.now() + PATIENCE_MS;
  for (let seen: unknown = null; ;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    const progress = progressOf(answer);
    if (progress !== seen) end = performance.now() + PATIENCE_MS;
    seen = progress;
    if (performance.now() > end)
      throw inVain(`${wanted.toString()} of ${ask.toString()}; the last answer was ${inspect(answer)}`);
    await pause(everyMs);
  }
}

/** Repeats a request until it is answered with this status. */
export function untilStatus(status: number, ask: () => Promise<Answer>): Promise<Answer> {
  return until(ask, (answer) => answer.status === status);
}

/** Waits for a file or directory. */
export async function untilThere(path: string): Promise<void> {
  await until(() => existsSync(path));
}

/** Waits until a call fails: on a busy machine, a process that is stopped does not stop at once. */
export async function untilFails(call: () => Promise<unknown>): Promise<void> {
  await until(() =>
    call().then(
      () => false,
      () => true,
    ),
  );
}

/** Retries while a store is unavailable, as a store that is back is not found at once. */
export async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      if (performance.now() > end) throw inVain(`a store: ${attempt.toString()}`, error);
    }
    await pause(ASK_EVERY_MS);
  }
}

/** Expects a call to fail with StoreUnavailable within its limit, or a moment later; resolves to the error. */
export async function expectUnavailable(call: Promise<unknown>, timeoutMs: number): Promise<StoreUnavailable> {
  const started = performance.now();
  const error = await failureOf(call);
  expect(performance.now() - started).to.be.below(timeoutMs + MOMENT_MS);
  if (!(error instanceof StoreUnavailable)) throw new Error('expected StoreUnavailable', { cause: error });
  return error;
}

/** Waits until a node is alive but not ready, as one of its stores is missing. */
export async function expectWaiting(watch: Client, lacking: 'eventStore' | 'readStore'): Promise<void> {
  expect((await watch.read('/actuator/health/liveness'))['status']).to.equal('UP');
  const there = lacking === 'eventStore' ? 'readStore' : 'eventStore';
  const down = new RegExp(`"${lacking}":\\{[^}]*"DOWN"`);
  const up = new RegExp(`"${there}":\\{[^}]*"UP"`);
  const isWaiting = ({ status, text }: Answer): boolean => status === 503 && down.test(text) && up.test(text);
  await until(() => watch.get('/actuator/health/readiness'), isWaiting);
}

/** The same, and checks that it stays so until `isOver`. */
export async function expectWaitingUntil(
  watch: Client,
  lacking: 'eventStore' | 'readStore',
  isOver: () => boolean,
): Promise<void> {
  await expectWaiting(watch, lacking);
  await until(async () => {
    expect((await watch.read('/actuator/health/liveness'))['status']).to.equal('UP');
    expect((await watch.get('/actuator/health/readiness')).status).to.equal(503);
  }, isOver);
}

/** Waits until the read models have reached the head of the event store. Health shows that late, as its answer is cached briefly. */
export async function caughtUp(admin: Client): Promise<void> {
  await until(
    () => admin.get('/api/v1/operations/status'),
    ({ text }) => /"projection":\{[^}]*"lag":0,"lagMs"/.test(text),
    // A projector on a machine that is busy with other things may need many minutes.
    { progressOf: ({ text }) => /"checkpoint":\d+/.exec(text)?.[0] },
  );
}
