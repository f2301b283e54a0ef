import { expect } from 'chai';
import { builtInProjections } from '../../src/service/resources/built-in.ts';
import { Allowance } from '../../queries/leaderboards/sources.ts';
import { ALL_LAYOUTS, resultsOf } from '../../queries/leaderboards/results.ts';
import { eventLayouts } from '../../projections/leaderboards/gathering-laps.ts';
import { racingEvents } from '../../projections/racing-events.ts';
import { OverBudget } from '../../src/kernel/ports/errors.ts';
import type { ReadModels } from '../../src/kernel/ports/read-store.ts';
import { recorded, registered, scheduled } from '../support/history/lap-events.ts';
import { failureOf } from '../support/failure.ts';
import { givenHistory } from '../support/kernel/projecting.ts';
import { boardSources } from '../support/live/sources.ts';

/** More rows than are read at a time. */
const DRIVERS = 1_050;

describe('results of an event', () => {
  it('continue over many rows, and are refused beyond the budget', async () => {
    const drivers = Array.from({ length: DRIVERS }, (_, n) => `p${n}`);
    const { models } = await givenHistory(
      builtInProjections,
      scheduled,
      ...drivers.flatMap((id, n) => [registered(id, id), recorded(id, [n + 1], { participantId: id })]),
    );
    const request = { eventId: 'cup', validOnly: true };
    const rows = (await resultsOf(request, boardSources(models)))?.rows;
    expect(rows?.map(([position]) => position)).to.deep.equal(drivers.map((_, n) => n + 1));
    const last = `p${DRIVERS - 1}`;
    const lastRow = [DRIVERS, `${last} Racer`, '', '0:01.050', '0:01.049', 1, '', last, 'car'];
    expect(rows?.at(-1)).to.deep.equal(lastRow);
    const allowance = new Allowance({ budget: DRIVERS - 10 });
    const refused = resultsOf(request, boardSources(models, { allowance }));
    expect(await failureOf(refused)).to.be.instanceOf(OverBudget);
  });

  it('of all layouts read the event, and the laps on its layouts, once', async () => {
    const laps = ['spa', 'monza', 'imola'].map((trackId, n) => recorded(trackId, [60_000 + n], { trackId }));
    const { models } = await givenHistory(builtInProjections, scheduled, registered('ada', 'Ada'), ...laps);
    const lookUps: string[] = [];
    const counting: ReadModels = {
      ...models,
      get: (collection, id) => (lookUps.push(`${collection} ${id}`), models.get(collection, id)),
      find: (collection, query) => (lookUps.push(collection), models.find(collection, query)),
    };
    const request = { eventId: 'cup', validOnly: true, trackLayoutId: ALL_LAYOUTS };
    const results = await resultsOf(request, boardSources(counting));
    expect(results?.rows.map((row) => row.at(4))).to.deep.equal(['1:00.000', '1:00.002', '1:00.001']);
    const ofEvent = [racingEvents.collection, eventLayouts.collection];
    expect(lookUps.filter((lookUp) => ofEvent.includes(lookUp.split(' ')[0] ?? ''))).to.have.length(2);
  });
});
