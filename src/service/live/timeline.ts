import { lapEvents } from '../../../commands/laps.ts';
import type { Lap } from '../../../projections/leaderboards/best-laps.ts';
import { lapChanges, type LapChangeType } from '../../../projections/leaderboards/lap-versions.ts';
import { recordedFacts, type LapFacts } from '../../../projections/laps.ts';
import { cars } from '../../../projections/cars.ts';
import { racingEvents, type RacingEventDocument } from '../../../projections/racing-events.ts';
import { readOne } from '../domain/documents.ts';
import { idOf, streamOf } from '../kernel/aggregate/decider.ts';
import { upcast, type DataOf } from '../kernel/event-types.ts';
import type { EventStore, Position, RecordedEvent, Revision } from '../kernel/ports/event-store.ts';
import type { ReadModels } from '../kernel/ports/read-store.ts';
import { changeOf, momentOf, type Change, type LapChange, type Subject } from './changes.ts';
import { createNameCache, newNameIn, RENAMING, type NameCache } from './names.ts';

export interface LiveSources {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly models: ReadModels;
  /** Waits until the read models reflect a position. @throws {StoreUnavailable} when that takes too long */
  readonly reflect: (position: Position) => Promise<void>;
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
  /** Ids that laps of the event refer to, or have ever referred to; and layouts that it no longer lists. */
  readonly named = { car: new Set<string>(), trackLayout: new Set<string>() };
  /** The racing event as it is now. */
  event: RacingEventDocument;
  onChange: () => void = () => undefined;
  /** The last refresh that was asked for: they run one at a time, so that what is read last is newest. */
  #refreshed = Promise.resolve();
  /** By lap: its newest change. */
  readonly #laps = new Map<string, LapChange>();
  /** Position of the newest event received. */
  #position: Position;

  /** An empty timeline; the caller adds the changes up to the position. */
  constructor(event: RacingEventDocument, sources: LiveSources, position: Position) {
    this.event = event;
    this.sources = sources;
    this.#position = position;
    this.names = createNameCache(sources.models, () => sources.reflect(this.#position));
  }

  /** Position of the newest change; 0 if there is none. */
  get position(): Position {
    return this.changes.at(-1)?.position ?? 0;
  }

  /** Number of changes up to a position. */
  indexAfter(position: Position): number {
    return this.changes.findLastIndex((change) => change.position <= position) + 1;
  }

  /** Number of changes before the first that happened after a moment, epoch ms. */
  indexAt(moment: number): number {
    const index = this.changes.findIndex(({ at }) => at > moment);
    return index < 0 ? this.changes.length : index;
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
    this.changes.push(change);
    this.onChange();
  }

  /** Adds a change of a lap, if the lap is in the racing event before or after it. */
  addLap(lap: Lap, { position, at, cause, before, after }: Omit<LapChange, 'kind' | 'lap' | 'next'>): void {
    if (after.eventId !== this.event.id && before?.eventId !== this.event.id) return;
    const change: LapChange = { kind: 'lap', position, at, cause, lap, before, after, next: null };
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

  /** Reads the racing event and the makers of its cars again, as they are after a change. */
  refresh(position: Position): Promise<void> {
    const refresh = async (): Promise<void> => {
      await this.sources.reflect(position);
      // A board of a layout that the event no longer lists is still watched.
      for (const id of this.event.trackLayoutIds) this.named.trackLayout.add(id);
      this.event = (await readOne(this.sources.models, racingEvents, this.event.id)) ?? this.event;
      await this.names.refreshBrands(this.named.car);
    };
    // Also after one that has failed.
    this.#refreshed = this.#refreshed.then(refresh, refresh);
    return this.#refreshed;
  }

  #apply(event: RecordedEvent): Promise<void> | null {
    const id = idOf(event.stream);
    if (event.type in lapEvents) return this.#applyToLap(event, id);
    if (RENAMING.includes(event.type)) this.names.rename(id, newNameIn(event));
    const shown = changeOf(event);
    if (shown !== null && this.#shows(shown.of, id)) this.add(shown.change);
    return null;
  }

  #applyToLap(event: RecordedEvent, id: string): Promise<void> | null {
    if (event.type === 'LapRecorded') {
      if (event.data['eventId'] !== this.event.id) return null;
      const { lap, facts } = recordedLap(event, id);
      this.#addLap(event, lap, { before: null, after: facts });
      return null;
    }
    const known = this.#laps.get(id);
    if (known?.after.eventId === this.event.id) {
      this.#addLap(event, known.lap, { before: known.after, after: changedFacts(known.after, event) });
      return null;
    }
    const joins = event.type === 'LapMovedToEvent' && event.data['to'] === this.event.id;
    return joins ? this.#join(event, id) : null;
  }

  /** A lap of another racing event is moved to this one. */
  async #join(event: RecordedEvent, id: string): Promise<void> {
    const found = await lapBefore(this.sources.store, id, event.revision);
    if (found === null) return;
    this.#addLap(event, found.lap, { before: found.facts, after: changedFacts(found.facts, event) });
  }

  #addLap(event: RecordedEvent, lap: Lap, facts: Pick<LapChange, 'before' | 'after'>): void {
    // One of the events of laps.
    this.addLap(lap, { cause: event.type as LapChange['cause'], ...momentOf(event), ...facts });
  }

  #shows(of: Subject, id: string): boolean {
    const { car, trackLayout } = this.named;
    if (of === 'participant') return this.participants.has(id);
    if (of === 'car') return car.has(id);
    if (of === 'trackLayout') return trackLayout.has(id) || this.event.trackLayoutIds.includes(id);
    return of === 'any' || id === this.event.id;
  }
}

function recordedLap(event: RecordedEvent, lapId: string) {
  // The schema is that of the event's type.
  const data = upcast(lapEvents, event) as DataOf<(typeof lapEvents)['LapRecorded']>;
  const createdAt = event.metadata.occurredAt;
  return { lap: { lapId, created: event.position, createdAt }, facts: recordedFacts(data, createdAt) };
}

/** The facts of a lap after an event that changes it. */
function changedFacts(before: LapFacts, event: RecordedEvent): LapFacts {
  // As above.
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
