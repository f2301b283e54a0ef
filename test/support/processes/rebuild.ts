import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { openLmdbEventStore } from '../../../infra/lmdb/event-store.ts';
import { openLmdbReadStore } from '../../../infra/lmdb/read-store.ts';
import { BUILT_IN, builtInProjections } from '../../../src/service/resources/read-models.ts';
import type { EventStore } from '../../../src/service/kernel/ports/event-store.ts';
import { collectionsOf, ProjectionRunner } from '../../../src/service/kernel/projection/projection-runner.ts';
import type { Document, ReadModels } from '../../../src/service/kernel/ports/read-store.ts';
import { openStores, type StoreSettings } from '../../../src/service/stores/stores.ts';
import { withGenerations } from '../../../src/service/projector/generations.ts';
import { systemClock } from '../../../infra/system/system.ts';
import { memoryReadModels } from '../read-store/memory-read-store.ts';
import { PATIENCE_MS } from './waits.ts';
import { RETIRE_AFTER_MS } from './world.ts';

/**
 * Compares the read models of a stopped service with those that a fresh projector makes of the same history: every
 * document, its bookkeeping included. Resolves to the number of documents.
 */
export async function expectRebuiltTheSame(dataDir: string): Promise<number> {
  const store = await openLmdbEventStore({ path: join(dataDir, 'events') });
  const readStore = await openLmdbReadStore({ path: join(dataDir, 'read-models') });
  try {
    const collections = collectionsOf(builtInProjections);
    const live = await readStore.namespace(BUILT_IN, collections);
    return await compare(store, live, await readStore.namespace('rebuilt', collections));
  } finally {
    await store.close();
    await readStore.close();
  }
}

/** The same for any stores; rebuilds in memory. */
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
  await project(store, live);
  await project(store, rebuilt);
  expect(await live.checkpoint()).to.equal(await rebuilt.checkpoint());
  let documents = 0;
  for (const { name } of collectionsOf(builtInProjections)) documents += await expectSame(name, live, rebuilt);
  return documents;
}

async function project(store: EventStore, models: ReadModels): Promise<void> {
  const stop = new AbortController();
  const runner = new ProjectionRunner({ store, models, projections: builtInProjections, clock: systemClock });
  const running = runner.run(stop.signal);
  const reached = await runner.waitFor((await store.head()) ?? 0, PATIENCE_MS);
  stop.abort();
  await running;
  expect(runner.status().error).to.equal(null);
  expect(reached, 'the head was reached').to.equal(true);
}

async function expectSame(collection: string, live: ReadModels, rebuilt: ReadModels): Promise<number> {
  const [before, after] = [await all(collection, live), await all(collection, rebuilt)];
  expect([...before.keys()].sort(), collection).to.deep.equal([...after.keys()].sort());
  for (const [id, document] of before) {
    if (!isDeepStrictEqual(document, after.get(id))) expect(document, collection).to.deep.equal(after.get(id));
  }
  return before.size;
}

async function all(collection: string, models: ReadModels): Promise<Map<string, Document>> {
  const documents = new Map<string, Document>();
  for await (const batch of models.stream(collection, { where: {} })) {
    for (const document of batch) {
      expect(documents.has(document.id), `${document.id} twice in ${collection}`).to.equal(false);
      documents.set(document.id, document);
    }
  }
  return documents;
}
