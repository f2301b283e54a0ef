import { followingPublicNames, participants } from './participants.ts';
import { racingEvents } from './racing-events.ts';
import { rigs } from './rigs.ts';
import { trackLayouts } from './track-layouts.ts';
import { lapEvents } from '../commands/laps.ts';
import { licenseEvents } from '../commands/licenses.ts';
import { participantEvents } from '../commands/participants.ts';
import { racingEventEvents } from '../commands/racing-events.ts';
import { rigEvents } from '../commands/rigs.ts';
import { trackLayoutEvents } from '../commands/track-layouts.ts';
import { isShared } from '../src/domain/access.ts';
import type { DataOf } from '../src/kernel/event-types.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { Fields, Lookup, ProjectionEvent } from '../src/kernel/projection/projection.ts';
import type { EventMetadata } from '../src/kernel/ports/event-store.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

/** A lap as it is shown; `car` is the id of the car, `trackId` that of the track layout. */
export type LapDocument = DocumentMeta & {
  readonly participantId: string;
  /** The name by which everybody sees the driver. */
  readonly participantName: string;
  readonly rigId: string;
  readonly rigName: string | null;
  readonly eventId: string;
  readonly eventName: string;
  readonly sectors: readonly number[];
  readonly totalTime: number;
  readonly valid: boolean;
  readonly car: string;
  readonly trackId: string;
  readonly trackDisplayName: string;
  /** When it was driven, as the rig says; by default, when it was recorded. */
  readonly drivenAt: string;
  /** Number of the lap on the rig that recorded it; null: the rig does not number its laps. */
  readonly sequence: { readonly boot: string; readonly number: number } | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The facts that it was recorded with, once they have changed; later ones are in `lapVersions`. For leaderboards. */
  readonly _recorded?: LapFacts;
  /**
   * The strikes of the lap (`<participantId>:<licenseId>`): its driver at that time, and the licence that struck it. A
   * strike stands until that licence, the operator or an ADMIN key reinstates the lap. The bests of a driver leave out
   * laps that an owner of the driver has struck.
   */
  readonly _strikes?: readonly string[];
  /**
   * Its layout, as a list, while it is valid although a strike of it stands: an index finds these few laps, which public
   * bests may leave out.
   */
  readonly _contested?: readonly string[];
};

/**
 * What leaderboards need to know of a lap; live boards show the rig, too. `car` is the id of the car, which requests and
 * events call `carId`; `trackId` is the id of the track layout.
 */
export type LapFacts = Pick<
  LapDocument,
  'eventId' | 'participantId' | 'rigId' | 'totalTime' | 'sectors' | 'valid' | 'car' | 'trackId' | 'drivenAt'
>;

export function factsOf(lap: LapFacts): LapFacts {
  const { eventId, participantId, rigId, totalTime, sectors, valid, car, trackId, drivenAt } = lap;
  return { eventId, participantId, rigId, totalTime, sectors, valid, car, trackId, drivenAt };
}

/** The facts of a lap that is recorded at a moment, ISO 8601. */
export function recordedFacts(lap: DataOf<typeof lapEvents.LapRecorded>, at: string): LapFacts {
  const { eventId, participantId, rigId, totalTime, sectors, valid, carId: car, trackId, drivenAt = at } = lap;
  return { eventId, participantId, rigId, totalTime, sectors, valid, car, trackId, drivenAt };
}

/** The index that finds the fastest lap of a driver that is not too short. */
export const LAPS_BY_DRIVER = ['eventId', 'participantId', 'trackId', 'valid', 'totalTime'] as const;

export const laps = readModel<LapDocument>('laps', {
  category: 'lap',
  version: 8,
  indexes: [
    ['_contested[]'],
    ['totalTime'],
    ['eventId', 'totalTime'],
    LAPS_BY_DRIVER,
    ['participantId', 'trackId', 'car', 'valid', 'totalTime'],
  ],
  columns: ['eventId', 'participantId', 'rigId', 'car', 'trackId', 'valid', 'totalTime', 'createdAt', 'drivenAt'],
});

export const lapsProjection = projection(
  laps,
  {
    own: lapEvents,
    others: { ...participantEvents, ...licenseEvents, ...rigEvents, ...racingEventEvents, ...trackLayoutEvents },
  },
  {
    LapRecorded: async ({ data, id, at }, look) =>
      laps.insert(id, {
        participantName: (await look(participants, data.participantId))?.publicName ?? '',
        rigName: (await look(rigs, data.rigId))?.name ?? null,
        eventName: (await look(racingEvents, data.eventId))?.name ?? '',
        trackDisplayName: (await look(trackLayouts, data.trackId))?.displayName ?? '',
        sequence: data.sequence ?? null,
        createdAt: at,
        updatedAt: at,
        // Last, which is much faster (test/bench/README.md, "Spread last").
        ...recordedFacts(data, at),
      }),
    LapCorrected: (event, look) => change(event, look, event.data),
    LapValidated: async (event, look) => {
      const before = await look(laps, event.id);
      return change(event, look, { valid: true, ...broughtBack(before, event.recorded.metadata) });
    },
    LapInvalidated: async (event, look) => {
      const before = await look(laps, event.id);
      return change(event, look, { valid: false, ...struck(before, event.recorded.metadata) });
    },
    LapReassigned: async (event, look) => {
      const { to } = event.data;
      const participantName = (await look(participants, to))?.publicName ?? '';
      return change(event, look, { participantId: to, participantName });
    },
    LapMovedToRig: async (event, look) => {
      const { to } = event.data;
      return change(event, look, { rigId: to, rigName: (await look(rigs, to))?.name ?? null });
    },
    LapMovedToEvent: async (event, look) => {
      const { to } = event.data;
      return change(event, look, { eventId: to, eventName: (await look(racingEvents, to))?.name ?? '' });
    },
    LapCarCorrected: (event, look) => change(event, look, { car: event.data.to }),
    LapTrackCorrected: async (event, look) => {
      const { to } = event.data;
      const contested = (await look(laps, event.id))?._contested ?? [];
      const trackDisplayName = (await look(trackLayouts, to))?.displayName ?? '';
      const fields = { trackId: to, trackDisplayName };
      return change(event, look, contested.length === 0 ? fields : { ...fields, _contested: [to] });
    },
    LapDrivenAtCorrected: (event, look) => change(event, look, { drivenAt: event.data.to }),
    ...followingPublicNames((participantId, participantName) =>
      laps.setWhere('participantId', participantId, { participantName }),
    ),
    RigRenamed: ({ data, id }) => laps.setWhere('rigId', id, { rigName: data.name }),
    EventRenamed: ({ data, id }) => laps.setWhere('eventId', id, { eventName: data.name }),
    TrackLayoutRenamed: ({ data, id }) => laps.setWhere('trackId', id, { trackDisplayName: data.displayName }),
  },
);

/** The text of a strike for the driver of a lap. */
export function strikeOf(participantId: string, licenseId: string): string {
  return `${participantId}:${licenseId}`;
}

type Strikes = Pick<LapDocument, '_strikes' | '_contested'>;

/** The strikes of a lap after one more. As in `change`, a lap that is ahead of the event ignores them. */
function struck(lap: LapDocument | null, { licenseId }: EventMetadata): Strikes {
  if (lap === null) return {};
  if (licenseId === undefined) return uncontested(lap);
  const strikes = new Set(lap._strikes);
  strikes.add(strikeOf(lap.participantId, licenseId));
  return { ...uncontested(lap), _strikes: [...strikes] };
}

/** The strikes that stand once a licence has reinstated the lap: the operator and ADMIN keys remove all. */
function broughtBack(lap: LapDocument | null, metadata: EventMetadata): Strikes {
  if (lap?._strikes === undefined) return {};
  const { licenseId = '', role } = metadata;
  // The events of a release without owners do not say the role.
  const takesBackAll = role === undefined || isShared(metadata);
  const standing = takesBackAll ? [] : lap._strikes.filter((strike) => !strike.endsWith(`:${licenseId}`));
  if (standing.length === 0) return { ...uncontested(lap), _strikes: [] };
  return { _strikes: standing, _contested: [lap.trackId] };
}

/** What says that a lap is not valid against a strike any more; nothing for one that never was. */
function uncontested({ _contested: before }: LapDocument): Strikes {
  return before === undefined ? {} : { _contested: [] };
}

/**
 * Sets new values and, at the first change, keeps those that the lap was recorded with. These are the only values that a
 * handler takes from the document that its event changes: a lap that is ahead of the event refuses the whole change.
 */
async function change({ id, at }: ProjectionEvent<unknown>, look: Lookup, fields: Partial<Fields<LapDocument>>) {
  const lap = await look(laps, id);
  const changed = { ...fields, updatedAt: at };
  if (lap === null || lap._recorded !== undefined) return laps.set(id, changed);
  return laps.set(id, { ...changed, _recorded: factsOf(lap) });
}
