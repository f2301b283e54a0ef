import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { StoreUnavailable } from '../../../src/service/kernel/ports/errors.ts';
import type { Answer, Client } from '../api/client.ts';

/** Tolerance of limits, in ms: a busy machine may stand still for seconds, while a hang never ends. */
export const MOMENT_MS = 30_000;

/** Limits with which a service does not answer 202 or 503 just because the machine or a test server is slow. */
export const PATIENT = {
  PROJECTION_WAIT_MS: '25000',
  REQUEST_DEADLINE_MS: '30000',
  STORE_TIMEOUT_MS: '20000',
} as const;

/** Interval between two polls, in ms: other processes need the processor, too. */
const ASK_EVERY_MS = 20;

/** Polls until the answer is the wanted one; mocha's timeout is the limit. */
export async function until<T>(
  ask: () => T | Promise<T>,
  wanted: (answer: T) => boolean,
  everyMs = ASK_EVERY_MS,
): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    await pause(everyMs);
  }
}

/** Retries while a store is unavailable, as a store that is back is not found at once. */
export async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
    await pause(ASK_EVERY_MS);
  }
}

/** Waits until a node is alive but not ready, as one of its stores is missing. */
export async function expectWaiting(watch: Client, lacking: 'eventStore' | 'readStore'): Promise<void> {
  expect((await watch.read('/actuator/health/liveness'))['status']).to.equal('UP');
  const there = lacking === 'eventStore' ? 'readStore' : 'eventStore';
  const [down, up] = [new RegExp(`"${lacking}":\\{[^}]*"DOWN"`), new RegExp(`"${there}":\\{[^}]*"UP"`)];
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

/** Waits until the read models have reached the head of the event store. Health tells that late: it is kept for a moment. */
export async function caughtUp(admin: Client): Promise<void> {
  await until(
    () => admin.get('/api/v1/operations/status'),
    ({ text }) => /"projection":\{[^}]*"lag":0,"lagMs"/.test(text),
  );
}
