import { openLmdbReadStore } from '../../../infra/lmdb/read-store.ts';

/**
 * A process of its own that reads one document again and again, in one turn of the event loop and so in one snapshot,
 * until it is killed. Usage: `reader <path> <namespace> <collection> <id>`.
 */
const [path = '', namespace = '', collection = '', id = ''] = process.argv.slice(2);
const store = await openLmdbReadStore({ path });
const models = await store.namespace(namespace, [{ name: collection, indexes: [] }]);
await models.get(collection, id);
await new Promise<void>((resolve) => process.send?.('reading', () => resolve()));
for (;;) await models.get(collection, id);
