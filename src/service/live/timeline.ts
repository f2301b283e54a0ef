import { eventQueueDecider, eventQueueEvents } from '../../../commands/event-queues.ts';
import { lapEvents } from '../../../commands/laps.ts';
import { rigSeatEvents } from '../../../commands/rig-seats.ts';
import type { Lap } from '../../../projections/leaderboards/best-laps.ts';
import { lapChanges, type LapChangeType } from '../../../projections/leaderboards/lap-versions.ts';
import { recordedFacts, type LapFacts } from '../../../projections/laps.ts';
import { cars } from '../../../projections/cars.ts';
import { racingEvents, type RacingEventDocument } from '../../../projections/racing-events.ts';
import { readOne } from '../../domain/documents.ts';
import { dequeuedFrom, type Waiting } from '../../domain/queue-order.ts';
import { idOf, streamOf } from '../../kernel/stream-names.ts';
import { upcast, type DataOf } from '../../kernel/event-types.ts';
import type { EventStore, Position, RecordedEvent, Revision } from '../../kernel/ports/event-store.ts';
import type { ReadModels } from '../../kernel/ports/read-store.ts';
import type { Clock } from '../../kernel/ports/system.ts';
import { changeAt, changeOf, momentOf } from './changes.ts';
import type { Change, LapChange, QueueChange, SeatChange, Subject } from './changes.ts';
import { createNameCache, newNameIn, RENAMING, type NameCache } from './name-cache.ts';

/** A change of a lap, before it is on a timeline. */
export type LapChangeOptions = Pick<LapChange, 'position' | 'at' | 'cause' | 'before' | 'after'>;

export interface LiveSources {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly models: ReadModels;
  /** Waits until the read models reflect a position. @throws {StoreUnavailable} when that takes too long */
  readonly reflect: (position: Position) => Promise<void>;
  readonly clock: Clock;
}

/**
 * All changes of a racing event that boards may show, in the order of the log: past ones, and new ones as they come.
 */
export class Timeline {
  readonly sources: LiveSources;
  readonly names: NameCache;
  readonly changes: Change[] = [];
  /** By participant: the changes that gave or left them a lap. */
  readonly participants = new Map<string, LapChange[]>();
  /** The changes of who sits on which rig, among `changes`, in the same order. */
  readonly seats: SeatChange[] = [];
  /** The changes of who waits, among `changes`, in the same order; a seat that somebody takes may be one. */
  readonly queues: (SeatChange | QueueChange)[] = [];
  /** Everybody who has ever sat on a rig for the event, or waited. */
  readonly present = new Set<string>();
  /** Who waits after all changes. */
  #queue: readonly Waiting[] = [];
  /** Ids that laps of the event refer to, or have ever referred to; and layouts that it no longer lists. */
  readonly named = { car: new Set<string>(), trackLayout: new Set<string>() };
  /** The racing event as it is now. */
  event: RacingEventDocument;
  onChange: () => void = () => undefined;
  #isLoaded = false;
  /** The last refresh that was requested. Refreshes run one at a time, so that the last one reads the newest state. */
  #refreshed = Promise.resolve();
  /** By lap: its newest change. */
  readonly #laps = new Map<string, LapChange>();
  /** Position of the newest event received. */
  #position: Position;

  /** An empty timeline; the caller adds the changes up to the position, in any order, and then calls `loaded`. */
  constructor(event: RacingEventDocument, sources: LiveSources, position: Position) {
    this.event = event;
    this.sources = sources;
    this.#position = position;
    this.names = createNameCache(sources.models, sources.reflect);
  }

  /** Puts the changes that were added into the order of the log. From now on they come in that order. */
  loaded(): void {
    const { clock } = this.sources;
    const now = clock.now();
    const monotonic = clock.monotonic();
    this.changes.sort((a, b) => a.position - b.position);
    let moment = -Infinity;
    for (const change of this.changes) {
      moment = Math.max(moment, change.at);
      change.moment = moment;
      // A clock that is ahead of this one names a moment to come; but what was loaded has happened.
      change.learntAt = monotonic - Math.max(0, now - moment);
    }
    this.#isLoaded = true;
  }

  /** Position of the newest change; 0 if there is none. */
  get position(): Position {
    return this.changes.at(-1)?.position ?? 0;
  }

  /** Number of changes up to a position. */
  indexAfter(position: Position): number {
    return indexOfFirst(this.changes, (change) => change.position > position);
  }

  /** The change at a position; undefined: none is there, or it is not on this timeline. */
  changeAt(position: Position): Change | undefined {
    const change = this.changes[this.indexAfter(position) - 1];
    return change?.position === position ? change : undefined;
  }

  /** Number of changes before the first that is after a moment, epoch ms. */
  indexAt(moment: number): number {
    return indexOfFirst(this.changes, (change) => change.moment > moment);
  }

  /** Number of changes that this process learnt of up to a time of its monotonic clock. */
  indexLearntAt(monotonic: number): number {
    return indexOfFirst(this.changes, (change) => change.learntAt > monotonic);
  }

  /**
   * Receives the next event of the log; one that was received before changes nothing.
   * @throws {StoreUnavailable} when the event must be delivered again
   */
  async take(event: RecordedEvent): Promise<void> {
    if (event.position <= this.#position) return;
    await this.#apply(event);
    this.#position = event.position;
  }

  add(change: Change): void {
    if (this.#isLoaded) {
      const last = this.changes.at(-1);
      change.moment = Math.max(change.at, last?.moment ?? -Infinity);
      change.learntAt = this.sources.clock.monotonic();
    }
    this.changes.push(change);
    this.onChange();
  }

  /** Adds a change of a lap, if the lap is in the racing event before or after it. */
  addLap(lap: Lap, { position, at, cause, before, after }: LapChangeOptions): void {
    if (after.eventId !== this.event.id && before?.eventId !== this.event.id) return;
    const change: LapChange = { kind: 'lap', ...changeAt(position, at), cause, lap, before, after, next: null };
    const last = this.#laps.get(lap.lapId);
    if (last !== undefined) last.next = change;
    this.#laps.set(lap.lapId, change);
    const own = this.participants.get(after.participantId);
    if (own === undefined) this.participants.set(after.participantId, [change]);
    else own.push(change);
    this.named.car.add(after.car);
    this.named.trackLayout.add(after.trackId);
    this.add(change);
  }

  /**
   * Adds a change of who sits on a rig for the event; whoever takes a seat waits no longer. Changes of seats and of the
   * queue are added in the order of the log.
   */
  addSeat({ position, at, id, sitting }: Pick<SeatChange, 'position' | 'at' | 'id' | 'sitting'>): void {
    const left = sitting === null ? this.#queue : dequeuedFrom(this.#queue, sitting.participantId);
    const queue = left === this.#queue ? null : left;
    const change: SeatChange = { kind: 'seat', ...changeAt(position, at), id, sitting, queue };
    if (sitting !== null) this.present.add(sitting.participantId);
    this.seats.push(change);
    if (queue !== null) {
      this.#queue = queue;
      this.queues.push(change);
    }
    this.add(change);
  }

  /** Adds a change of the queue by an event of its stream; one that leaves the queue as it was is none. */
  addQueue(event: RecordedEvent): void {
    const id = this.event.id;
    const after = eventQueueDecider.replay({ eventId: id, queue: this.#queue }, event)?.queue ?? [];
    if (sameQueue(after, this.#queue)) return;
    this.#queue = after;
    const change: QueueChange = { kind: 'queue', ...momentOf(event), id, queue: after };
    for (const { participantId } of after) this.present.add(participantId);
    this.queues.push(change);
    this.add(change);
  }

  /** Whether a lap is in the racing event, or has ever been. */
  hasLap(lapId: string): boolean {
    return this.#laps.has(lapId);
  }

  /** Whether a car of its laps was moved to another class after a position. */
  async hasMovedCars(position: Position): Promise<boolean> {
    for (const id of this.named.car) {
      const car = await readOne(this.sources.models, cars, id);
      if (car === null || car._revision === 0 || car._position <= position) continue;
      for await (const batch of this.sources.store.readStream(streamOf(cars.category, id))) {
        if (batch.some((event) => event.type === 'CarMovedToClass' && event.position > position)) return true;
      }
    }
    return false;
  }

  /**
   * Reads the racing event, the makers of its cars and names of people again, as they are after a change. It may wait for
   * the read models, so call it outside of a turn.
   */
  async refresh(position: Position): Promise<void> {
    await this.sources.reflect(position);
    const refresh = async (): Promise<void> => {
      // A board of a layout that the event no longer lists is still watched.
      for (const id of this.event.trackLayoutIds) this.named.trackLayout.add(id);
      this.event = (await readOne(this.sources.models, racingEvents, this.event.id)) ?? this.event;
      await this.names.refreshBrands(this.named.car);
      await this.names.refreshPeople();
    };
    // Also after one that has failed.
    this.#refreshed = this.#refreshed.then(refresh, refresh);
    await this.#refreshed;
  }

  async #apply(event: RecordedEvent): Promise<void> {
    const id = idOf(event.stream);
    if (event.type in lapEvents) {
      await this.#applyToLap(event, id);
      return;
    }
    if (event.type in rigSeatEvents) {
      this.#applyToSeat(event, id);
      return;
    }
    if (event.type in eventQueueEvents) {
      if (id === this.event.id) this.addQueue(event);
      return;
    }
    if (RENAMING.includes(event.type)) this.names.rename(id, newNameIn(event));
    const shown = changeOf(event);
    if (shown === null || !this.#shows(shown.of, id)) return;
    if (shown.change.kind === 'participant') this.names.outdatePerson(id);
    if (shown.change.kind === 'license') this.names.outdatePeopleOf(id);
    this.add(shown.change);
  }

  #applyToSeat(event: RecordedEvent, id: string): void {
    const { position, at } = momentOf(event);
    // The schemas are those of the types of the events.
    const data = upcast(rigSeatEvents, event);
    if (event.type === 'DriverSeated') {
      const { eventId, participantId, from, before } = data as DataOf<(typeof rigSeatEvents)['DriverSeated']>;
      if (eventId === this.event.id) this.addSeat({ position, at, id, sitting: { participantId, from } });
      else if (before?.eventId === this.event.id) this.addSeat({ position, at, id, sitting: null });
    }
    if (event.type === 'DriverLeft' && data['eventId'] === this.event.id)
      this.addSeat({ position, at, id, sitting: null });
  }

  async #applyToLap(event: RecordedEvent, id: string): Promise<void> {
    if (event.type === 'LapRecorded') {
      if (event.data['eventId'] !== this.event.id) return;
      const { lap, facts } = recordedLap(event, id);
      this.#addLap(event, lap, { before: null, after: facts });
      return;
    }
    const known = this.#laps.get(id);
    if (known?.after.eventId === this.event.id) {
      this.#addLap(event, known.lap, { before: known.after, after: changedFacts(known.after, event) });
      return;
    }
    const joins = event.type === 'LapMovedToEvent' && event.data['to'] === this.event.id;
    if (joins) await this.#join(event, id);
  }

  /** A lap of another racing event is moved to this one. */
  async #join(event: RecordedEvent, id: string): Promise<void> {
    const found = await lapBefore(this.sources.store, id, event.revision);
    if (found === null) return;
    this.#addLap(event, found.lap, { before: found.facts, after: changedFacts(found.facts, event) });
  }

  #addLap(event: RecordedEvent, lap: Lap, facts: Pick<LapChange, 'before' | 'after'>): void {
    // One of the events of laps.
    const cause = event.type as LapChange['cause'];
    const { position, at } = momentOf(event);
    this.addLap(lap, { position, at, cause, ...facts });
  }

  #shows(of: Subject, id: string): boolean {
    const { car, trackLayout } = this.named;
    if (of === 'participant') return this.participants.has(id) || this.present.has(id);
    if (of === 'car') return car.has(id);
    if (of === 'trackLayout') return trackLayout.has(id) || this.event.trackLayoutIds.includes(id);
    return of === 'any' || id === this.event.id;
  }
}

function sameQueue(some: readonly Waiting[], others: readonly Waiting[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ participantId, since }, n) => {
      const other = others[n];
      return other?.participantId === participantId && other.since === since;
    })
  );
}

/** Number of items before the first that passes a test, which all after it pass too. */
function indexOfFirst<T>(items: readonly T[], passes: (item: T) => boolean): number {
  let least = 0;
  let most = items.length;
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    const item = items[middle];
    if (item !== undefined && passes(item)) most = middle;
    else least = middle + 1;
  }
  return least;
}

function recordedLap(event: RecordedEvent, lapId: string) {
  // The schema is that of the event's type.
  const data = upcast(lapEvents, event) as DataOf<(typeof lapEvents)['LapRecorded']>;
  const createdAt = event.metadata.occurredAt;
  return { lap: { lapId, created: event.position, createdAt }, facts: recordedFacts(data, createdAt) };
}

/** The facts of a lap after an event that changes it. */
function changedFacts(before: LapFacts, event: RecordedEvent): LapFacts {
  // The cast is right for the same reason.
  const changesOf = lapChanges[event.type as LapChangeType] as (data: unknown) => Partial<LapFacts>;
  return { ...before, ...changesOf(upcast(lapEvents, event)) };
}

/** A lap just before its event at a revision, read from its stream; null: it did not exist. */
async function lapBefore(store: Pick<EventStore, 'readStream'>, lapId: string, revision: Revision) {
  const events: RecordedEvent[] = [];
  for await (const batch of store.readStream(streamOf('lap', lapId))) {
    events.push(...batch.filter((event) => event.revision < revision));
  }
  const [first, ...changes] = events;
  if (first === undefined) return null;
  const { lap, facts } = recordedLap(first, lapId);
  return { lap, facts: changes.reduce(changedFacts, facts) };
}
