import { LRUCache } from 'lru-cache';
import { lapDecider } from '../../../commands/laps.ts';
import { licenseDecider } from '../../../commands/licenses.ts';
import { laps } from '../../../projections/laps.ts';
import { participants } from '../../../projections/participants.ts';
import { lapChanges } from '../../../projections/leaderboards/lap-versions.ts';
import { readOne, streamAll } from '../../domain/documents.ts';
import type { ChangeUsage } from '../http/requester.ts';
import { tooManyProblem } from '../http/problems.ts';
import { Account, createRate } from '../http/quota.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { ReadModels, Where } from '../../kernel/ports/read-store.ts';
import { pause, type Clock } from '../../kernel/ports/system.ts';
import type { CheckpointWaiter } from '../../kernel/projection/checkpoint-waiter.ts';
import { FAN_OUTS, NAMES_OF_DRIVERS, NAMES_OF_PEOPLE, RENAMING_PEOPLE } from '../resources/fan-outs.ts';

/** Documents that the changes of one licence may have the projector write or read at a time. */
const MOST_DOCUMENTS = 10_000;

/** Longest wait, in ms, of a change for the earlier ones of its licence, and the time after which it may try again. */
const MOST_WAIT_MS = 1_000;
const RETRY_MS = 1_000;

/**
 * Number of documents that the changes of one licence may have the projector write a second, which takes it 30 to 40 µs each:
 * others get most of its time. Those of one second may come at once, and a larger change counts as `MOST_WRITES`.
 */
const WRITES_PER_SECOND = 5_000;
const MOST_WRITES = 25_000;
/** Documents that may be outstanding where they are only read: each takes a tenth of the time. */
const READS_PER_SECOND = 50_000;
const MOST_READS = 250_000;

const SECOND_MS = 1_000;
/** The most that a licence owes after one change, in ms: what `MOST_WRITES` and `MOST_READS` count. */
const MOST_DEBT_MS = 5_000;

const WRITES = createRate(WRITES_PER_SECOND, SECOND_MS, MOST_DEBT_MS);
const READS = createRate(READS_PER_SECOND, SECOND_MS, MOST_DEBT_MS);

/** Most documents of a change that costs nothing more while an earlier one of the same is outstanding. */
const FREE_WRITES = 500;

/** Interval, in ms, of looking whether there is room, while nothing can be waited for. */
const LOOK_EVERY_MS = 100;

/** Most changes of one licence that wait. */
const MOST_WAITING = 20;

/** Time, in ms, for which a number of documents is taken to stay as it is, and most numbers that are kept. */
const COUNTED_FOR_MS = 10_000;
const MAX_COUNTS = 10_000;

/** Most licences of which is known what their changes have left to do. */
const MAX_LICENCES = 10_000;

/** The sender of a change, who is charged for it. */
export interface ChangeSender {
  readonly caller: { readonly licenseId: string } | null;
  readonly deadline: number;
  /** Undefined: nobody is charged. */
  readonly changeUsage?: ChangeUsage;
}

/** The resource that is changed, and the types of the commands that change it. */
export interface ChangeTarget {
  readonly category: string;
  readonly id: string;
  readonly commands: readonly string[];
}

interface Recorded {
  readonly position: Position;
  /** The types of the events that were recorded. */
  readonly events: readonly string[];
}

/** Work that a change may cause. */
interface Reach {
  /** Key of what it changes: several changes with one key are projected as one. */
  readonly key: string;
  readonly documents: number;
  /** Whether the documents are written; otherwise they are read, which takes a tenth of the time. */
  readonly areWritten: boolean;
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

/** The room of a change. */
interface Reserved {
  readonly change: Outstanding;
  /** Gives back what it would have written, where nothing of the kind was recorded. */
  readonly giveBack: () => void;
}

interface WideChangesOptions {
  readonly models: ReadModels;
  readonly checkpointWaiter: CheckpointWaiter;
  readonly clock: Clock;
}

const LAP_EVENTS: ReadonlySet<string> = new Set(Object.keys(lapChanges));
const NOTHING: Reach = { key: '', documents: 0, areWritten: false, events: new Set() };

/**
 * The changes of one licence. What is written and what is read count apart, so that a lap can be struck after an event was
 * renamed.
 */
interface ChangesOfLicense {
  /** By what is changed. */
  readonly outstanding: Map<string, Outstanding>;
  readonly writes: Account;
  readonly reads: Account;
  /** Changes that wait for room. */
  waiting: number;
}

function noChanges(): ChangesOfLicense {
  return { outstanding: new Map(), writes: new Account(), reads: new Account(), waiting: 0 };
}

/**
 * Changes that cost others more than their sender: a rename changes every document with the name, and a lap that is
 * changed may let all laps of its driver be read. They are charged for these documents. A licence has only so many of
 * them outstanding, and only so many a second, and its next change waits for that a moment: the laps of others never wait
 * behind a crowd of changes.
 */
export class WideChanges {
  readonly #options: WideChangesOptions;
  readonly #counts = new LRUCache<string, { readonly count: number; readonly at: number }>({ max: MAX_COUNTS });
  readonly #licenses = new LRUCache<string, ChangesOfLicense>({ max: MAX_LICENCES, memoMethod: noChanges });

  constructor(options: WideChangesOptions) {
    this.#options = options;
  }

  /**
   * Records a change of a resource, and charges what it costs others.
   * @throws {Problem} 429 when its client has used up its share of such changes, or too many are outstanding
   */
  async record<T extends Recorded>(sender: ChangeSender, target: ChangeTarget, work: () => Promise<T>): Promise<T> {
    const { category } = target;
    if (category !== lapDecider.category && FAN_OUTS[category] === undefined) return work();
    sender.changeUsage?.requireShare();
    return this.#charged(sender, await this.#whileThere(() => this.#reachOf(target)), work);
  }

  async #charged<T extends Recorded>(sender: ChangeSender, reach: Reach, work: () => Promise<T>): Promise<T> {
    if (reach.documents === 0) return work();
    const own = await this.#reserve(sender, reach);
    let reaches = false;
    try {
      const recorded = await work();
      reaches = recorded.events.some((type) => reach.events.has(type));
      if (!reaches) return recorded;
      own.change.position = Math.max(own.change.position, recorded.position);
      sender.changeUsage?.charge(reach.documents);
      return recorded;
    } finally {
      own.change.recording -= 1;
      if (!reaches) own.giveBack();
    }
  }

  /** How far a change reaches; nowhere while the read store is away, as writes do not need it. */
  async #whileThere(reachOf: () => Promise<Reach>): Promise<Reach> {
    try {
      return await reachOf();
    } catch (error) {
      if (error instanceof StoreUnavailable) return NOTHING;
      throw error;
    }
  }

  #reachOf({ category, id, commands }: ChangeTarget): Promise<Reach> {
    if (category === lapDecider.category) return this.#reachOfLap(id);
    if (commands.some((type) => RENAMING_PEOPLE.has(type))) return this.#reachOfNames(id);
    return this.#reachOfName(category, id);
  }

  /** The laps that are read where this one was the best of its driver on a layout in an event. */
  async #reachOfLap(id: string): Promise<Reach> {
    const lap = await readOne(this.#options.models, laps, id);
    if (lap === null) return NOTHING;
    const { eventId, participantId, trackId } = lap;
    const documents = await this.#count(laps.collection, { eventId, participantId, trackId });
    return { key: `${eventId}:${trackId}:${participantId}`, documents, areWritten: false, events: LAP_EVENTS };
  }

  /** The documents that have the name. */
  async #reachOfName(category: string, id: string): Promise<Reach> {
    const byType = FAN_OUTS[category] ?? {};
    const reached = new Map(Object.values(byType).flatMap((all) => all.map((one) => [JSON.stringify(one), one])));
    let documents = 0;
    for (const { collection, field } of reached.values()) documents += await this.#count(collection, { [field]: id });
    return { key: `${category}-${id}`, documents, areWritten: true, events: new Set(Object.keys(byType)) };
  }

  /**
   * Everybody for whom a licence decides, and what shows their names, beside whatever else changes of the licence; not more
   * than counts.
   */
  async #reachOfNames(licenseId: string): Promise<Reach> {
    const { documents: others, events } = await this.#reachOfName(licenseDecider.category, licenseId);
    let documents = others;
    const where = { '_namedBy[]': licenseId };
    for await (const people of streamAll(this.#options.models, participants, { where })) {
      for (const { id } of people) {
        documents += 1;
        for (const { collection, field } of NAMES_OF_DRIVERS)
          documents += await this.#count(collection, { [field]: id });
        if (documents >= MOST_WRITES) break;
      }
      if (documents >= MOST_WRITES) break;
    }
    const key = `${licenseDecider.category}-${licenseId}`;
    return { key, documents, areWritten: true, events: new Set([...events, NAMES_OF_PEOPLE]) };
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
   * Makes room for a change among those of its licence: of what is outstanding, and of what may be written in a second. A
   * small change of what is outstanding already costs nothing more, as the projector does it once for all events that it
   * has; a large one waits until the one before is written.
   * @throws {Problem} 429
   */
  async #reserve({ caller, deadline }: ChangeSender, reach: Reach): Promise<Reserved> {
    const { clock } = this.#options;
    const { key, documents, areWritten } = reach;
    const own = this.#licenses.memo(caller?.licenseId ?? '');
    const { outstanding } = own;
    const rate = areWritten ? WRITES : READS;
    const account = areWritten ? own.writes : own.reads;
    const counted = Math.min(documents, areWritten ? MOST_WRITES : MOST_READS);
    const until = clock.monotonic() + Math.min(MOST_WAIT_MS, deadline - clock.now());
    while (true) {
      this.#forgetWritten(outstanding);
      const known = outstanding.get(key);
      const now = clock.monotonic();
      if (known !== undefined && !(areWritten && documents > FREE_WRITES)) {
        known.recording += 1;
        return { change: known, giveBack: () => undefined };
      }
      let sum = 0;
      for (const one of outstanding.values()) sum += one.documents;
      // One alone may be larger than the bound.
      const hasRoom = known === undefined && (sum === 0 || sum + documents <= MOST_DOCUMENTS);
      const unpaidMs = rate.wait(account, now);
      if (hasRoom && unpaidMs === 0) {
        const change = { documents, recording: 1, position: -1 };
        outstanding.set(key, change);
        rate.charge(account, counted, now);
        return { change, giveBack: () => rate.giveBack(account, counted) };
      }
      const left = until - now;
      if (left <= 0 || own.waiting >= MOST_WAITING) {
        const retryMs = Math.max(RETRY_MS, unpaidMs);
        throw tooManyProblem('This licence is changing too many records at the moment.', retryMs);
      }
      own.waiting += 1;
      try {
        if (hasRoom) await pause(clock, Math.min(left, unpaidMs), new AbortController().signal);
        else await this.#waitForOne(outstanding, left);
      } finally {
        own.waiting -= 1;
      }
    }
  }

  /** Forgets the changes that can be read. */
  #forgetWritten(outstanding: Map<string, Outstanding>): void {
    const reached = this.#options.checkpointWaiter.position() ?? -1;
    for (const [key, { recording, position }] of outstanding) {
      if (recording === 0 && position <= reached) outstanding.delete(key);
    }
  }

  /** Waits until the first of the changes can be read, or one may have been recorded. */
  async #waitForOne(outstanding: ReadonlyMap<string, Outstanding>, ms: number): Promise<void> {
    const { clock, checkpointWaiter } = this.#options;
    const positions = [...outstanding.values()].filter(({ recording, position }) => recording === 0 && position >= 0);
    const first = Math.min(...positions.map(({ position }) => position));
    const look = pause(clock, Math.min(ms, LOOK_EVERY_MS), new AbortController().signal);
    if (first < Infinity) await Promise.race([checkpointWaiter.waitFor(first, ms), look]);
    else await look;
  }
}
