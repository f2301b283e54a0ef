import { expect } from 'chai';
import { stints } from '../../projections/leaderboards/stints.ts';
import { layoutLeaderboardPage } from '../../queries/leaderboards/layout-board.ts';
import { Allowance } from '../../queries/leaderboards/sources.ts';
import { builtInProjections } from '../../src/service/resources/built-in.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import type { ReadModels } from '../../src/kernel/ports/read-store.ts';
import { eventOn, layoutAdded, recorded, registered, scheduledAs } from '../support/history/lap-events.ts';
import { givenHistory, projectInto, recorded as numbered, type HistoryEvent } from '../support/kernel/projecting.ts';
import { expectLayoutBoard, layoutPage } from '../support/live/expect-layout-board.ts';
import { thingsOf } from '../support/seasons/history.ts';

const rig = (id: string, licenseId: string): HistoryEvent =>
  eventOn(`rig-${id}`, 'RigRegistered', { hardwareId: id, licenseId });
const car = (id: string, carClassId: string): HistoryEvent =>
  eventOn(`car-${id}`, 'CarAdded', { brandId: 'b', modelName: id, carClassId, enabled: true });

const beginning: readonly HistoryEvent[] = [
  scheduledAs('cup', { simulatorId: 'acc' }),
  scheduledAs('open', { simulatorId: 'iracing', minLapTime: 65_000 }),
  ...['ada', 'niki', 'tazio'].map((id) => registered(id, id)),
  layoutAdded('spa', 'Spa'),
  layoutAdded('monza', 'Monza'),
  eventOn('carBrand-b', 'CarBrandAdded', { displayName: 'B' }),
  car('car', 'gt3'),
  car('formula', 'f1'),
  rig('rig', 'here'),
  rig('other', 'there'),
];

const by = (participantId: string, drivenAt: string, others: JsonObject = {}): JsonObject => ({
  participantId,
  drivenAt,
  ...others,
});

const FRIDAY = '2026-05-01T21:59:59.999Z';
/** Midnight in Berlin. */
const SATURDAY = '2026-05-01T22:00:00.000Z';
const LATER = '2026-05-02T12:00:00.000Z';

const laps: readonly HistoryEvent[] = [
  recorded('1', [30_000, 40_000], by('ada', FRIDAY)),
  recorded('2', [29_000, 40_000], by('ada', SATURDAY, { carId: 'formula' })),
  recorded('3', [31_000, 38_000], by('niki', SATURDAY, { eventId: 'open', rigId: 'other' })),
  recorded('4', [20_000, 30_000], by('niki', LATER, { eventId: 'open' })),
  recorded('5', [28_000, 40_000], by('tazio', LATER, { valid: false })),
  recorded('6', [35_000, 45_000], by('tazio', LATER)),
  recorded('7', [10_000, 20_000], by('tazio', LATER, { trackId: 'monza' })),
  recorded('8', [28_000, 41_000], by('ada', '2025-12-31T23:30:00.000Z')),
];

/** Changes of the laps, after each of which the boards are compared. */
const changes: readonly HistoryEvent[] = [
  eventOn('lap-2', 'LapInvalidated'),
  eventOn('lap-3', 'LapMovedToRig', { from: 'other', to: 'rig' }),
  eventOn('lap-2', 'LapValidated'),
  eventOn('lap-1', 'LapCorrected', { sectors: [27_000, 41_000], totalTime: 68_000 }),
  eventOn('lap-1', 'LapDrivenAtCorrected', { to: '2026-05-02T00:00:00.000Z' }),
  eventOn('lap-3', 'LapMovedToEvent', { from: 'open', to: 'cup' }),
  eventOn('lap-6', 'LapReassigned', { from: 'tazio', to: 'ada' }),
  eventOn('lap-7', 'LapTrackCorrected', { from: 'monza', to: 'spa' }),
  eventOn('lap-8', 'LapCarCorrected', { from: 'car', to: 'formula' }),
  eventOn('rig-other', 'RigMovedToLicense', { from: 'there', to: 'here' }),
  eventOn('event-open', 'EventMinLapTimeChanged', { minLapTime: null }),
  eventOn('event-open', 'EventMovedToSimulator', { from: 'iracing', to: 'acc' }),
  eventOn('car-car', 'CarMovedToClass', { from: 'gt3', to: 'f1' }),
];

const TIMES = [
  {},
  { from: SATURDAY },
  { to: SATURDAY },
  { from: FRIDAY, to: LATER },
  { from: LATER },
  { from: '2026-05-02T00:00:00.000Z', to: '2026-05-03T00:00:00.000Z' },
  { from: '2026-05-01T22:00:00.001Z', to: '2026-05-01T23:00:00.000Z' },
  { from: '2027-01-01T00:00:00.000Z' },
];

const FILTERS = [
  {},
  { carId: 'formula' },
  { carClassId: 'f1' },
  { simulatorId: 'acc' },
  { simulatorId: 'iracing' },
  { licenseId: 'here' },
  { licenseId: 'there', carId: 'car' },
  { licenseId: 'nobody' },
];

describe('the board of a layout over all events', () => {
  it('is the plain board of its laps, for any time and filter, after each correction', async () => {
    const all = [...beginning, ...laps, ...changes];
    for (let length = beginning.length + laps.length; length <= all.length; length += 1) {
      const history = all.slice(0, length);
      const { models } = await givenHistory(builtInProjections, ...history);
      const things = thingsOf(numbered(history));
      for (const time of TIMES) {
        for (const filter of FILTERS) {
          for (const validOnly of [true, false]) {
            await expectLayoutBoard(models, things, { trackLayoutId: 'spa', validOnly, ...time, ...filter });
          }
        }
      }
    }
  }).timeout(600_000);

  it('follows each change of laps, rigs, events and cars after the same board was read', async () => {
    const all = numbered([...beginning, ...laps, ...changes]);
    const { models } = await givenHistory(builtInProjections, ...beginning);
    for (let length = beginning.length + 1; length <= all.length; length += 1) {
      await projectInto(models, all.slice(0, length), builtInProjections);
      const things = thingsOf(all.slice(0, length));
      for (const time of TIMES) {
        for (const filter of FILTERS) {
          for (const validOnly of [true, false]) {
            await expectLayoutBoard(models, things, { trackLayoutId: 'spa', validOnly, ...time, ...filter });
          }
        }
      }
    }
  }).timeout(600_000);

  it('leaves out what the owner of the driver has struck, though the owner of the rig has brought it back', async () => {
    const strike = (licenseId: string): HistoryEvent => ({
      ...eventOn('lap-2', 'LapInvalidated'),
      by: { licenseId, role: 'CRUD' },
    });
    const bringBack = (licenseId: string, role: 'CRUD' | 'ADMIN' = 'CRUD'): HistoryEvent => ({
      ...eventOn('lap-2', 'LapValidated'),
      by: { licenseId, role },
    });
    const bestOf = async (...story: readonly HistoryEvent[]) => {
      const { models } = await givenHistory(builtInProjections, ...beginning, ...laps, ...story);
      const { content } = await layoutPage(models, { trackLayoutId: 'spa', validOnly: true, from: SATURDAY });
      const ada = content.find(({ participantId }) => participantId === 'ada');
      return [ada?.bestLap.lapId, ada?.laps, ada?.validLaps];
    };
    expect(await bestOf()).to.deep.equal(['2', 1, 1]);
    // `license` is the one that Ada was registered for.
    expect(await bestOf(strike('license'), bringBack('here'))).to.deep.equal([undefined, undefined, undefined]);
    expect(await bestOf(strike('somebody'), bringBack('here'))).to.deep.equal(['2', 1, 1]);
    expect(await bestOf(strike('license'), bringBack('license'))).to.deep.equal(['2', 1, 1]);
    expect(await bestOf(strike('license'), bringBack('here'), bringBack('x', 'ADMIN'))).to.deep.equal(['2', 1, 1]);
    expect(await bestOf(strike('license'), bringBack('here'), strike('here'))).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('goes on reading where a request was aborted, as it is beside a projector with a backlog', async () => {
    const crowd: HistoryEvent[] = [];
    for (let n = 0; n < 300; n += 1) crowd.push(recorded(`lap-${n}`, [30_000 + n], by(`driver-${n}`, LATER)));
    const { models } = await givenHistory(builtInProjections, ...beginning, ...crowd);
    const leaving = new AbortController();
    const starts: unknown[] = [];
    const slow = new Proxy(models, {
      get(_, name) {
        if (name !== 'find') return Reflect.get(models, name) as unknown;
        const find: ReadModels['find'] = (collection, query) => {
          if (collection === stints.collection) {
            starts.push(query.where['_position']);
            leaving.abort(new Error('the deadline'));
          }
          return models.find(collection, query);
        };
        return find;
      },
    });
    const request = { trackLayoutId: 'spa', validOnly: true, page: 0, size: 1_000 };
    const aborted = layoutLeaderboardPage(request, {
      models: slow,
      allowance: new Allowance({ signal: leaving.signal }),
    });
    const reason = await aborted.then(
      () => null,
      (error: unknown) => error,
    );
    expect(reason).to.equal(leaving.signal.reason);
    expect(starts).to.deep.equal([{ from: 0 }]);
    const page = await layoutPage(slow, request);
    expect(starts[1]).not.to.deep.equal({ from: 0 });
    expect(page.total).to.equal(300);
    expect(page).to.deep.equal(await layoutPage(models, request));
  });

  it('follows what has changed since it was read, and forgets read models that are no longer there', async () => {
    const { models } = await givenHistory(builtInProjections, ...beginning, ...laps);
    const request = { trackLayoutId: 'spa', validOnly: true };
    const before = await layoutPage(models, request);
    const { models: later } = await givenHistory(builtInProjections, ...beginning, ...laps, ...changes);
    let current = models;
    const switched = new Proxy(models, { get: (_, name) => Reflect.get(current, name) as unknown });
    expect(await layoutPage(switched, request)).to.deep.equal(before);
    current = later;
    expect(await layoutPage(switched, request)).to.deep.equal(await layoutPage(later, request));
  });
});
