import { systemClock } from '../../../infra/system/system.ts';
import type { EventStore } from '../../../src/kernel/ports/event-store.ts';
import type { ReadModels } from '../../../src/kernel/ports/read-store.ts';
import { ProjectionRunner } from '../../../src/kernel/projection/projection-runner.ts';
import { builtInProjections } from '../../../src/service/resources/built-in.ts';

/**
 * Brings the built-in read models to the head of an event store, within a limit in ms. Processes that the bench measures
 * load this, and nothing else of the tests.
 */
export async function project(store: EventStore, models: ReadModels, limitMs: number): Promise<void> {
  const runner = new ProjectionRunner({ store, models, projections: builtInProjections, clock: systemClock });
  const stop = new AbortController();
  const running = runner.run(stop.signal);
  const isThere = await runner.waitFor((await store.head()) ?? 0, limitMs);
  stop.abort();
  await running;
  const { error } = runner.status();
  if (error !== null || !isThere) throw error ?? new Error('the head was not reached');
}
