import type { EventStore } from '../../../src/service/kernel/ports/event-store.ts';

/** The store, with another `append`. */
export function appendingBy(store: EventStore, append: EventStore['append']): EventStore {
  return {
    append,
    readStream: (...args) => store.readStream(...args),
    readNewest: (stream) => store.readNewest(stream),
    readAll: (after, types) => store.readAll(after, types),
    subscribe: (after, types, signal) => store.subscribe(after, types, signal),
    head: () => store.head(),
    close: () => store.close(),
  };
}
