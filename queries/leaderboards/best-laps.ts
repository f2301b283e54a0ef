import { z } from 'zod';
import { lapOf, type BestLap } from '../../projections/leaderboards/best-laps.ts';
import { laps, type LapDocument } from '../../projections/laps.ts';
import { leaderboards, type LeaderboardDocument } from '../../projections/leaderboards/leaderboards.ts';
import { racingEvents, type RacingEventDocument } from '../../projections/racing-events.ts';
import { trackLayouts, type TrackLayoutDocument } from '../../projections/track-layouts.ts';
import { lookingUpOnce, streamAll } from '../../src/domain/documents.ts';
import { reference, referredName } from '../../src/domain/references.ts';
import { query } from '../../src/domain/query.ts';
import type { Document, QueryBounds, ReadModels } from '../../src/kernel/ports/read-store.ts';
import { driverName } from '../laps.ts';
import { isInTime, minimumIn, type CountingRules } from './filters.ts';
import { boardLap, fastestLap, PersonalBestView } from './personal-bests.ts';
import { Allowance, type Sources } from './sources.ts';

const { trackLayoutId, trackDisplayName, carId, lapId, eventId, totalTime, sectors, drivenAt } = PersonalBestView.shape;

/** The best lap of each driver on each layout in each event, as on the board of all valid laps. */
export const bestLapQuery = query(leaderboards, {
  view: z.object({
    eventId,
    eventName: referredName('eventId', eventId),
    trackLayoutId,
    trackDisplayName,
    participantId: reference('participant', 'The driver.'),
    participantName: driverName,
    lapId,
    totalTime,
    sectors,
    carId,
    drivenAt,
  }),
  defaultSort: 'eventId',
  only: { standing: 'ranked' },
  extendFrom: [laps, racingEvents, trackLayouts],
});

/**
 * The rows of all drivers who have laps on a layout in an event, in batches; `standing` says whether any of these laps
 * counts. A row changes with the laps of its driver there, with its event and with its layout.
 */
export async function* bestLapRows(models: ReadModels, bounds: QueryBounds): AsyncGenerator<readonly Document[]> {
  const sources = { models, allowance: new Allowance(bounds) };
  const eventOf = lookingUpOnce(models, racingEvents);
  const layoutOf = lookingUpOnce(models, trackLayouts);
  for await (const batch of streamAll(models, leaderboards, { where: {}, ...bounds })) {
    const rows: Document[] = [];
    for (const driver of batch) {
      const event = await eventOf(driver.eventId);
      const layout = await layoutOf(driver.trackId);
      const rules = { minimum: minimumIn(event, layout), finishedAt: event?.finishedAt ?? null };
      const best = await bestLapOf(driver, rules, sources);
      rows.push(rowOf(driver, best, event, layout));
    }
    yield rows;
  }
}

async function bestLapOf(driver: LeaderboardDocument, rules: CountingRules, sources: Sources): Promise<BestLap | null> {
  if (driver.standing === 'none') return null;
  const { minimum, finishedAt } = rules;
  const best = lapOf(driver);
  if (best.totalTime >= minimum && isInTime(best, finishedAt)) return best;
  const { eventId, participantId, trackId } = driver;
  const where = { eventId, participantId, trackId, valid: true };
  const isLeftOut = (lap: LapDocument): boolean => !isInTime(lap, finishedAt);
  const counting = { from: minimum, minimumIn: async () => minimum, isLeftOut };
  const lap = await fastestLap(where, counting, sources);
  return lap && boardLap(lap);
}

function rowOf(
  driver: LeaderboardDocument,
  best: BestLap | null,
  event: RacingEventDocument | null,
  layout: TrackLayoutDocument | null,
): Document {
  const row = {
    id: driver.id,
    _created: driver._created,
    _revision: driver._revision,
    _position: Math.max(driver._position, event?._position ?? 0, layout?._position ?? 0),
    eventId: driver.eventId,
    eventName: event?.name ?? '',
    trackLayoutId: driver.trackId,
    trackDisplayName: layout?.displayName ?? '',
    participantId: driver.participantId,
    participantName: driver.participantName,
  };
  if (best === null) return { ...row, standing: 'none' };
  const { lapId, totalTime, sectors, car: carId, drivenAt } = best;
  return { ...row, standing: 'ranked', lapId, totalTime, sectors, carId, drivenAt };
}
