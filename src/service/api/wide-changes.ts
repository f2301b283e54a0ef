import { LRUCache } from 'lru-cache';
import { lapDecider } from '../../../commands/laps.ts';
import { laps } from '../../../projections/laps.ts';
import { lapChanges } from '../../../projections/leaderboards/lap-versions.ts';
import { readOne } from '../../domain/documents.ts';
import type { ChangeUsage } from '../http/requester.ts';
import { tooManyProblem } from '../http/problems.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { ReadModels, Where } from '../../kernel/ports/read-store.ts';
import { pause, type Clock } from '../../kernel/ports/system.ts';
import type { CheckpointWaiter } from '../../kernel/projection/checkpoint-waiter.ts';
import { FAN_OUTS } from '../resources/fan-outs.ts';

/** Documents that the changes of one licence may have the projector write or read at a time. */
const MOST_DOCUMENTS = 10_000;

/** Longest wait, in ms, of a change for the earlier ones of its licence, and the time after which it may try again. */
const MOST_WAIT_MS = 1_000;
const RETRY_MS = 1_000;

/** Interval, in ms, of looking whether there is room, while nothing can be waited for. */
const LOOK_EVERY_MS = 20;

/** Most changes of one licence that wait. */
const MOST_WAITING = 100;

/** Time, in ms, for which a number of documents is taken to stay as it is, and most numbers that are kept. */
const COUNTED_FOR_MS = 10_000;
const MAX_COUNTS = 10_000;

/** Most licences of which is known what their changes have left to do. */
const MAX_LICENCES = 10_000;

/** Who sends a change, as far as it is charged. */
export interface ChangeSender {
  readonly caller: { readonly licenseId: string } | null;
  readonly deadline: number;
  /** Undefined: nobody is charged. */
  readonly changeUsage?: ChangeUsage;
}

interface Recorded {
  readonly position: Position;
  /** The types of the events that were recorded. */
  readonly events: readonly string[];
}

/** What a change may have others do. */
interface Reach {
  /** What it changes: several changes of the same are projected as one. */
  readonly key: string;
  readonly documents: number;
  /** The types of events that do so. */
  readonly events: ReadonlySet<string>;
}

/** A change whose documents are not all written yet. */
interface Outstanding {
  documents: number;
  /** Requests that are recording it. */
  recording: number;
  /** Position of the newest event; -1: there is none. */
  position: Position;
}

interface WideChangesOptions {
  readonly models: ReadModels;
  readonly checkpointWaiter: CheckpointWaiter;
  readonly clock: Clock;
}

const LAP_EVENTS: ReadonlySet<string> = new Set(Object.keys(lapChanges));
const NOTHING: Reach = { key: '', documents: 0, events: new Set() };

/**
 * Changes that cost others more than their sender: a rename changes every document with the name, and a lap that is
 * changed may let all laps of its driver be read. They are charged for these documents. A licence has only so many of
 * them outstanding, and its next change waits for them a moment: the laps of others never wait behind a crowd of changes.
 */
export class WideChanges {
  readonly #options: WideChangesOptions;
  readonly #counts = new LRUCache<string, { readonly count: number; readonly at: number }>({ max: MAX_COUNTS });
  /** By licence, and by what is changed. */
  readonly #outstanding = new LRUCache<string, Map<string, Outstanding>>({
    max: MAX_LICENCES,
    memoMethod: () => new Map(),
  });
  readonly #waiting = new Map<string, number>();

  constructor(options: WideChangesOptions) {
    this.#options = options;
  }

  /**
   * Records a change of a resource, and charges what it costs others.
   * @throws {Problem} 429 when its client has used up its share of such changes, or too many are outstanding
   */
  async record<T extends Recorded>(
    sender: ChangeSender,
    category: string,
    id: string,
    work: () => Promise<T>,
  ): Promise<T> {
    if (category !== lapDecider.category && FAN_OUTS[category] === undefined) return work();
    sender.changeUsage?.requireShare();
    const reach = await this.#reachOf(category, id);
    if (reach.documents === 0) return work();
    const own = await this.#reserve(sender, reach);
    try {
      const recorded = await work();
      if (!recorded.events.some((type) => reach.events.has(type))) return recorded;
      own.position = Math.max(own.position, recorded.position);
      sender.changeUsage?.charge(reach.documents);
      return recorded;
    } finally {
      own.recording -= 1;
    }
  }

  /** How far a change reaches; nowhere while the read store is away, as writes do not need it. */
  async #reachOf(category: string, id: string): Promise<Reach> {
    try {
      return category === lapDecider.category ? await this.#reachOfLap(id) : await this.#reachOfName(category, id);
    } catch (error) {
      if (error instanceof StoreUnavailable) return NOTHING;
      throw error;
    }
  }

  /** The laps that are read where this one was the best of its driver on a layout in an event. */
  async #reachOfLap(id: string): Promise<Reach> {
    const lap = await readOne(this.#options.models, laps, id);
    if (lap === null) return NOTHING;
    const { eventId, participantId, trackId } = lap;
    const documents = await this.#count(laps.collection, { eventId, participantId, trackId });
    return { key: `${eventId}:${trackId}:${participantId}`, documents, events: LAP_EVENTS };
  }

  /** The documents that have the name. */
  async #reachOfName(category: string, id: string): Promise<Reach> {
    const byType = FAN_OUTS[category] ?? {};
    const reached = new Map(Object.values(byType).flatMap((all) => all.map((one) => [JSON.stringify(one), one])));
    let documents = 0;
    for (const { collection, field } of reached.values()) documents += await this.#count(collection, { [field]: id });
    return { key: `${category}-${id}`, documents, events: new Set(Object.keys(byType)) };
  }

  async #count(collection: string, where: Where): Promise<number> {
    const key = JSON.stringify([collection, where]);
    const now = this.#options.clock.monotonic();
    const known = this.#counts.get(key);
    if (known !== undefined && now - known.at < COUNTED_FOR_MS) return known.count;
    const count = await this.#options.models.count(collection, where);
    this.#counts.set(key, { count, at: now });
    return count;
  }

  /**
   * Makes room for a change among those of its licence that are outstanding. What is outstanding already costs nothing
   * more: the projector does it once for all events that it has.
   * @throws {Problem} 429
   */
  async #reserve({ caller, deadline }: ChangeSender, { key, documents }: Reach): Promise<Outstanding> {
    const { clock } = this.#options;
    const licenseId = caller?.licenseId ?? '';
    const own = this.#outstanding.memo(licenseId);
    const until = clock.monotonic() + Math.min(MOST_WAIT_MS, deadline - clock.now());
    while (true) {
      this.#forgetWritten(own);
      const known = own.get(key);
      if (known !== undefined) {
        known.recording += 1;
        return known;
      }
      let sum = 0;
      for (const one of own.values()) sum += one.documents;
      // One alone may be larger than the bound.
      if (sum === 0 || sum + documents <= MOST_DOCUMENTS) {
        const reserved = { documents, recording: 1, position: -1 };
        own.set(key, reserved);
        return reserved;
      }
      const left = until - clock.monotonic();
      const waiting = this.#waiting.get(licenseId) ?? 0;
      if (left <= 0 || waiting >= MOST_WAITING)
        throw tooManyProblem('This licence is changing too many records at the moment.', RETRY_MS);
      this.#waiting.set(licenseId, waiting + 1);
      try {
        await this.#waitForOne(own, left);
      } finally {
        const others = (this.#waiting.get(licenseId) ?? 1) - 1;
        if (others === 0) this.#waiting.delete(licenseId);
        else this.#waiting.set(licenseId, others);
      }
    }
  }

  /** Forgets the changes that can be read. */
  #forgetWritten(own: Map<string, Outstanding>): void {
    const reached = this.#options.checkpointWaiter.position() ?? -1;
    for (const [key, { recording, position }] of own) if (recording === 0 && position <= reached) own.delete(key);
  }

  /** Waits until the first of the changes can be read, or one may have been recorded. */
  async #waitForOne(own: ReadonlyMap<string, Outstanding>, ms: number): Promise<void> {
    const { clock, checkpointWaiter } = this.#options;
    const positions = [...own.values()].filter(({ recording, position }) => recording === 0 && position >= 0);
    const first = Math.min(...positions.map(({ position }) => position));
    const look = pause(clock, Math.min(ms, LOOK_EVERY_MS), new AbortController().signal);
    if (first < Infinity) await Promise.race([checkpointWaiter.waitFor(first, ms), look]);
    else await look;
  }
}
