import { NO_LAPS, NO_LAST, laterOf, orderOf, wasBest, withLap } from './best-laps.ts';
import type { BestLap, Bests, LastLap } from './best-laps.ts';
import { DRIVEN, bestLapOf, gatheringLapsByRig, identityOf, type Gathering, type LapState } from './gathering-laps.ts';
import { laps, type LapFacts } from '../laps.ts';
import { lapEvents } from '../../commands/laps.ts';
import { projection, readModel, type Effect, type Find, type Lookup } from '../../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../../src/kernel/ports/read-store.ts';

/** `Bests` as they are stored. */
type StoredBests = { readonly lap: BestLap | null; readonly sectors: Bests['sectors'] };

/**
 * The laps of a driver with a car on a layout in an event on a day of UTC
 * (`<eventId>:<trackId>:<participantId>:<car>:<day>`): what boards over all events are made of, for any time.
 */
export type StintDocument = DocumentMeta & {
  readonly eventId: string;
  /** The layout. */
  readonly trackId: string;
  readonly participantId: string;
  readonly car: string;
  /** `2026-05-01`. */
  readonly day: string;
  /** Laps now, and how many of them are valid. */
  readonly laps: number;
  readonly validLaps: number;
  /** Moments of the first and the last lap, ISO 8601: none of them was ever driven before or after. */
  readonly drivenFrom: string;
  readonly drivenTo: string;
  /** ms: none of them is shorter, or ever was. */
  readonly least: number;
  /** All rigs that one of them was ever driven on. */
  readonly rigs: readonly string[];
  /** The bests of the valid ones, and those of the others. */
  readonly valid: StoredBests;
  readonly invalid: StoredBests;
  /** The lap that was driven last; `NO_LAST` where there is none. */
  readonly last: LastLap;
};

export const stints = readModel<StintDocument>('stints', {
  category: 'stint',
  indexes: [
    ['trackId', '_position'],
    ['trackId', 'day'],
  ],
});

/** The day of a moment (ISO 8601) in UTC. */
export function dayOf(moment: string): string {
  return moment.slice(0, 'yyyy-mm-dd'.length);
}

const DAY_MS = 86_400_000;

/** The moments of a day of UTC: from its beginning (inclusive) to that of the next one (exclusive). */
function momentsOf(day: string) {
  const from = new Date(day);
  const to = new Date(from.getTime() + DAY_MS);
  return { from: from.toISOString(), to: to.toISOString() };
}

/** Id of the stint that a lap is in. */
export function stintIdOf({ eventId, trackId, participantId, car, drivenAt }: LapFacts): string {
  return `${eventId}:${trackId}:${participantId}:${car}:${dayOf(drivenAt)}`;
}

export const stintsProjection = projection(
  stints,
  { own: {}, others: lapEvents },
  gatheringLapsByRig({ idOf: stintIdOf, rewrite }),
);

/** What is known of the laps of a stint without reading them again. */
type Highlights = Pick<StintDocument, 'valid' | 'invalid' | 'last'>;

const NO_HIGHLIGHTS: Highlights = { valid: NO_LAPS, invalid: NO_LAPS, last: NO_LAST };

async function rewrite({ id, left, joined }: Gathering, lookup: Lookup): Promise<Effect | null> {
  const before = await lookup(stints, id);
  if (before === null) {
    if (joined === null) return null;
    const { eventId, trackId, participantId, car, drivenAt, rigId, totalTime, valid } = joined.facts;
    return stints.insert(id, {
      eventId,
      trackId,
      participantId,
      car,
      day: dayOf(drivenAt),
      laps: 1,
      validLaps: Number(valid),
      drivenFrom: drivenAt,
      drivenTo: drivenAt,
      least: totalTime,
      rigs: [rigId],
      ...withNext(NO_HIGHLIGHTS, joined),
    });
  }
  const sums = sumsAfter(before, left, joined);
  // All laps have to be read: at the end of the batch, however many of its events let a best lap go.
  if (left !== null && losesHighlight(before, left, joined))
    return stints.setLater(id, sums, (find) => highlightsOf(left.facts, find));
  return stints.set(id, joined === null ? sums : { ...sums, ...withNext(before, joined) });
}

function sumsAfter(before: StintDocument, left: LapState | null, joined: LapState | null) {
  const laps = before.laps - Number(left !== null) + Number(joined !== null);
  const validLaps = before.validLaps - Number(left?.facts.valid === true) + Number(joined?.facts.valid === true);
  if (joined === null) return { laps, validLaps };
  const { drivenAt, totalTime, rigId } = joined.facts;
  return {
    laps,
    validLaps,
    drivenFrom: drivenAt < before.drivenFrom ? drivenAt : before.drivenFrom,
    drivenTo: drivenAt > before.drivenTo ? drivenAt : before.drivenTo,
    least: Math.min(before.least, totalTime),
    rigs: before.rigs.includes(rigId) ? before.rigs : [...before.rigs, rigId],
  };
}

/** Whether a lap that leaves, or changes, was the best in something or the last, and may no longer be. */
function losesHighlight({ valid, invalid, last }: Highlights, left: LapState, joined: LapState | null): boolean {
  if (wasBest(left.facts.valid ? valid : invalid, left.lap)) return true;
  const staysLast = joined !== null && orderOf(joined.lap) >= last.order;
  return orderOf(left.lap) === last.order && !staysLast;
}

/**
 * The highlights of all laps of a stint. Documents may be ahead of the event; later events put that right, as each lap
 * joins or leaves by an event of its own.
 */
async function highlightsOf(one: LapFacts, find: Find): Promise<Highlights> {
  const { eventId, participantId, trackId, car, drivenAt } = one;
  const where = { eventId, participantId, trackId, car, drivenAt: momentsOf(dayOf(drivenAt)), ...DRIVEN };
  let found = NO_HIGHLIGHTS;
  for await (const batch of find(laps, where)) {
    for (const lap of batch) found = withNext(found, { facts: lap, lap: bestLapOf(identityOf(lap), lap) });
  }
  return found;
}

function withNext({ valid, invalid, last }: Highlights, { facts, lap }: LapState): Highlights {
  return {
    valid: facts.valid ? withLap(valid, lap) : valid,
    invalid: facts.valid ? invalid : withLap(invalid, lap),
    last: laterOf(last, lap, facts.valid),
  };
}
