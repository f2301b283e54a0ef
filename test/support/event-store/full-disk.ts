import { openLmdbEventStore } from '../../../infra/lmdb/event-store.ts';
import { StoreUnavailable } from '../../../src/service/kernel/ports/errors.ts';
import { gathered, newEvent, newStream } from './events.ts';

/** Outcome of the appends of a process whose limit on file size is too small. */
export interface FullDisk {
  readonly acknowledged: number;
  readonly unavailable: number;
  readonly read: number;
  readonly reopened: number;
}

const ROUNDS = 40;

/** Appends until long after the limit on file size that its parent has set, and sends what happened. */
async function main(path: string): Promise<void> {
  // The signal of the limit would end the process; with a listener the write fails as on a full disk.
  process.on('SIGXFSZ', () => undefined);
  const store = await openLmdbEventStore({ path });
  const results: PromiseSettledResult<unknown>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const large = newEvent('Large', { text: 'x'.repeat(10_000) });
    const appends = [1, 2, 3].map(() => store.append(newStream(), [large], 'no_stream'));
    results.push(...(await Promise.allSettled(appends)));
  }
  const read = (await gathered(store.readAll(null))).length;
  await store.close();
  const again = await openLmdbEventStore({ path });
  const reopened = (await gathered(again.readAll(null))).length;
  await again.close();
  const acknowledged = results.filter(({ status }) => status === 'fulfilled').length;
  const unavailable = results.filter((result) => result.status === 'rejected' && isUnavailable(result.reason)).length;
  process.stdout.write(JSON.stringify({ acknowledged, unavailable, read, reopened } satisfies FullDisk));
}

function isUnavailable(error: unknown): boolean {
  return error instanceof StoreUnavailable && error.cause instanceof Error;
}

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: event-store-full-disk <path>');
await main(path);
