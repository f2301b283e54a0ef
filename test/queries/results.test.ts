import { expect } from 'chai';
import { builtInProjections } from '../../src/service/resources/read-models.ts';
import { Allowance } from '../../queries/leaderboards/sources.ts';
import { resultsOf } from '../../queries/leaderboards/results.ts';
import { OverBudget } from '../../src/service/kernel/ports/errors.ts';
import { recorded, registered, scheduled } from '../support/history/lap-events.ts';
import { givenHistory } from '../support/kernel/projecting.ts';
import { boardSources } from '../support/leaderboards/sources.ts';

/** More rows than are read at a time. */
const DRIVERS = 1_050;

describe('results of an event', () => {
  it('go on over many rows, and are refused beyond the budget', async () => {
    const drivers = Array.from({ length: DRIVERS }, (_, n) => `p${n}`);
    const { models } = await givenHistory(
      builtInProjections,
      scheduled,
      ...drivers.flatMap((id, n) => [registered(id, id), recorded(id, [n + 1], { participantId: id })]),
    );
    const request = { eventId: 'cup', validOnly: true };
    const rows = (await resultsOf(request, boardSources(models)))?.rows;
    expect(rows?.map(([position]) => position)).to.deep.equal(drivers.map((_, n) => n + 1));
    expect(rows?.at(-1)).to.deep.equal([DRIVERS, `p${DRIVERS - 1} Racer`, '', '0:01.050', '0:01.049', 1]);
    const allowance = new Allowance({ budget: DRIVERS - 10 });
    const refused = await resultsOf(request, boardSources(models, { allowance })).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(OverBudget);
  });
});
