import type { Lap } from '../../../projections/leaderboards/best-laps.ts';
import { cars } from '../../../projections/cars.ts';
import { identityOf } from '../../../projections/leaderboards/gathering-laps.ts';
import {
  lapVersions,
  recordedAs,
  versionId,
  type LapVersionDocument,
} from '../../../projections/leaderboards/lap-versions.ts';
import { factsOf, type LapDocument, type LapFacts } from '../../../projections/laps.ts';
import { participants } from '../../../projections/participants.ts';
import { racingEvents, type RacingEventDocument } from '../../../projections/racing-events.ts';
import { trackLayouts } from '../../../projections/track-layouts.ts';
import { lapsEverIn } from '../../../queries/leaderboards/filters.ts';
import { Allowance } from '../../../queries/leaderboards/sources.ts';
import { readOne } from '../domain/documents.ts';
import { streamOf } from '../kernel/aggregate/decider.ts';
import type { Position, RecordedEvent } from '../kernel/ports/event-store.ts';
import type { DocumentMeta } from '../kernel/ports/read-store.ts';
import type { ReadModel } from '../kernel/projection/projection.ts';
import type { Change } from './changes.ts';
import type { LapAt } from './lap-at.ts';
import type { LiveSources, LoadedHistory } from './timeline.ts';
import { Slices } from './turns.ts';

/** Laps, and changes of laps, that an event may have to be watched live. */
export const MAX_CHANGES = 250_000;

/**
 * The history of a racing event up to a position, which the read models reflect; null when there is no such event.
 * Documents may be ahead: what came after the position is left out.
 * @throws {OverBudget} when it has more than MAX_CHANGES
 */
export async function loadHistory(
  eventId: string,
  position: Position,
  sources: LiveSources,
): Promise<LoadedHistory | null> {
  const event = await readOne(sources.models, racingEvents, eventId);
  if (event === null) return null;
  const history = new HistoryLoader(eventId, position, sources);
  await history.readLaps();
  await history.readRenames(event);
  return { event, ...history.result() };
}

class HistoryLoader {
  readonly #eventId: string;
  readonly #position: Position;
  readonly #sources: LiveSources;
  readonly #allowance = new Allowance({ budget: MAX_CHANGES });
  readonly #slices = new Slices();
  readonly #changes: Change[] = [];
  readonly #laps = new Map<string, LapAt>();
  readonly #participants = new Set<string>();
  readonly #cars = new Set<string>();
  readonly #layouts = new Set<string>();
  /** One text for all that are the same: of some hundred thousand changes, most name the same things. */
  readonly #texts = new Map<string, string>();

  constructor(eventId: string, position: Position, sources: LiveSources) {
    this.#eventId = eventId;
    this.#position = position;
    this.#sources = sources;
  }

  result(): Omit<LoadedHistory, 'event'> {
    const changes = this.#changes.sort((a, b) => a.position - b.position);
    return { changes, laps: this.#laps, participants: this.#participants, cars: this.#cars, layouts: this.#layouts };
  }

  async readLaps(): Promise<void> {
    const { models } = this.#sources;
    for await (const batch of lapsEverIn(this.#eventId, { models, allowance: this.#allowance })) {
      for (const lap of batch) {
        await this.#addLap(lap);
        await this.#slices.step();
      }
    }
  }

  async readRenames(event: RacingEventDocument): Promise<void> {
    await this.#readChangesOf(participants, this.#participants, 'ParticipantRenamed');
    await this.#readChangesOf(cars, this.#cars, 'CarRenamed');
    await this.#readChangesOf(trackLayouts, new Set([...this.#layouts, ...event.trackLayoutIds]), 'TrackLayoutRenamed');
    await this.#readChangesOf(racingEvents, new Set([event.id]), 'EventRenamed', 'EventTrackLayoutsChanged');
  }

  /** Reads these events of some things; of those that were never changed, the documents tell that there is none. */
  async #readChangesOf(
    model: ReadModel<DocumentMeta>,
    ids: ReadonlySet<string>,
    ...types: readonly string[]
  ): Promise<void> {
    for (const id of ids) {
      const document = await readOne(this.#sources.models, model, id);
      if (document === null || document._revision === 0) continue;
      for await (const event of this.#eventsOf(model.category, id)) {
        if (types.includes(event.type)) this.#changes.push(changeOf(event, id));
      }
    }
  }

  async *#eventsOf(category: string, id: string): AsyncGenerator<RecordedEvent> {
    for await (const batch of this.#sources.store.readStream(streamOf(category, id))) {
      for (const event of batch) if (event.position <= this.#position) yield event;
    }
  }

  async #addLap(document: LapDocument): Promise<void> {
    if (document._created > this.#position) return;
    const lap = identityOf(document);
    let facts = this.#shared(recordedAs(document));
    this.#add(lap, {
      cause: 'LapRecorded',
      before: null,
      after: facts,
      position: lap.created,
      at: Date.parse(lap.createdAt),
    });
    for (const version of document._revision === 0 ? [] : await this.#versionsOf(document)) {
      if (version._position > this.#position) break;
      const { cause, at, _position: position } = version;
      const after = this.#shared(factsOf(version));
      this.#add(lap, { cause, before: facts, after, position, at: Date.parse(at) });
      facts = after;
    }
    if (facts.eventId === this.#eventId) this.#laps.set(lap.lapId, { lap, facts });
  }

  /** Versions that are not there yet are of events after the position. */
  async #versionsOf({ id, _revision }: LapDocument): Promise<readonly LapVersionDocument[]> {
    this.#allowance.spend(_revision);
    const versions: LapVersionDocument[] = [];
    for (let revision = 1; revision <= _revision; revision += 1) {
      const version = await readOne(this.#sources.models, lapVersions, versionId(id, revision));
      if (version !== null) versions.push(version);
    }
    return versions;
  }

  #add(lap: Lap, change: Omit<Extract<Change, { kind: 'lap' }>, 'kind' | 'lap'>): void {
    const { before, after } = change;
    if (before?.eventId !== this.#eventId && after.eventId !== this.#eventId) return;
    this.#participants.add(after.participantId);
    this.#cars.add(after.car);
    this.#layouts.add(after.trackId);
    this.#changes.push({ kind: 'lap', lap, ...change });
  }

  #shared(facts: LapFacts): LapFacts {
    const { eventId, participantId, rigId, car, trackId } = facts;
    const [event, participant, rig] = [this.#text(eventId), this.#text(participantId), this.#text(rigId)];
    return {
      ...factsOf(facts),
      eventId: event,
      participantId: participant,
      rigId: rig,
      car: this.#text(car),
      trackId: this.#text(trackId),
    };
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }
}

/** The change that another name is, or other layouts are. */
function changeOf({ type, position, metadata }: RecordedEvent, id: string): Change {
  const place = { position, at: Date.parse(metadata.occurredAt) };
  return type === 'ParticipantRenamed' ? { kind: 'rename', ...place, participantId: id } : { kind: 'event', ...place };
}
