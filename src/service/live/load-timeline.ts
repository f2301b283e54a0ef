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
import { racingEvents } from '../../../projections/racing-events.ts';
import { trackLayouts } from '../../../projections/track-layouts.ts';
import { lapsEverIn } from '../../../queries/leaderboards/filters.ts';
import { Allowance } from '../../../queries/leaderboards/sources.ts';
import { readOne } from '../domain/documents.ts';
import { streamOf } from '../kernel/aggregate/decider.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import type { DocumentMeta } from '../kernel/ports/read-store.ts';
import type { ReadModel } from '../kernel/projection/projection.ts';
import { changeOf } from './changes.ts';
import { Timeline, type LiveSources } from './timeline.ts';
import { Yielder } from '../domain/give-way.ts';

/** Most laps and changes of laps of an event that can be watched live. */
export const MAX_CHANGES = 250_000;

/**
 * The timeline of a racing event up to a position, which the read models reflect; null when there is no such event.
 * Documents may be ahead of it: later changes are ignored.
 * @throws {OverBudget} when it has more than MAX_CHANGES
 */
export async function loadTimeline(
  eventId: string,
  position: Position,
  sources: LiveSources,
): Promise<Timeline | null> {
  const event = await readOne(sources.models, racingEvents, eventId);
  if (event === null) return null;
  const timeline = new Timeline(event, sources, position);
  const loader = new TimelineLoader(timeline, position);
  await loader.readLaps();
  await loader.readRenames();
  timeline.changes.sort((a, b) => a.position - b.position);
  return timeline;
}

class TimelineLoader {
  readonly #timeline: Timeline;
  readonly #position: Position;
  readonly #allowance = new Allowance({ budget: MAX_CHANGES });
  readonly #yielder = new Yielder();
  /** Equal texts become one string: hundreds of thousands of changes refer to the same few things. */
  readonly #texts = new Map<string, string>();

  constructor(timeline: Timeline, position: Position) {
    this.#timeline = timeline;
    this.#position = position;
  }

  async readLaps(): Promise<void> {
    const { event, sources } = this.#timeline;
    for await (const batch of lapsEverIn(event.id, { models: sources.models, allowance: this.#allowance })) {
      for (const lap of batch) {
        await this.#addLap(lap);
        await this.#yielder.step();
      }
    }
  }

  async readRenames(): Promise<void> {
    const { event, named } = this.#timeline;
    await this.#readEvents(participants, named.participant, ['ParticipantRenamed']);
    await this.#readEvents(cars, named.car, ['CarRenamed']);
    const layouts = new Set([...named.trackLayout, ...event.trackLayoutIds]);
    await this.#readEvents(trackLayouts, layouts, ['TrackLayoutRenamed']);
    await this.#readEvents(racingEvents, [event.id], ['EventRenamed', 'EventTrackLayoutsChanged']);
  }

  /** Adds the events of these types; a document that was never changed has none, so its stream is not read. */
  async #readEvents(model: ReadModel<DocumentMeta>, ids: Iterable<string>, types: readonly string[]): Promise<void> {
    const { models, store } = this.#timeline.sources;
    for (const id of ids) {
      const document = await readOne(models, model, id);
      if (document === null || document._revision === 0) continue;
      for await (const batch of store.readStream(streamOf(model.category, id))) {
        const found = batch.filter(({ position, type }) => position <= this.#position && types.includes(type));
        for (const event of found) this.#timeline.add(changeOf(event));
      }
    }
  }

  async #addLap(document: LapDocument): Promise<void> {
    if (document._created > this.#position) return;
    const lap = identityOf(document);
    let facts = this.#shared(recordedAs(document));
    const moment = { position: lap.created, at: Date.parse(lap.createdAt) };
    this.#timeline.addLap(lap, { ...moment, cause: 'LapRecorded', before: null, after: facts });
    for (const version of document._revision === 0 ? [] : await this.#versionsOf(document)) {
      if (version._position > this.#position) break;
      const { cause, at, _position: position } = version;
      const after = this.#shared(version);
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

  #shared(lap: LapFacts): LapFacts {
    const facts = factsOf(lap);
    const [eventId, participantId] = [this.#text(facts.eventId), this.#text(facts.participantId)];
    const [rigId, car, trackId] = [this.#text(facts.rigId), this.#text(facts.car), this.#text(facts.trackId)];
    return { ...facts, eventId, participantId, rigId, car, trackId };
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }
}
