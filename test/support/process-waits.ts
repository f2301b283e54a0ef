import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client } from './client.ts';

/** Asks again and again until the answer is the wanted one; mocha's timeout is the bound. */
export async function until<T>(ask: () => T | Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    await nextTurn();
  }
}

/** Waits until the read models have come to the head of the event store. */
export async function caughtUp(client: Client): Promise<void> {
  await until(() => client.get('/actuator/health'), ({ text }) => /"projection":\{[^}]*"lag":0\b/.test(text));
}
