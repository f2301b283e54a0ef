import { openEventStoreDb, type EventStoreDbOptions } from '../../../infra/eventstoredb/event-store.ts';
import type { EventStore } from '../../../src/kernel/ports/event-store.ts';
import { startEventStoreDouble, type EventStoreDouble, type EventStoreDoubleOptions } from './double.ts';

/** Doubles that tests start, and stores that they open; both end with each test, the stores first. */
export function useDoubles() {
  const doubles: EventStoreDouble[] = [];
  const stores: EventStore[] = [];
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await Promise.all(doubles.splice(0).map((double) => double.close()));
  });
  return {
    async start(options?: EventStoreDoubleOptions): Promise<EventStoreDouble> {
      const double = await startEventStoreDouble(options);
      doubles.push(double);
      return double;
    },
    open(options: EventStoreDbOptions): EventStore {
      const store = openEventStoreDb(options);
      stores.push(store);
      return store;
    },
  };
}
