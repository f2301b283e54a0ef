import { setImmediate as nextTurn } from 'node:timers/promises';
import { textOf, type Client } from './client.ts';

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
  await until(async () => lagOf(await client.get('/actuator/health').then(({ text }) => text)), (lag) => lag === 0);
}

function lagOf(health: string): unknown {
  const { components }: { components: { projection: { lag: unknown } } } = JSON.parse(health);
  return components.projection.lag;
}

/** The licence file's body field, once for many registrations. */
export async function licenseFileOf(client: Client, licenseId: string) {
  const answer = await client.send('POST', `/api/v1/licenses/${licenseId}/file`);
  textOf(answer.body, 'signature');
  return answer.body;
}
