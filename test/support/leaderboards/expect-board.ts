import { expect } from 'chai';
import { z } from 'zod';
import { lapDecider } from '../../../commands/laps.ts';
import type { BoardRequest } from '../../../queries/leaderboards/find-board.ts';
import { idOf } from '../../../src/service/kernel/aggregate/decider.ts';
import type { RecordedEvent } from '../../../src/service/kernel/ports/event-store.ts';
import type { ReadModels } from '../../../src/service/kernel/ports/read-store.ts';
import { plainBoard, plainLayouts, type PlainLap } from './plain.ts';
import { boardSources, shownPage } from './sources.ts';

/** Rows of the small pages that a board is read in, too. */
const PAGE = 2;

const CarAdded = z.object({ carClassId: z.string() });
const WithMinimum = z.object({ minLapTime: z.number().nullable() });
const WithLayouts = z.object({ trackLayoutIds: z.array(z.string()) });

/** Compares a board, whole and in pages, with the plain board of the laps that the events of a history make. */
export async function expectBoard(
  models: ReadModels,
  events: readonly RecordedEvent[],
  request: BoardRequest,
): Promise<void> {
  const title = JSON.stringify(request);
  const pageOf = async (page: number, size: number) => {
    const found = await shownPage(
      { ...request, page, size },
      boardSources(models, { events, isFollowed: size === PAGE }),
    );
    if (found === null) throw new Error('no such event');
    return found;
  };
  const { rows, head, total } = await pageOf(0, 1000);
  const seen = events.filter(({ metadata }) => request.asOf === undefined || metadata.occurredAt <= request.asOf);
  const laps = lapsOf(seen, carClasses(events));
  const own = ownLayouts(events, request.eventId);
  const layouts = plainLayouts(laps, request.eventId, own);
  // The layout is that of now, at any moment.
  const [first] = plainLayouts(lapsOf(events, new Map()), request.eventId, own);
  const trackLayoutId = request.trackLayoutId ?? first?.trackLayoutId ?? '';
  const shown = {
    rows: rows.map(({ participantName: _, bestLap: { lapId, totalTime, drivenAt }, ...row }) => ({
      ...row,
      lapId,
      totalTime,
      drivenAt,
    })),
    bestSectors: head.bestSectors.map(({ participantName: _, ...best }) => best),
    theoreticalBest: head.theoreticalBest,
  };
  const minimum =
    lastMinimum(seen, `event-${request.eventId}`) ?? lastMinimum(seen, `trackLayout-${trackLayoutId}`) ?? 1;
  expect(shown, title).to.deep.equal(plainBoard(laps, { ...request, trackLayoutId }, minimum));
  expect(
    head.layouts.map(({ trackDisplayName: _, ...layout }) => layout),
    title,
  ).to.deep.equal(layouts);
  expect(total, title).to.equal(rows.length);
  for (let page = 0; page * PAGE < total; page += 1) {
    const part = await pageOf(page, PAGE);
    expect(part.rows, `${title}, page ${page}`).to.deep.equal(rows.slice(page * PAGE, (page + 1) * PAGE));
  }
}

/** The class of each car. */
function carClasses(events: readonly RecordedEvent[]): ReadonlyMap<string, string> {
  const added = events.filter(({ type }) => type === 'CarAdded');
  return new Map(added.map(({ stream, data }) => [idOf(stream), CarAdded.parse(data).carClassId]));
}

/** What events of a stream say last of the shortest lap that counts, in ms. */
function lastMinimum(events: readonly RecordedEvent[], of: string): number | null {
  const said = events.filter(({ stream, data }) => stream === of && 'minLapTime' in data);
  return WithMinimum.parse(said.at(-1)?.data ?? { minLapTime: null }).minLapTime;
}

/** The layouts that an event names in the end. */
function ownLayouts(events: readonly RecordedEvent[], eventId: string): readonly string[] {
  const named = events.filter(({ stream, data }) => stream === `event-${eventId}` && 'trackLayoutIds' in data);
  return WithLayouts.parse(named.at(-1)?.data).trackLayoutIds;
}

/** The laps that events make, by the decider. */
function lapsOf(events: readonly RecordedEvent[], classes: ReadonlyMap<string, string>): readonly PlainLap[] {
  const born = new Map<string, RecordedEvent>();
  const laps = new Map<string, ReturnType<typeof lapDecider.replay>>();
  for (const event of events.filter(({ stream }) => stream.startsWith('lap-'))) {
    const id = idOf(event.stream);
    laps.set(id, lapDecider.replay(laps.get(id) ?? lapDecider.initial, event));
    if (event.revision === 0) born.set(id, event);
  }
  return [...laps].flatMap(([id, lap]) => {
    if (lap === null) return [];
    const { position: created = 0, metadata: { occurredAt: createdAt = '' } = {} } = born.get(id) ?? {};
    const carClassId = classes.get(lap.carId) ?? '';
    return [{ ...lap, id, created, car: lap.carId, carClassId, drivenAt: lap.drivenAt ?? createdAt, createdAt }];
  });
}
