import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { memoryReadStore } from '../read-store/memory-read-store.ts';
import { sameSet } from '../same-set.ts';
import type { Clock } from '../../../src/kernel/ports/system.ts';
import type { DecidedEvent } from '../../../src/kernel/event-types.ts';
import {
  matcherOf,
  type EventMetadata,
  type EventStore,
  type RecordedEvent,
} from '../../../src/kernel/ports/event-store.ts';
import {
  collectionsOf,
  parkingCollectionsOf,
  ProjectionRunner,
} from '../../../src/kernel/projection/projection-runner.ts';
import type { Projection, ReadModel } from '../../../src/kernel/projection/projection.ts';
import type { Document, ReadModels } from '../../../src/kernel/ports/read-store.ts';

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
  const models = await projectedAtOnce(recorded(history), projections);
  return {
    models,
    /** The document of a collection, with its bookkeeping fields, or null. */
    thenDocument: async <D extends Document>(model: ReadModel<D>, id: string): Promise<Document | null> =>
      models.get(model.collection, id),
  };
}

const STANDING: Clock = { now: () => 0, monotonic: () => 0, after: () => () => undefined };

/** How a history is projected. */
interface ProjectingOptions {
  /** Whether events that cannot be projected are parked; otherwise they are errors. */
  readonly parks?: boolean;
  /** Whether each event is a delivery of its own, so that nothing is done once for several events. */
  readonly isOneByOne?: boolean;
}

/** What one projector makes of events, by default in one delivery and without faults. */
export async function projectedAtOnce(
  events: readonly RecordedEvent[],
  projections: readonly Projection[],
  options: ProjectingOptions = {},
): Promise<ReadModels> {
  const models = await memoryReadStore().namespace('test', parkingCollectionsOf(projections));
  await projectInto(models, events, projections, options);
  return models;
}

/** Projects those of some events that read models do not reflect yet. */
export async function projectInto(
  models: ReadModels,
  events: readonly RecordedEvent[],
  projections: readonly Projection[],
  { parks = false, isOneByOne = false }: ProjectingOptions = {},
): Promise<void> {
  const done = new AbortController();
  const store: Pick<EventStore, 'subscribe'> = {
    async *subscribe(after, filter) {
      const isWanted = matcherOf(filter);
      const matching = events.filter((event) => event.position > (after ?? 0) && isWanted(event));
      if (isOneByOne) for (const event of matching) yield { events: [event], upTo: event.position, caughtUp: false };
      yield { events: isOneByOne ? [] : matching, upTo: events.at(-1)?.position ?? 0, caughtUp: true };
      done.abort();
    },
  };
  const parking = parks ? { deadLetterStore: models } : {};
  const runner = new ProjectionRunner({ store, models, projections, clock: STANDING, ...parking });
  await runner.run(done.signal);
  const { error } = runner.status();
  if (error !== null) throw error;
}

/** Reads every document of a group, by `<collection>/<id>`; dead letters are left out. */
export async function readAll(models: ReadModels, projections: readonly Projection[]) {
  const documents = new Map<string, Document>();
  for (const { name } of collectionsOf(projections)) {
    for await (const batch of models.stream(name, { where: {} })) {
      for (const document of batch) {
        const key = `${name}/${document.id}`;
        expect(documents.has(key), `${key} twice`).to.equal(false);
        documents.set(key, document);
      }
    }
  }
  return { documents, checkpoint: await models.checkpoint(), models };
}

/** All that read models hold of a group. */
export type Projected = Awaited<ReturnType<typeof readAll>>;

/** Two read models are the same, document by document, their bookkeeping included. */
export function expectSameModels(found: Projected, wanted: Projected): void {
  sameSet(found.documents.keys(), wanted.documents.keys(), 'the documents');
  for (const [key, document] of wanted.documents) {
    const its = found.documents.get(key);
    if (!isDeepStrictEqual(its, document)) expect(its, key).to.deep.equal(document);
  }
  expect(found.checkpoint, 'the checkpoint').to.equal(wanted.checkpoint);
}
