import { changeLap, lapDecider, type LapCommand } from '../../../commands/laps.ts';
import { builtInProjections } from '../../../src/service/resources/built-in.ts';
import type { DecidedEvent } from '../../../src/kernel/event-types.ts';
import type { EventStore, RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import { decideAll } from '../../../src/kernel/aggregate/decider.ts';
import { Rejection } from '../../../src/kernel/aggregate/rejection.ts';
import { gathered } from '../event-store/events.ts';
import { memoryEventStore } from '../event-store/memory-event-store.ts';
import { layoutAdded, registered, scheduledAs, eventOn } from '../history/lap-events.ts';
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
  participantIds: idsOf('0a', 5),
  eventIds: idsOf('0b', 2),
  carIds: idsOf('0c', 2),
  trackIds,
  /** The layouts that events name. */
  ownTrackIds: trackIds.slice(0, 1),
  rigIds: idsOf('0e', 2),
  carClassIds: idsOf('0f', 2),
  carBrandIds: idsOf('10', 2),
};

/** When the n-th event of a history happened: some in each of a few hours. */
export function instantOf(n: number): string {
  return new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();
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

/** Such a history, as a store has it. */
export async function lapHistory(chances: RandomSource, events: number): Promise<readonly RecordedEvent[]> {
  const store = memoryEventStore();
  await appendLaps(store, chances, events);
  return gathered(store.readAll(null));
}

function beginnings(): readonly Happening[] {
  const { participantIds, eventIds, carIds, trackIds, ownTrackIds, rigIds, carClassIds, carBrandIds } = world;
  return [
    ...participantIds.map((id) => registered(id, 'Ada', { licenseId: PARENT, lastName: id })),
    ...eventIds.map((id) =>
      scheduledAs(id, { name: id, slug: 'slug', simulatorId: PARENT, carIds, trackLayoutIds: ownTrackIds, rigIds }),
    ),
    ...carBrandIds.map((id) =>
      eventOn(`carBrand-${id}`, 'CarBrandAdded', {
        displayName: id,
        slug: 'slug',
        logo: '',
        svg: false,
        country: 'ITA',
        enabled: true,
      }),
    ),
    ...carIds.map((id, n) => {
      const brandId = carBrandIds[n] ?? '';
      const carClassId = carClassIds[n] ?? '';
      return eventOn(`car-${id}`, 'CarAdded', { brandId, modelName: id, carClassId, enabled: true });
    }),
    ...trackIds.map((id) => layoutAdded(id, id, { trackId: PARENT })),
    ...rigIds.map((id) => eventOn(`rig-${id}`, 'RigRegistered', { hardwareId: id, licenseId: PARENT })),
  ];
}

/** One happening in this many invalidates the best laps of a driver. */
const SWEEP = 60;
/** Among times of laps from 60 to 93 ms, and of some others. */
export const MINIMUMS = [null, 1, 70, 80];
/** When events begin and end; of the first ones, the latter are over. */
const STARTS = [null, instantOf(0), '2036-01-01T00:00:00.000Z'];
const ENDS = [null, instantOf(50), '2036-01-02T00:00:00.000Z'];
/** One in this many changes what laps refer to; with a maximum per history, as some change every lap. */
const RENAME = 4;
const RENAMES = 30;
/** One in this many is a flood of changes, of so many events at most. */
const FLOOD = 40;
const MOST_OF_FLOOD = 30;
/** One in this many is what a rig says of its laps. */
const ANNOUNCEMENT = 25;
/** Numbers and starts by which rigs count their laps. */
export const HIGHEST = 14;
export const BOOTS = ['2026-01-01', '~', 'B'] as const;
/** Laps were driven at a few moments, before and after they were recorded. */
const MOMENTS = 100;
/** One choice in this many is not the usual one, so that some drivers have many laps. */
const UNUSUAL = 4;

function happenings(laps: Map<string, Lap>, chances: RandomSource, n: number): readonly Happening[] {
  if (chances.oneIn(SWEEP)) return swept(laps, chances);
  if (chances.oneIn(FLOOD)) return flooded(laps, chances, n);
  if (chances.oneIn(ANNOUNCEMENT)) return [announced(chances, n)];
  const known = [...laps.keys()];
  if (known.length === 0 || chances.oneIn(2)) {
    const id = `00000000-0000-7000-8000-1${String(n).padStart(11, '0')}`;
    return carriedOut(laps, id, [{ type: 'RecordLap', data: numberedLap(chances, world) }]);
  }
  // Mostly one of the newest, so that laps are changed repeatedly.
  const id = chances.oneIn(3) ? chances.pick(known) : chances.pick(known.slice(-10));
  return carriedOut(laps, id, changeLap.commands(randomChange(chances, world), {}));
}

/** Invalidates most laps of a driver in an event, the best first. */
function swept(laps: Map<string, Lap>, chances: RandomSource): readonly Happening[] {
  const participantId = usual(chances, world.participantIds);
  const eventId = usual(chances, world.eventIds);
  const own = [...laps].filter(
    ([, lap]) => lap.valid && lap.participantId === participantId && lap.eventId === eventId,
  );
  own.sort(([, a], [, b]) => a.totalTime - b.totalTime);
  const gone = own.slice(0, chances.below(own.length + 1));
  return gone.flatMap(([id]) => carriedOut(laps, id, [{ type: 'InvalidateLap', data: {} }]));
}

/**
 * One driver, or what their laps refer to, is renamed again and again, and a few laps are changed back and forth
 * meanwhile: what a batch of events does only once.
 */
function flooded(laps: Map<string, Lap>, chances: RandomSource, n: number): readonly Happening[] {
  const id = usual(chances, world.participantIds);
  const eventId = usual(chances, world.eventIds);
  const trackId = usual(chances, world.trackIds);
  const rigId = chances.pick(world.rigIds);
  const own = [...laps].filter(([, lap]) => lap.participantId === id && lap.eventId === eventId);
  const few = own.sort(([, a], [, b]) => a.totalTime - b.totalTime).slice(0, 3);
  const renames = (name: string): readonly Happening[] => [
    eventOn(`participant-${id}`, 'ParticipantRenamed', { firstName: name, lastName: 'Racer' }),
    eventOn(`event-${eventId}`, 'EventRenamed', { name }),
    eventOn(`trackLayout-${trackId}`, 'TrackLayoutRenamed', { displayName: name }),
    eventOn(`rig-${rigId}`, 'RigRenamed', { name }),
  ];
  const happenings: Happening[] = [];
  for (let left = 1 + chances.below(MOST_OF_FLOOD); left > 0; left -= 1) {
    const [lapId] = few.length > 0 ? chances.pick(few) : [''];
    const lap = laps.get(lapId);
    if (lap === undefined || chances.oneIn(2)) happenings.push(chances.pick(renames(`n${n}-${left}`)));
    else if (chances.oneIn(4))
      happenings.push(...carriedOut(laps, lapId, changeLap.commands(randomChange(chances, world), {})));
    else happenings.push(...carriedOut(laps, lapId, changeLap.commands({ valid: !lap.valid }, {})));
  }
  return happenings;
}

function carriedOut(laps: Map<string, Lap>, id: string, commands: readonly LapCommand[]): readonly Happening[] {
  const before = laps.get(id) ?? null;
  const decided = decideAll(lapDecider, before, commands);
  if (decided instanceof Rejection) throw new Error(decided.detail);
  if (decided.state !== null) laps.set(id, decided.state);
  return decided.events.map(({ type, data }) => eventOn(`lap-${id}`, type, data));
}

/** A moment at which laps were driven. */
export function drivenMoment(chances: RandomSource): string {
  return instantOf(chances.below(MOMENTS));
}

/** A lap of any of these, mostly of the first. */
export function randomLap(
  chances: RandomSource,
  { participantIds, eventIds, carIds, trackIds, rigIds }: Referents,
): Lap {
  const lap = {
    participantId: usual(chances, participantIds),
    eventId: usual(chances, eventIds),
    carId: usual(chances, carIds),
    trackId: usual(chances, trackIds),
    rigId: chances.pick(rigIds),
    valid: !chances.oneIn(4),
    ...randomTimes(chances),
  };
  return chances.oneIn(3) ? { ...lap, drivenAt: drivenMoment(chances) } : lap;
}

/** The same, which its rig may have counted. */
export function numberedLap(chances: RandomSource, referents: Referents): Lap {
  const sequence = { boot: chances.pick(BOOTS), number: 1 + chances.below(HIGHEST) };
  const lap = randomLap(chances, referents);
  return chances.oneIn(2) ? { ...lap, sequence } : lap;
}

/** Mostly the first. */
function usual(chances: RandomSource, ids: readonly string[]): string {
  return chances.oneIn(UNUSUAL) ? chances.pick(ids) : (ids[0] ?? '');
}

/** What timing software sends for a time that it did not measure. */
const NO_TIMES = [0, 0, 0, 2 ** 31 - 1, 2 ** 32 - 1] as const;

/**
 * Mostly of three sectors; sometimes of as many as a document keeps only beside others, or of none, or with times that
 * were not measured.
 */
function randomTimes(chances: RandomSource): Pick<Lap, 'sectors' | 'totalTime'> {
  const count = chances.oneIn(5) ? chances.pick([0, 1, 2, 4, 7, 8]) : 3;
  // Whole laps are about as fast, whatever their sectors.
  const sectors = Array.from({ length: count }, () => Math.floor(60 / count) + chances.below(12));
  const without = count === 0 ? 60 + chances.below(33) : 0;
  const totalTime = sectors.reduce((sum, time) => sum + time, without + chances.below(3));
  // In one lap of ten a sector is missing, or all are.
  const isMissing = (): boolean => chances.oneIn(count + 1);
  const shown = chances.oneIn(10) ? sectors.map((time) => (isMissing() ? chances.pick(NO_TIMES) : time)) : sectors;
  const measured = chances.oneIn(30) ? sectors.map(() => chances.pick(NO_TIMES)) : shown;
  return { sectors: measured, totalTime: chances.oneIn(20) ? chances.pick(NO_TIMES) : totalTime };
}

/** A change of a lap: mostly of one field. */
export function randomChange(chances: RandomSource, referents: Referents): Partial<Lap> {
  const other = randomLap(chances, referents);
  const { participantId, eventId, carId, trackId, rigId, valid, sectors, totalTime } = other;
  const drivenAt = drivenMoment(chances);
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

/** A rig says up to which number it has counted, which only grows. */
function announced(chances: RandomSource, n: number): Happening {
  const rigId = chances.pick(world.rigIds);
  const boot = chances.pick(BOOTS);
  return eventOn(`sequence-${rigId}:${boot}`, 'SequenceAnnounced', { rigId, boot, upTo: Math.ceil(n / 10) });
}

/** What laps refer to has another name, or is changed otherwise; or other laps are too short. */
function renamed(chances: RandomSource, name: string): Happening {
  const { participantIds, eventIds, carIds, trackIds, rigIds, carClassIds, carBrandIds } = world;
  const participant = `participant-${chances.pick(participantIds)}`;
  const event = `event-${chances.pick(eventIds)}`;
  const car = `car-${usual(chances, carIds)}`;
  const layout = `trackLayout-${usual(chances, trackIds)}`;
  const minLapTime = chances.pick(MINIMUMS);
  const between = (ids: readonly string[]) => ({ from: chances.pick(ids), to: chances.pick(ids) });
  return chances.pick([
    eventOn(participant, 'ParticipantRenamed', { firstName: name, lastName: 'Racer' }),
    eventOn(event, 'EventRenamed', { name }),
    eventOn(event, 'EventMinLapTimeChanged', { minLapTime }),
    eventOn(event, 'EventFinished', { finishedAt: drivenMoment(chances) }),
    eventOn(event, 'EventFinished', { finishedAt: drivenMoment(chances) }),
    eventOn(event, 'EventReopened', {}),
    eventOn(event, 'EventRescheduled', { startsAt: chances.pick(STARTS), endsAt: chances.pick(ENDS) }),
    eventOn(event, 'EventTrackLayoutsChanged', { trackLayoutIds: [chances.pick(trackIds), chances.pick(trackIds)] }),
    eventOn(layout, 'TrackLayoutRenamed', { displayName: name }),
    eventOn(layout, 'TrackLayoutMinLapTimeChanged', { minLapTime }),
    eventOn(`rig-${chances.pick(rigIds)}`, 'RigRenamed', { name }),
    eventOn(car, 'CarRenamed', { modelName: name }),
    eventOn(car, 'CarMovedToBrand', between(carBrandIds)),
    eventOn(car, 'CarMovedToClass', between(carClassIds)),
    eventOn(`carBrand-${chances.pick(carBrandIds)}`, 'CarBrandRenamed', { displayName: name }),
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
