import { idOf, streamOf } from './aggregate.ts';
import type { NewEvent, Position, RecordedEvent, Revision } from './event-store.ts';
import { UnknownEvent } from './event-types.ts';
import type { JsonObject } from './json.ts';
import { digest, type Projecting } from './projecting.ts';
import { readModel, type ReadModel } from './projection.ts';
import type { Document, DocumentMeta, ReadModels } from './read-store.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** An event that could not be digested, or that came behind one in its stream. Its id is `<stream>:<revision>`. */
export type DeadLetterDocument = DocumentMeta & {
  readonly stream: string;
  readonly revision: Revision;
  readonly type: string;
  readonly version: number;
  /** Where the event stands in the global order. */
  readonly position: Position;
  readonly occurredAt: string;
  /** Why. */
  readonly error: string;
  /** Whether this release does not know the event's type or version. */
  readonly unknown: boolean;
  /** False once it was digested: nothing is deleted (DESIGN §2). */
  readonly waiting: boolean;
  /** The event as it was appended. */
  readonly event: JsonObject;
};

/** The dead letters of a group, beside its documents. */
export const deadLetters = readModel<DeadLetterDocument>('deadLetters', {
  category: 'deadLetter',
  indexes: [['waiting', 'position']],
});

/**
 * Asks for one dead letter to be digested again: an event like any other, so that the retry has its own place in the
 * global order, the same for every projector and every rebuild. Its data is `{ letter }`, the letter's id.
 */
export const RETRIED = 'DeadLetterRetried';

/** The stream of a group's retries. */
export function retryStreamOf(group: string): string {
  return streamOf('deadLetterRetry', group);
}

/** Why a letter waits that is not the first of its stream. */
const BEHIND = 'an earlier event of its stream is parked';

/** Longest error, in characters, that is kept. */
const LONGEST_ERROR = 500;

/** An event that was parked; `error` is null for one that came behind another. */
export interface Parked {
  readonly event: RecordedEvent;
  readonly error: Error | null;
}

/** Digests what can be digested and parks the rest, stream by stream (DESIGN §4). */
export interface Parking {
  /** Learns which streams are parked at a checkpoint: before the first batch, and when the unit of work was reset. */
  readonly load: (checkpoint: Position | null) => Promise<void>;
  /**
   * Adds the changes of events to the unit of work, or their dead letters, and commits some of them on the way; null,
   * as nothing is poison to it.
   * @throws {StoreUnavailable}
   */
  readonly take: (events: readonly RecordedEvent[]) => Promise<null>;
}

/** What parking takes. */
export interface ParkingOptions extends Projecting {
  /** Where the dead letters are. */
  readonly letters: Pick<ReadModels, 'stream'>;
  readonly onParked?: ((parked: Parked) => void) | undefined;
}

/**
 * Makes the parking of one group. An event is parked when a handler throws; when an earlier one of its stream is; and
 * when it looks up a document that is missing because its stream is parked: what was looked up is kept current by later
 * events, but only from the document's birth on, so without this a retry would end otherwise than a rebuild.
 *
 * A retry applies a letter's changes at the retry's own position, which is past all that was processed, so that every
 * guard lets them pass, and refuses them the second time. Letters are retried in global order; one that fails again
 * keeps those behind it waiting.
 *
 * Everything is as of the position that is being processed: documents and letters may be ahead of it, after a crash
 * between two writes.
 */
export function createParking({ handlers, unit, letters, onParked }: ParkingOptions): Parking {
  /** Revisions that wait, by stream. */
  const waiting = new Map<string, Set<Revision>>();
  const models = [...handlers.values()].flat().map(({ projection: { model } }) => model);
  const careful: Projecting = { handlers, unit: { ...unit, look: carefulLook(unit, waiting) } };

  const add = (stream: string, revision: Revision): void => {
    const revisions = waiting.get(stream);
    if (revisions === undefined) waiting.set(stream, new Set([revision]));
    else revisions.add(revision);
  };
  const isParked = ({ stream, revision }: RecordedEvent): boolean => {
    const revisions = waiting.get(stream);
    return revisions !== undefined && first(revisions) <= revision;
  };
  async function park(event: RecordedEvent, error: Error | null): Promise<void> {
    const letter = letterOf(event, error);
    add(event.stream, event.revision);
    if ((await unit.look(deadLetters, letter.id)) !== null) return;
    unit.add({ kind: 'insert', collection: deadLetters.collection, document: letter });
    onParked?.({ event, error });
  }
  /** Null when the letter could be digested or was included before, else why it waits on. */
  async function failureOf(event: RecordedEvent): Promise<Error | null> {
    const revisions = waiting.get(event.stream);
    if (revisions === undefined || first(revisions) !== event.revision) return new Error(BEHIND);
    return (await isIncluded(event, unit, models)) ? null : digest([event], careful);
  }
  async function retry({ data, position }: RecordedEvent): Promise<void> {
    const letter = await unit.look(deadLetters, String(data['letter']));
    // Each retry has one chance, however often it is delivered: done by half, it is done again.
    const wanted = letter !== null && (letter.waiting ? letter._position < position : letter._position === position);
    if (!wanted) return;
    const { id, stream, revision } = letter;
    const failure = await failureOf({ ...eventOf(letter), position });
    const fields = failure === null ? { waiting: false } : { error: textOf(failure) };
    unit.add({ kind: 'set', collection: deadLetters.collection, id, fields, position });
    if (failure !== null) return;
    const revisions = waiting.get(stream);
    revisions?.delete(revision);
    if (revisions?.size === 0) waiting.delete(stream);
  }
  /** On disk before anything that follows: another release may go on from here, and decide otherwise. */
  async function decided(decision: Promise<void>, { position }: RecordedEvent): Promise<void> {
    await decision;
    await unit.commit(position);
  }
  async function one(event: RecordedEvent): Promise<void> {
    if (event.type === RETRIED) return decided(retry(event), event);
    if (isParked(event)) return park(event, null);
    const poison = await digest([event], careful);
    if (poison !== null) await decided(park(event, poison), event);
  }
  return {
    async load(checkpoint) {
      waiting.clear();
      for await (const batch of letters.stream(deadLetters.collection, { where: {} })) {
        // Written by `park` alone.
        for (const { stream, revision, waiting: waits, _position } of batch as readonly DeadLetterDocument[]) {
          if (waits || _position > (checkpoint ?? 0)) add(stream, revision);
        }
      }
    },
    async take(events) {
      let rest = events;
      if (waiting.size === 0 && !events.some(({ type }) => type === RETRIED)) {
        const poison = await digest(events, { handlers, unit });
        if (poison === null) return null;
        await decided(park(poison.event, poison), poison.event);
        rest = events.slice(events.indexOf(poison.event) + 1);
      }
      for (const event of rest) await one(event);
      return null;
    },
  };
}

function first(revisions: ReadonlySet<Revision>): Revision {
  let least = Infinity;
  for (const revision of revisions) least = Math.min(least, revision);
  return least;
}

/** Looks up documents; one that is missing because its stream is parked is an error. */
function carefulLook(unit: UnitOfWork, waiting: ReadonlyMap<string, unknown>): UnitOfWork['look'] {
  return <D extends Document>(model: ReadModel<D>, id: string) => {
    const present = (document: D | null): D | null => {
      const stream = streamOf(model.category, id);
      if (document === null && waiting.has(stream)) throw new Error(`${stream}, which it needs, is parked`);
      return document;
    };
    const found = unit.look(model, id);
    return found instanceof Promise ? found.then(present) : present(found);
  };
}

/** Whether the document of an event's own stream holds it already, from before: then so do all others. */
async function isIncluded(
  { stream, revision, position }: RecordedEvent, unit: UnitOfWork, models: readonly ReadModel<never>[],
): Promise<boolean> {
  const own = models.find(({ category }) => stream.startsWith(streamOf(category, '')));
  if (own === undefined) return false;
  const document = await unit.look<Document>(own, idOf(stream));
  return document !== null && document._revision >= revision && document._position < position;
}

function letterOf(event: RecordedEvent, error: Error | null): DeadLetterDocument {
  const { stream, revision, position, id, type, data, metadata } = event;
  return {
    id: `${stream}:${revision}`,
    stream, revision, type, position,
    version: metadata.version,
    occurredAt: metadata.occurredAt,
    error: textOf(error ?? new Error(BEHIND)),
    unknown: error?.cause instanceof UnknownEvent,
    waiting: true,
    event: { id, data, metadata: { ...metadata } },
    _position: position,
    _revision: 0,
  };
}

/** What the handler threw says more than that it threw. */
function textOf({ message, cause }: Error): string {
  return (cause instanceof Error ? cause.message : message).slice(0, LONGEST_ERROR);
}

function eventOf({ stream, revision, position, type, event }: DeadLetterDocument): RecordedEvent {
  // Made of an event by `letterOf`.
  return { ...event as unknown as NewEvent, stream, revision, position, type };
}
