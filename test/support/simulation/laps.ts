import { changeLap, lapDecider, type LapCommand } from '../../../commands/laps.ts';
import { builtInProjections } from '../../../src/service/resources/read-models.ts';
import type { DecidedEvent } from '../../../src/service/kernel/event-types.ts';
import type { EventStore } from '../../../src/service/kernel/ports/event-store.ts';
import { decideAll, Rejection } from '../../../src/service/kernel/aggregate/decider.ts';
import { layoutAdded, registered, scheduledAs, told } from '../history/lap-events.ts';
import type { Simulated } from './projectors.ts';
import type { RandomSource } from './random.ts';

type Lap = NonNullable<typeof lapDecider.initial>;
type Happening = DecidedEvent & { readonly stream: string };

const PARENT = '00000000-0000-7000-8000-0000000000ff';
const idsOf = (kind: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `00000000-0000-7000-8000-000000000${kind}${n}`);

const trackIds = idsOf('0d', 3);

/** What laps may refer to. */
export type Referents = Readonly<
  Record<'participantIds' | 'eventIds' | 'carIds' | 'trackIds' | 'rigIds', readonly string[]>
>;

/** What laps refer to. */
export const world = {
  participantIds: idsOf('0a', 3),
  eventIds: idsOf('0b', 2),
  carIds: idsOf('0c', 2),
  trackIds,
  /** The layouts that events name. */
  ownTrackIds: trackIds.slice(0, 1),
  rigIds: idsOf('0e', 2),
  carClassIds: idsOf('0f', 2),
};

/** When the n-th event of a history happened. */
export function instantOf(n: number): string {
  return new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString();
}

/**
 * Appends a history of laps, recorded and changed in all ways, several at once, with many equal times; and of what laps
 * refer to.
 */
export async function appendLaps(store: EventStore, chances: RandomSource, events: number): Promise<void> {
  const laps = new Map<string, Lap>();
  const so = { far: 0 };
  const append = async ({ stream, type, data }: Happening): Promise<void> => {
    const n = so.far++;
    const metadata = { version: 1, occurredAt: instantOf(n), commandId: `c${n}`, correlationId: `r${n}` };
    await store.append(stream, [{ id: `e${n}`, type, data, metadata }], 'any');
  };
  for (const happening of beginnings()) await append(happening);
  while (so.far < events) {
    const renames = chances.oneIn(Math.max(RENAME, events / RENAMES));
    const happening = renames ? [renamed(chances, `n${so.far}`)] : happenings(laps, chances, so.far);
    for (const one of happening) await append(one);
  }
}

function beginnings(): readonly Happening[] {
  const { participantIds, eventIds, carIds, trackIds, ownTrackIds, rigIds, carClassIds } = world;
  return [
    ...participantIds.map((id) => registered(id, 'Ada', { licenseId: PARENT, lastName: id })),
    ...eventIds.map((id) =>
      scheduledAs(id, { name: id, slug: 'slug', simulatorId: PARENT, carIds, trackLayoutIds: ownTrackIds, rigIds }),
    ),
    ...carIds.map((id, n) => {
      const carClassId = carClassIds[n] ?? PARENT;
      return told(`car-${id}`, 'CarAdded', { brandId: PARENT, modelName: id, carClassId, enabled: true });
    }),
    ...trackIds.map((id) => layoutAdded(id, id, { trackId: PARENT })),
    ...rigIds.map((id) => told(`rig-${id}`, 'RigRegistered', { hardwareId: id, licenseId: PARENT })),
  ];
}

/** One happening in this many invalidates the best laps of a driver. */
const SWEEP = 60;
/** Among times of laps from 40 to 158 ms. */
const MINIMUMS = [null, 1, 70, 90];
/** One in this many is a rename or another minimum; with a maximum per history, as each changes every lap. */
const RENAME = 30;
const RENAMES = 12;
/** Laps were driven at a few moments, before and after they were recorded. */
const MOMENTS = 100;
/** One choice in this many is not the usual one, so that some drivers have many laps. */
const UNUSUAL = 4;

function happenings(laps: Map<string, Lap>, chances: RandomSource, n: number): readonly Happening[] {
  if (chances.oneIn(SWEEP)) return swept(laps, chances);
  const known = [...laps.keys()];
  if (known.length === 0 || chances.oneIn(2)) {
    const id = `00000000-0000-7000-8000-1${String(n).padStart(11, '0')}`;
    return carriedOut(laps, id, [{ type: 'RecordLap', data: randomLap(chances, world) }]);
  }
  // Mostly one of the newest, so that laps are changed repeatedly.
  const id = chances.oneIn(3) ? chances.pick(known) : chances.pick(known.slice(-10));
  return carriedOut(laps, id, changeLap.commands(randomChange(chances, world), {}));
}

/** Invalidates most laps of a driver in an event, the best first. */
function swept(laps: Map<string, Lap>, chances: RandomSource): readonly Happening[] {
  const [participantId, eventId] = [usual(chances, world.participantIds), usual(chances, world.eventIds)];
  const own = [...laps].filter(
    ([, lap]) => lap.valid && lap.participantId === participantId && lap.eventId === eventId,
  );
  own.sort(([, a], [, b]) => a.totalTime - b.totalTime);
  const gone = own.slice(0, chances.below(own.length + 1));
  return gone.flatMap(([id]) => carriedOut(laps, id, [{ type: 'InvalidateLap', data: {} }]));
}

function carriedOut(laps: Map<string, Lap>, id: string, commands: readonly LapCommand[]): readonly Happening[] {
  const before = laps.get(id) ?? null;
  const decided = decideAll(lapDecider, before, commands);
  if (decided instanceof Rejection) throw new Error(decided.detail);
  if (decided.state !== null) laps.set(id, decided.state);
  return decided.events.map(({ type, data }) => told(`lap-${id}`, type, data));
}

/** A lap of any of these, mostly of the first. */
export function randomLap(
  chances: RandomSource,
  { participantIds, eventIds, carIds, trackIds, rigIds }: Referents,
): Lap {
  return {
    participantId: usual(chances, participantIds),
    eventId: usual(chances, eventIds),
    carId: usual(chances, carIds),
    trackId: usual(chances, trackIds),
    rigId: chances.pick(rigIds),
    valid: !chances.oneIn(4),
    ...randomTimes(chances),
    ...(chances.oneIn(3) ? { drivenAt: instantOf(chances.below(MOMENTS)) } : {}),
  };
}

/** Mostly the first. */
function usual(chances: RandomSource, ids: readonly string[]): string {
  return chances.oneIn(UNUSUAL) ? chances.pick(ids) : (ids[0] ?? '');
}

function randomTimes(chances: RandomSource): Pick<Lap, 'sectors' | 'totalTime'> {
  const sectors = Array.from({ length: chances.oneIn(20) ? chances.below(4) : 2 }, () => 20 + chances.below(60));
  return { sectors, totalTime: sectors.reduce((sum, time) => sum + time, 0) };
}

/** A change of a lap: mostly of one field. */
export function randomChange(chances: RandomSource, referents: Referents): Partial<Lap> {
  const other = randomLap(chances, referents);
  const { participantId, eventId, carId, trackId, rigId, valid, sectors, totalTime } = other;
  const drivenAt = instantOf(chances.below(MOMENTS));
  const changes: readonly Partial<Lap>[] = [
    { participantId },
    { eventId },
    { carId },
    { trackId },
    { rigId },
    { valid },
    { valid: false },
    { valid: true },
    { sectors, totalTime },
    { drivenAt },
    other,
  ];
  return chances.pick(changes);
}

/** Something that laps refer to has another name, or other laps are too short. */
function renamed(chances: RandomSource, name: string): Happening {
  const { participantIds, eventIds, trackIds } = world;
  return chances.pick([
    told(`participant-${chances.pick(participantIds)}`, 'ParticipantRenamed', { firstName: name, lastName: 'Racer' }),
    told(`event-${chances.pick(eventIds)}`, 'EventRenamed', { name }),
    told(`trackLayout-${chances.pick(trackIds)}`, 'TrackLayoutRenamed', { displayName: name }),
    told(`event-${chances.pick(eventIds)}`, 'EventMinLapTimeChanged', { minLapTime: chances.pick(MINIMUMS) }),
    told(`trackLayout-${usual(chances, trackIds)}`, 'TrackLayoutMinLapTimeChanged', {
      minLapTime: chances.pick(MINIMUMS),
    }),
  ]);
}

/** The built-in projections over a history of laps. */
export function builtInOver(events: number): Simulated {
  return {
    projections: builtInProjections,
    append: (store, chances) => appendLaps(store, chances, events),
    luck: { crash: [0, 100, 10 * events], pause: [0, 20, 200] },
  };
}
