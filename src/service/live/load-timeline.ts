import { eventQueueDecider } from '../../../commands/event-queues.ts';
import { carBrands } from '../../../projections/car-brands.ts';
import { cars } from '../../../projections/cars.ts';
import { identityOf } from '../../../projections/leaderboards/gathering-laps.ts';
import { lapDepartures, lapVersions, recordedAs, versionId } from '../../../projections/leaderboards/lap-versions.ts';
import type { LapVersionDocument } from '../../../projections/leaderboards/lap-versions.ts';
import { laps, type LapDocument, type LapFacts } from '../../../projections/laps.ts';
import { participants } from '../../../projections/participants.ts';
import { racingEvents } from '../../../projections/racing-events.ts';
import { seatChanges } from '../../../projections/rig-seats.ts';
import { trackLayouts } from '../../../projections/track-layouts.ts';
import { Allowance } from '../../../queries/leaderboards/sources.ts';
import { readOne } from '../../domain/documents.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { DocumentMeta, Visits } from '../../kernel/ports/read-store.ts';
import type { ReadModel } from '../../kernel/projection/projection.ts';
import { changeOf } from './changes.ts';
import { Timeline, type LiveSources } from './timeline.ts';
import { createYielder } from '../../runtime/give-way.ts';

/** Most laps and changes of laps of an event that can be watched live. */
export const MAX_CHANGES = 250_000;

interface TimelineRequest {
  readonly eventId: string;
  /** Up to which position; the read models reflect it. */
  readonly position: Position;
  readonly sources: LiveSources;
  readonly signal: AbortSignal;
  /** Counts the documents that are read. */
  readonly visits?: Visits | undefined;
}

/**
 * The timeline of a racing event up to a position; null when there is no such event. Documents may be ahead of it: later
 * changes are ignored.
 * @throws {OverBudget} when it has more than MAX_CHANGES
 * @throws the signal's reason
 */
export async function loadTimeline(request: TimelineRequest): Promise<Timeline | null> {
  const { eventId, position, sources } = request;
  const event = await readOne(sources.models, racingEvents, eventId);
  if (event === null) return null;
  const timeline = new Timeline(event, sources, position);
  const loader = new TimelineLoader(timeline, request);
  await loader.readLaps();
  await loader.readSeats();
  await loader.readRenames();
  timeline.loaded();
  return timeline;
}

class TimelineLoader {
  readonly #timeline: Timeline;
  readonly #position: Position;
  readonly #allowance: Allowance;
  readonly #step: ReturnType<typeof createYielder>;
  /** Equal texts become one string: hundreds of thousands of changes refer to the same few things. */
  readonly #texts = new Map<string, string>();

  constructor(timeline: Timeline, { position, signal, visits }: TimelineRequest) {
    this.#timeline = timeline;
    this.#position = position;
    const bounds = { budget: MAX_CHANGES, signal };
    this.#allowance = new Allowance(visits === undefined ? bounds : { ...bounds, visits });
    this.#step = createYielder(signal);
  }

  async readLaps(): Promise<void> {
    for await (const batch of this.#lapsEverIn()) {
      for (const lap of batch) {
        if (lap._created <= this.#position) this.#addLap(lap, lap._revision === 0 ? [] : await this.#versionsOf(lap));
        const pause = this.#step();
        if (pause !== null) await pause;
      }
    }
  }

  /** Reads who has sat on which rig for the event, and who has waited: in the order of the log, as one changes the other. */
  async readSeats(): Promise<void> {
    const { event, sources } = this.#timeline;
    const additions: { readonly position: Position; readonly add: () => void }[] = [];
    for await (const batch of this.#allowance.all(sources.models, seatChanges, { eventId: event.id })) {
      for (const { rigId, participantId, from, at, _created: position } of batch) {
        if (position > this.#position) continue;
        const sitting = participantId === null || from === null ? null : { participantId, from };
        const seat = { position, at: Date.parse(at), id: rigId, sitting };
        additions.push({ position, add: () => this.#timeline.addSeat(seat) });
      }
      await this.#step();
    }
    for await (const batch of sources.store.readStream(streamOf(eventQueueDecider.category, event.id))) {
      this.#allowance.spend(batch.length);
      for (const recorded of batch.filter(({ position }) => position <= this.#position))
        additions.push({ position: recorded.position, add: () => this.#timeline.addQueue(recorded) });
      await this.#step();
    }
    additions.sort((a, b) => a.position - b.position);
    for (const { add } of additions) add();
  }

  async readRenames(): Promise<void> {
    const { event, named, participants: drivers, present, sources } = this.#timeline;
    await this.#readEvents(participants, new Set([...drivers.keys(), ...present]));
    await this.#readEvents(cars, named.car);
    // The makers that the cars have now.
    const brandIds = new Set<string>();
    for (const id of named.car) {
      const car = await readOne(sources.models, cars, id);
      if (car !== null) brandIds.add(car.brandId);
    }
    await this.#readEvents(carBrands, brandIds);
    await this.#readEvents(trackLayouts, new Set([...named.trackLayout, ...event.trackLayoutIds]));
    await this.#readEvents(racingEvents, [event.id]);
  }

  /**
   * Adds the changes of things; a document that was never changed has none, so its stream is not read. The classes that
   * cars had before are not kept: a board is that of the present ones.
   */
  async #readEvents(model: ReadModel<DocumentMeta>, ids: Iterable<string>): Promise<void> {
    const { models, store } = this.#timeline.sources;
    for (const id of ids) {
      await this.#step();
      const document = await readOne(models, model, id);
      if (document === null || document._revision === 0) continue;
      for await (const batch of store.readStream(streamOf(model.category, id))) {
        const past = batch.filter(({ position }) => position <= this.#position);
        const changes = past.flatMap((event) => changeOf(event)?.change ?? []);
        for (const change of changes.filter(({ kind }) => kind !== 'class')) this.#timeline.add(change);
      }
    }
  }

  /**
   * The laps of the event, in batches: the laps that are in it now, and then the laps that have left it, so that a lap
   * that leaves during the read is not missed. Each lap comes once.
   */
  async *#lapsEverIn(): AsyncGenerator<readonly LapDocument[]> {
    const { event, sources } = this.#timeline;
    const eventId = event.id;
    yield* this.#allowance.all(sources.models, laps, { eventId });
    for await (const batch of this.#allowance.all(sources.models, lapDepartures, { eventId })) {
      for (const { lapId } of batch) {
        const lap = this.#timeline.hasLap(lapId) ? null : await readOne(sources.models, laps, lapId);
        if (lap !== null) yield [lap];
      }
    }
  }

  #addLap(document: LapDocument, versions: readonly LapVersionDocument[]): void {
    const { lapId, created, createdAt } = identityOf(document);
    const lap = { lapId: copied(lapId), created, createdAt: copied(createdAt) };
    let facts = this.#shared(recordedAs(document), lap.createdAt);
    const at = Date.parse(lap.createdAt);
    this.#timeline.addLap(lap, { position: lap.created, at, cause: 'LapRecorded', before: null, after: facts });
    for (const version of versions) {
      if (version._position > this.#position) break;
      const { cause, at, _position: position } = version;
      const after = this.#shared(version, lap.createdAt);
      this.#timeline.addLap(lap, { position, at: Date.parse(at), cause, before: facts, after });
      facts = after;
    }
  }

  /** The versions of a lap; those that do not exist yet are of events after the position. */
  async #versionsOf({ id, _revision }: LapDocument): Promise<readonly LapVersionDocument[]> {
    this.#allowance.spend(_revision);
    const versions: LapVersionDocument[] = [];
    for (let revision = 1; revision <= _revision; revision += 1) {
      const version = await readOne(this.#timeline.sources.models, lapVersions, versionId(id, revision));
      if (version !== null) versions.push(version);
    }
    return versions;
  }

  #shared(
    { eventId, participantId, rigId, totalTime, sectors, valid, car, trackId, drivenAt }: LapFacts,
    created: string,
  ): LapFacts {
    return {
      eventId: this.#text(eventId),
      participantId: this.#text(participantId),
      rigId: this.#text(rigId),
      totalTime,
      sectors,
      valid,
      car: this.#text(car),
      trackId: this.#text(trackId),
      drivenAt: drivenAt === created ? created : copied(drivenAt),
    };
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const own = copied(text);
    this.#texts.set(own, own);
    return own;
  }
}

/** A copy of a text: that of a document may be a slice of a longer text, which would stay in memory with it. */
function copied(text: string): string {
  return Buffer.from(text).toString();
}
