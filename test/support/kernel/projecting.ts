import { memoryReadStore } from '../read-store/memory-read-store.ts';
import type { Clock } from '../../../src/service/kernel/ports/system.ts';
import type { DecidedEvent } from '../../../src/service/kernel/event-types.ts';
import {
  matcherOf,
  type EventMetadata,
  type EventStore,
  type RecordedEvent,
} from '../../../src/service/kernel/ports/event-store.ts';
import { collectionsOf, ProjectionRunner } from '../../../src/service/kernel/projection/projection-runner.ts';
import type { Projection, ReadModel } from '../../../src/service/kernel/projection/projection.ts';
import type { Document } from '../../../src/service/kernel/ports/read-store.ts';

/** An event of a stream (`<category>-<id>`), as a test writes a history. */
export interface HistoryEvent extends DecidedEvent {
  readonly stream: string;
  /** ISO 8601; the n-th event happens at minute n otherwise. */
  readonly at?: string;
  readonly version?: number;
  /** The key that requested it; by default none. */
  readonly by?: Pick<EventMetadata, 'licenseId' | 'role'>;
}

/** When the n-th event of a history (from 0) happens, unless it says otherwise. */
export function minute(n: number): string {
  return new Date(Date.UTC(2026, 0, 1, 12, n)).toISOString();
}

/** Numbers a history as an event store would: positions from 1, revisions by stream. */
export function recorded(history: readonly HistoryEvent[]): readonly RecordedEvent[] {
  const revisions = new Map<string, number>();
  return history.map(({ type, data, stream, at, version, by }, n) => {
    const revision = (revisions.get(stream) ?? -1) + 1;
    revisions.set(stream, revision);
    const metadata = {
      version: version ?? 1,
      occurredAt: at ?? minute(n),
      commandId: `command-${n}`,
      correlationId: `request-${n}`,
      ...by,
    };
    return { id: `event-${n}`, type, data, metadata, stream, revision, position: n + 1 };
  });
}

/** `givenHistory(projections, ...events)`: the documents that a group makes of a history. */
export async function givenHistory(projections: readonly Projection[], ...history: readonly HistoryEvent[]) {
  const store = memoryReadStore();
  const models = await store.namespace('test', collectionsOf(projections));
  const done = new AbortController();
  const events = recorded(history);
  const runner = new ProjectionRunner({ store: replaying(events, done), models, projections, clock: STANDING });
  await runner.run(done.signal);
  const { error } = runner.status();
  if (error !== null) throw error;
  return {
    models,
    /** The document of a collection, with its bookkeeping fields, or null. */
    thenDocument: async <D extends Document>(model: ReadModel<D>, id: string): Promise<Document | null> =>
      models.get(model.collection, id),
  };
}

const STANDING: Clock = { now: () => 0, monotonic: () => 0, after: () => () => undefined };

function replaying(events: readonly RecordedEvent[], done: AbortController): Pick<EventStore, 'subscribe'> {
  return {
    async *subscribe(_after, filter) {
      const wanted = events.filter(matcherOf(filter));
      yield { events: wanted, upTo: events.length, caughtUp: true };
      done.abort();
    },
  };
}
