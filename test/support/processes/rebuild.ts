import { builtInProjections } from '../../../src/service/resources/built-in.ts';
import type { EventStore } from '../../../src/kernel/ports/event-store.ts';
import type { ReadModels } from '../../../src/kernel/ports/read-store.ts';
import { openStores, type StoreSettings } from '../../../src/service/stores/stores.ts';
import { withGenerations } from '../../../src/service/projector/generations.ts';
import { project } from '../kernel/project.ts';
import { expectSameModels, readAll } from '../kernel/projecting.ts';
import { memoryReadModels } from '../read-store/memory-read-store.ts';
import { PATIENCE_MS } from './waits.ts';
import { RETIRE_AFTER_MS } from './world.ts';

/**
 * Compares the read models of a stopped service with those that a fresh projector makes of the same history: every
 * document, its bookkeeping included. Resolves to the number of documents.
 */
export async function expectSameAsRebuilt(settings: StoreSettings): Promise<number> {
  const stores = await withGenerations(await openStores(settings), { retireAfterMs: RETIRE_AFTER_MS });
  try {
    return await compare(stores.store, stores.models, memoryReadModels());
  } finally {
    await stores.close();
  }
}

export async function compare(store: EventStore, live: ReadModels, rebuilt: ReadModels): Promise<number> {
  // Events recorded as the service ended (the use of keys) may not be projected yet.
  for (const models of [live, rebuilt]) await project(store, models, PATIENCE_MS);
  const projected = await readAll(live, builtInProjections);
  expectSameModels(projected, await readAll(rebuilt, builtInProjections));
  return projected.documents.size;
}
