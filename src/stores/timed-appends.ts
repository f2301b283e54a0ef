import type { EventStore } from '../kernel/ports/event-store.ts';
import type { Metrics } from '../observability/metrics.ts';

const MS_PER_SECOND = 1_000;

/** The event store, with each successful append timed. */
export function withTimedAppends(store: EventStore, metrics: Metrics): EventStore {
  return {
    async append(...args) {
      const startedAt = performance.now();
      const appended = await store.append(...args);
      metrics.observeAppend((performance.now() - startedAt) / MS_PER_SECOND);
      return appended;
    },
    readStream: (...args) => store.readStream(...args),
    readNewest: (stream) => store.readNewest(stream),
    readAll: (after, types) => store.readAll(after, types),
    subscribe: (after, types, signal) => store.subscribe(after, types, signal),
    head: () => store.head(),
    close: () => store.close(),
  };
}
