import { NO_TIME_FROM, SECTORS_KEPT, isMeasured, type BestLap, type Lap } from './best-laps.ts';
import { lapBefore, lapChanges } from './lap-versions.ts';
import { laps, recordedFacts, type LapDocument, type LapFacts } from '../laps.ts';
import { lapEvents } from '../../commands/laps.ts';
import type { DataOf } from '../../src/kernel/event-types.ts';
import type { DocumentMeta } from '../../src/kernel/ports/read-store.ts';
import { projection, readModel } from '../../src/kernel/projection/projection.ts';
import type { Effect, Find, Lookup, Project } from '../../src/kernel/projection/projection.ts';

/** A lap at some moment. */
export interface LapState {
  readonly facts: LapFacts;
  /** As leaderboards show it. */
  readonly lap: BestLap;
}

/** The effect of an event on one document that gathers laps: a lap leaves it, joins it, or changes within it. */
export interface Gathering {
  readonly id: string;
  readonly left: LapState | null;
  readonly joined: LapState | null;
}

interface GatheringOptions {
  /** Id of the document that a lap is in. */
  readonly idOf: (lap: LapFacts) => string;
  /** The effect on the document; null: none. */
  readonly rewrite: (gathering: Gathering, lookup: Lookup, find: Find) => Promise<Effect | null>;
}

/** Whether a lap has a time. A lap without one, such as one of 0 ms, is on no board and counts nowhere. */
export function isDriven({ totalTime }: Pick<LapFacts, 'totalTime'>): boolean {
  return isMeasured(totalTime);
}

/** The condition that a lap has a time. */
export const DRIVEN = { totalTime: { from: 1, to: NO_TIME_FROM } } as const;

type On<K extends keyof typeof lapEvents> = Project<DataOf<(typeof lapEvents)[K]>>;

/**
 * Handlers of the lap events for documents that gather laps: each event rewrites the document that the lap is in, or
 * the one that it leaves and the one that it joins.
 *
 * They look up documents that their event changes. docs/architecture.md#projection-rules forbids that, because a
 * document that is ahead of the event would let later changes flow into another document. Here it is safe: the versions
 * of a lap show it as it was just before the event, and values read from a gathering document go into that document
 * alone. If that document is ahead, it already holds the change and refuses the effect because of its position.
 */
export function gatheringLaps(options: GatheringOptions) {
  const { idOf, rewrite } = options;
  const onRecorded: On<'LapRecorded'> = ({ data, id: lapId, at, recorded }, lookup, find) => {
    const facts = recordedFacts(data, at);
    if (!isDriven(facts)) return [];
    const lap = bestLapOf({ lapId, created: recorded.position, createdAt: at }, facts);
    return rewrite({ id: idOf(facts), left: null, joined: { facts, lap } }, lookup, find);
  };
  return {
    LapRecorded: onRecorded,
    LapCorrected: changing(options, lapChanges.LapCorrected),
    LapValidated: changing(options, lapChanges.LapValidated),
    LapInvalidated: changing(options, lapChanges.LapInvalidated),
    LapReassigned: changing(options, lapChanges.LapReassigned),
    LapMovedToEvent: changing(options, lapChanges.LapMovedToEvent),
    LapCarCorrected: changing(options, lapChanges.LapCarCorrected),
    LapTrackCorrected: changing(options, lapChanges.LapTrackCorrected),
    LapDrivenAtCorrected: changing(options, lapChanges.LapDrivenAtCorrected),
  };
}

/** The same for documents that know the rigs of their laps. */
export function gatheringLapsByRig(options: GatheringOptions) {
  return { ...gatheringLaps(options), LapMovedToRig: changing(options, lapChanges.LapMovedToRig) };
}

/** The handler of an event that changes facts of a lap. */
function changing<D>({ idOf, rewrite }: GatheringOptions, next: (data: D) => Partial<LapFacts>): Project<D> {
  return async ({ data, id, recorded }, lookup, find) => {
    const lap = await lookup(laps, id);
    const before = await lapBefore(lookup, id, recorded.revision);
    if (lap === null || before === null) return null;
    const stateOf = (facts: LapFacts): LapState => ({ facts, lap: bestLapOf(identityOf(lap), facts) });
    const documentOf = ({ facts }: LapState): string | null => (isDriven(facts) ? idOf(facts) : null);
    const left = stateOf(before);
    const joined = stateOf({ ...before, ...next(data) });
    const from = documentOf(left);
    const to = documentOf(joined);
    if (from === to) return from === null ? [] : rewrite({ id: from, left, joined }, lookup, find);
    const effects = [
      from === null ? null : await rewrite({ id: from, left, joined: null }, lookup, find),
      to === null ? null : await rewrite({ id: to, left: null, joined }, lookup, find),
    ];
    return effects.filter((effect) => effect !== null);
  };
}

/** The part of a lap that no change touches. */
export function identityOf({ id, _created, createdAt }: LapDocument): Lap {
  return { lapId: id, created: _created, createdAt };
}

/** A lap as leaderboards show it. */
export function bestLapOf({ lapId, created, createdAt }: Lap, facts: LapFacts): BestLap {
  const { totalTime, car, trackId, drivenAt } = facts;
  const sectors = facts.sectors.slice(0, SECTORS_KEPT);
  return { lapId, totalTime, sectors, car, trackId, drivenAt, created, createdAt };
}

/**
 * A participant once had a lap on a layout with a car (`<participantId>:<trackId>:<car>`); it may have been removed or
 * corrected since. It is written once, and is how the best laps of a participant are found.
 */
export type DrivenCarDocument = DocumentMeta & {
  readonly participantId: string;
  /** The layout. */
  readonly trackId: string;
  readonly car: string;
};

export const drivenCars = readModel<DrivenCarDocument>('drivenCars', {
  category: 'drivenCar',
  version: 2,
  indexes: [['participantId']],
});

export const drivenCarsProjection = projection(
  drivenCars,
  { own: {}, others: lapEvents },
  gatheringLaps({
    idOf: ({ participantId, trackId, car }) => `${participantId}:${trackId}:${car}`,
    rewrite: rewriteDrivenCar,
  }),
);

async function rewriteDrivenCar({ id, joined }: Gathering, lookup: Lookup): Promise<Effect | null> {
  if (joined === null || (await lookup(drivenCars, id)) !== null) return null;
  const { participantId, trackId, car } = joined.facts;
  return drivenCars.insert(id, { participantId, trackId, car });
}

/** A track layout on which laps of a racing event were driven (`<eventId>:<trackId>`). */
export type EventLayoutDocument = DocumentMeta & {
  readonly eventId: string;
  /** The layout. */
  readonly trackId: string;
  /** Number of laps now, valid or not; 0 if all were moved away. */
  readonly laps: number;
  /** Time of the shortest lap that was ever there, in ms. */
  readonly least: number;
  /** ISO 8601: no lap there was driven later, and none was ever said to be. */
  readonly latest: string;
};

export const eventLayouts = readModel<EventLayoutDocument>('eventLayouts', {
  category: 'eventLayout',
  version: 4,
  indexes: [['eventId']],
});

export const eventLayoutsProjection = projection(
  eventLayouts,
  { own: {}, others: lapEvents },
  gatheringLaps({ idOf: ({ eventId, trackId }) => `${eventId}:${trackId}`, rewrite: rewriteEventLayout }),
);

async function rewriteEventLayout({ id, left, joined }: Gathering, lookup: Lookup): Promise<Effect | null> {
  const before = await lookup(eventLayouts, id);
  const { eventId, trackId, totalTime, drivenAt } = (joined ?? left)?.facts ?? NO_LAP;
  const known = before ?? { eventId, trackId, laps: 0, least: totalTime, latest: drivenAt };
  const laps = known.laps + Number(joined !== null) - Number(left !== null);
  const least = joined === null ? known.least : Math.min(known.least, totalTime);
  const latest = joined === null || drivenAt < known.latest ? known.latest : drivenAt;
  if (before === null) return eventLayouts.insert(id, { eventId, trackId, laps, least, latest });
  const isSame = laps === known.laps && least === known.least && latest === known.latest;
  return isSame ? null : eventLayouts.set(id, { laps, least, latest });
}

const NO_LAP = { eventId: '', trackId: '', totalTime: Number.MAX_SAFE_INTEGER, drivenAt: '' };
