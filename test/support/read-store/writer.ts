import { openLmdbReadStore } from '../../../infra/lmdb/read-store.ts';
import { eventChanges, WRITTEN } from './history.ts';

/**
 * A projector in a process of its own, for tests that end it: goes on from the store's checkpoint (or, as a stale one,
 * from the start) to the last event, a few events per apply, and says so after each.
 */
const [path = '', namespace = '', last = '0', step = '1', stale = ''] = process.argv.slice(2);
const store = await openLmdbReadStore({ path });
const models = await store.namespace(namespace, [WRITTEN]);
for (let position = stale === 'stale' ? 0 : ((await models.checkpoint()) ?? 0); position < Number(last);) {
  const events = Array.from({ length: Math.min(Number(step), Number(last) - position) }, (_, at) => position + at + 1);
  await models.apply(events.flatMap(eventChanges), position + events.length);
  position += events.length;
  process.send?.(position);
}
await store.close();
process.disconnect();
