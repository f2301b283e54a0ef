import type { Lap } from '../../../projections/leaderboards/best-laps.ts';
import { cars } from '../../../projections/cars.ts';
import type { LapFacts } from '../../../projections/laps.ts';
import { racingEvents, type RacingEventDocument } from '../../../projections/racing-events.ts';
import { readOne } from '../domain/documents.ts';
import { idOf, streamOf } from '../kernel/aggregate/decider.ts';
import type { EventStore, Position, RecordedEvent } from '../kernel/ports/event-store.ts';
import type { ReadModels } from '../kernel/ports/read-store.ts';
import type { Change, LapChange } from './changes.ts';
import { changedFacts, lapBefore, recordedLap, type LapAt } from './lap-at.ts';
import { NameCache, newNameIn } from './names.ts';

/** Where timelines are made from. */
export interface LiveSources {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly models: ReadModels;
  /** Waits until the read models reflect a position. @throws {StoreUnavailable} when that takes too long */
  readonly reflect: (position: Position) => Promise<void>;
}

/** What a timeline begins with. */
export interface LoadedHistory {
  readonly event: RacingEventDocument;
  /** In the order of the log. */
  readonly changes: readonly Change[];
  /** The laps of the event after them. */
  readonly laps: ReadonlyMap<string, LapAt>;
  /** Who has driven a lap in the event, ever; in what and on which layouts. */
  readonly participants: ReadonlySet<string>;
  readonly cars: ReadonlySet<string>;
  readonly layouts: ReadonlySet<string>;
}

/** All changes of a racing event that boards may show, in the order of the log: those up to now, and from now on. */
export class Timeline {
  readonly eventId: string;
  readonly sources: LiveSources;
  readonly names: NameCache;
  readonly changes: Change[];
  /** The racing event by now. */
  event: RacingEventDocument;
  /** Called after each change that comes. */
  onChange: () => void = () => undefined;
  readonly #laps: Map<string, LapAt>;
  /** Who has driven a lap in the event. */
  readonly #participants: Set<string>;
  /** The cars and layouts of these laps. */
  readonly #cars: Set<string>;
  readonly #layouts: Set<string>;
  /** Position of the newest event that has been taken. */
  #position: Position;

  constructor(history: LoadedHistory, sources: LiveSources, position: Position) {
    this.eventId = history.event.id;
    this.event = history.event;
    this.sources = sources;
    this.changes = [...history.changes];
    this.#laps = new Map(history.laps);
    this.#participants = new Set(history.participants);
    this.#cars = new Set(history.cars);
    this.#layouts = new Set(history.layouts);
    this.#position = position;
    this.names = new NameCache(sources.models, () => sources.reflect(this.#position));
  }

  /** Position of the newest change; 0 where there is none. */
  get position(): Position {
    return this.changes.at(-1)?.position ?? 0;
  }

  /** Number of changes up to a position. */
  indexAfter(position: Position): number {
    return this.#firstIndex((change) => change.position > position);
  }

  /** Number of changes before the first that happened after a moment, epoch ms. */
  indexAt(moment: number): number {
    const index = this.changes.findIndex(({ at }) => at > moment);
    return index < 0 ? this.changes.length : index;
  }

  /**
   * Takes an event of the log, in its order; one that it has taken before changes nothing.
   * @throws {StoreUnavailable} when it is to come again
   */
  async take(event: RecordedEvent): Promise<void> {
    if (event.position <= this.#position) return;
    await this.#change(event);
    this.#position = event.position;
  }

  #change(event: RecordedEvent): Promise<void> | null {
    const id = idOf(event.stream);
    switch (event.type) {
      case 'LapRecorded':
        this.#record(event, id);
        return null;
      case 'ParticipantRenamed':
        this.names.rename(id, newNameIn(event));
        if (this.#participants.has(id)) this.#add({ kind: 'rename', ...placeOf(event), participantId: id });
        return null;
      case 'RigRenamed':
        this.names.rename(id, newNameIn(event));
        return null;
      case 'CarRenamed':
      case 'TrackLayoutRenamed':
        this.names.rename(id, newNameIn(event));
        if (this.#isShown(id)) this.#add({ kind: 'event', ...placeOf(event) });
        return null;
      case 'EventRenamed':
      case 'EventTrackLayoutsChanged':
        if (id === this.eventId) this.#add({ kind: 'event', ...placeOf(event) });
        return null;
      case 'CarMovedToClass':
        this.#add({ kind: 'class', ...placeOf(event) });
        return null;
      default:
        return this.#changeLap(event, id);
    }
  }

  /** Whether a car of its laps was moved to another class after a position. */
  async hasMovedCars(position: Position): Promise<boolean> {
    for (const id of this.#cars) {
      const car = await readOne(this.sources.models, cars, id);
      if (car === null || car._revision === 0 || car._position <= position) continue;
      for await (const batch of this.sources.store.readStream(streamOf(cars.category, id))) {
        if (batch.some((event) => event.type === 'CarMovedToClass' && event.position > position)) return true;
      }
    }
    return false;
  }

  /** Reads the racing event again, as it is after a change. */
  async refresh(position: Position): Promise<void> {
    await this.sources.reflect(position);
    this.event = (await readOne(this.sources.models, racingEvents, this.eventId)) ?? this.event;
  }

  #record(event: RecordedEvent, id: string): void {
    const { lap, facts } = recordedLap(event, id);
    if (facts.eventId === this.eventId) this.#addLap(event, lap, { before: null, after: facts });
  }

  #changeLap(event: RecordedEvent, id: string): Promise<void> | null {
    const known = this.#laps.get(id);
    if (known !== undefined) {
      this.#addLap(event, known.lap, { before: known.facts, after: changedFacts(known.facts, event) });
      return null;
    }
    const joins = event.type === 'LapMovedToEvent' && event.data['to'] === this.eventId;
    return joins ? this.#join(event, id) : null;
  }

  /** A lap of another racing event is moved to this one. */
  async #join(event: RecordedEvent, id: string): Promise<void> {
    const found = await lapBefore(this.sources.store, id, event.revision);
    if (found === null) return;
    this.#addLap(event, found.lap, { before: found.facts, after: changedFacts(found.facts, event) });
  }

  #addLap(event: RecordedEvent, lap: Lap, facts: { readonly before: LapFacts | null; readonly after: LapFacts }): void {
    if (facts.after.eventId === this.eventId) this.#laps.set(lap.lapId, { lap, facts: facts.after });
    else this.#laps.delete(lap.lapId);
    this.#participants.add(facts.after.participantId);
    this.#cars.add(facts.after.car);
    this.#layouts.add(facts.after.trackId);
    // The feed follows events of laps and those named in `take`.
    this.#add({ kind: 'lap', ...placeOf(event), cause: event.type as LapChange['cause'], lap, ...facts });
  }

  /** Whether boards name a car or layout. */
  #isShown(id: string): boolean {
    return this.#cars.has(id) || this.#layouts.has(id) || this.event.trackLayoutIds.includes(id);
  }

  #add(change: Change): void {
    this.changes.push(change);
    this.onChange();
  }

  #firstIndex(isPast: (change: Change) => boolean): number {
    let [from, to] = [0, this.changes.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const change = this.changes[middle];
      if (change !== undefined && isPast(change)) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}

function placeOf({ position, metadata }: RecordedEvent): { readonly position: Position; readonly at: number } {
  return { position, at: Date.parse(metadata.occurredAt) };
}
