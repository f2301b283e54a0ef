import { OtherHistory, StoreUnavailable } from '../ports/errors.ts';
import type { EventStore, Position, RecordedEvent, Revision } from '../ports/event-store.ts';
import type { Change, DocumentMeta, ReadModels } from '../ports/read-store.ts';
import { pause, type Clock } from '../ports/system.ts';
import { readModel } from './projection.ts';

/**
 * The lineage of read models: which events they were made from. `_position` is the position of the last event in the
 * event store that it was read from; a copy of the events may have other positions.
 */
export type LineageDocument = DocumentMeta & {
  /** The id of the history: the id of its first event, which every copy keeps. */
  readonly history: string;
  /** The last event that they include; null: not known. */
  readonly last: { readonly stream: string; readonly revision: Revision; readonly eventId: string } | null;
};

/** One document, stored with the documents of the group. */
export const lineages = readModel<LineageDocument>('history', { category: 'history', indexes: [] });

const ID = 'history';

/** Time, in ms, for which the event store may seem to be behind: a follower of a cluster lags for a moment. */
const MAX_BEHIND_MS = 2_000;

/** Pause, in ms, between two checks of an event store that seems to be behind. */
const LOOK_EVERY_MS = 200;

/** Sources of the check. */
export interface LineageCheckOptions {
  readonly store: Pick<EventStore, 'head' | 'readAll' | 'readStream'>;
  readonly clock: Clock;
  /** Types of events that may be gone later, as their streams keep only their newest one. */
  readonly replaceable: ReadonlySet<string>;
  /** Collection of the document; default: that of `lineages`. */
  readonly collection?: string;
}

/** How an event store differs from the one that read models were made from. */
interface Difference {
  readonly text: string;
  /** The missing part, if a lagging follower may explain it. */
  readonly missing: Missing | null;
}

/** A part of read models that the event store lacks: an event, or only a position past its head (`last` is null). */
interface Missing {
  readonly position: Position;
  readonly last: LineageDocument['last'];
}

/**
 * Checks whether read models were made from the events that are in the event store now. After a restore, or if
 * directories were mixed up, some events would be skipped and others counted twice.
 */
export class LineageCheck {
  readonly #options: LineageCheckOptions;
  readonly #collection: string;
  #first: RecordedEvent | null = null;
  /** Whether the document exists, or is among the changes since the last check. */
  #isRemembered = false;
  /** The part that the event store seems to lack, and since when, ms of the monotonic clock. */
  #behind: { readonly missing: Missing; readonly since: number } | null = null;

  constructor(options: LineageCheckOptions) {
    this.#options = options;
    this.#collection = options.collection ?? lineages.collection;
  }

  /**
   * @throws {OtherHistory} when the read models were made from other events.
   * @throws {StoreUnavailable} also while a follower may just be lagging.
   */
  async expectSame(models: Pick<ReadModels, 'get' | 'checkpoint'>): Promise<void> {
    // The read models are read before the events, which can only grow in between. The cast is right: only `changes` makes
    // this document.
    const made = (await models.get(this.#collection, ID)) as LineageDocument | null;
    this.#isRemembered = made !== null;
    const difference = await this.#difference(made, (await models.checkpoint()) ?? 0);
    if (difference === null) {
      this.#behind = null;
      return;
    }
    if (difference.missing !== null && !(await this.#isLost(difference.missing)))
      throw new StoreUnavailable(`the event store is behind the read models: ${difference.text}`);
    throw new OtherHistory(difference.text);
  }

  /**
   * Whether something has been missing for so long that it will not appear. Under steady writes a follower lacks
   * something at every check, but each time something else.
   */
  async #isLost(missing: Missing): Promise<boolean> {
    const now = this.#options.clock.monotonic();
    if (this.#behind === null || (await this.#isThere(this.#behind.missing))) this.#behind = { missing, since: now };
    return now - this.#behind.since >= MAX_BEHIND_MS;
  }

  async #isThere({ position, last }: Missing): Promise<boolean> {
    if (last === null) return ((await this.#options.store.head()) ?? 0) >= position;
    return (await this.#eventAt(last.stream, last.revision))?.id === last.eventId;
  }

  /** The same as `expectSame`, but waits as long as a lagging follower may explain a difference. */
  async expectSameAfterLag(models: Pick<ReadModels, 'get' | 'checkpoint'>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const since = clock.monotonic();
    while (!signal.aborted) {
      try {
        await this.expectSame(models);
        return;
      } catch (error) {
        const mayPass = error instanceof StoreUnavailable && clock.monotonic() - since <= MAX_BEHIND_MS;
        if (!mayPass) throw error;
        await pause(clock, LOOK_EVERY_MS, signal);
      }
    }
  }

  /**
   * The changes that record the history and the last of some events. Every such change since the last `expectSame` must
   * be applied.
   */
  async changes(events: readonly RecordedEvent[]): Promise<readonly Change[]> {
    let at = events.length - 1;
    while (at >= 0 && this.#options.replaceable.has(events[at]?.type ?? '')) at -= 1;
    const last = events[at];
    const history = last === undefined ? null : (this.#first?.id ?? (await this.id()));
    if (last === undefined || history === null) return [];
    const { stream, revision, id: eventId, position } = last;
    const fields = { history, last: { stream, revision, eventId } };
    const change: Change = { kind: 'set', collection: this.#collection, id: ID, fields, position };
    if (this.#isRemembered) return [change];
    this.#isRemembered = true;
    const document = { ...fields, id: ID, _created: position, _position: position, _revision: 0 };
    return [{ kind: 'insert', collection: this.#collection, document }, change];
  }

  async #difference(made: LineageDocument | null, checkpoint: Position): Promise<Difference | null> {
    const history = made === null ? null : await this.id();
    if (made !== null && history !== null && history !== made.history)
      return { text: `they were made from the events of history ${made.history}, not of ${history}`, missing: null };
    const head = await this.#options.store.head();
    // In a store without events, a projector that is at the start has written 0.
    if ((head ?? 0) < checkpoint) {
      const newest = head ?? 'there is none';
      const missing = { position: checkpoint, last: null };
      return { text: `they are at position ${checkpoint}, past the newest event (${newest})`, missing };
    }
    return made?.last === null || made === null ? null : this.#differenceAt(made.last, made._position);
  }

  async #differenceAt(last: NonNullable<LineageDocument['last']>, position: Position): Promise<Difference | null> {
    const { stream, revision, eventId } = last;
    const event = await this.#eventAt(stream, revision);
    const expected = `event ${eventId} at position ${position} (${stream}@${revision})`;
    if (event === null) return { text: `they include ${expected}, which is not there`, missing: { position, last } };
    if (event.id === eventId && event.position === position) return null;
    return { text: `they include ${expected}, where another one is, ${event.id} at ${event.position}`, missing: null };
  }

  async #eventAt(stream: string, revision: Revision): Promise<RecordedEvent | null> {
    const event = await firstOf(this.#options.store.readStream(stream, revision === 0 ? null : revision - 1));
    return event?.revision === revision ? event : null;
  }

  /** The id of the history in the event store; null before its first event. It may change, so it is read each time. */
  async id(): Promise<string | null> {
    const { store } = this.#options;
    const known = this.#first;
    if (known !== null && (await firstOf(store.readStream(known.stream)))?.id === known.id) return known.id;
    this.#first = await firstOf(store.readAll(null));
    return this.#first?.id ?? null;
  }
}

async function firstOf(batches: AsyncIterable<readonly RecordedEvent[]>): Promise<RecordedEvent | null> {
  for await (const [first] of batches) if (first !== undefined) return first;
  return null;
}
