import type { EventStore } from './event-store.ts';
import type { ReadStore } from './read-store.ts';
import type { System } from './system.ts';

/** The stores of the service, with the machine's clock, ids and processes. */
export interface Stores extends System {
  readonly store: EventStore;
  readonly readStore: ReadStore;
  close(): Promise<void>;
}
