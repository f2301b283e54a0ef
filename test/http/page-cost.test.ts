import { systemClock } from '../../infra/system/system.ts';
import { expect } from 'chai';
import { carClasses } from '../../projections/car-classes.ts';
import { laps } from '../../projections/laps.ts';
import { builtInProjections } from '../../src/service/resources/built-in.ts';
import { carClassQuery } from '../../queries/car-classes.ts';
import { collectionsOf } from '../../src/kernel/projection/projection-runner.ts';
import { query } from '../../src/domain/query.ts';
import { pageEndpoint } from '../../src/service/api/lists.ts';
import { carClassResource } from '../../src/service/resources/car-classes.ts';
import { lapResource } from '../../src/service/resources/laps.ts';
import { insert, thing } from '../support/read-store/fixtures.ts';
import { memoryReadModels } from '../support/read-store/memory-read-store.ts';
import { problem, useToys } from '../support/api/http.ts';

const BUDGET = 20;
const PATH = '/api/v1/car-classes/paged';

describe('the cost of a page', () => {
  const models = memoryReadModels(collectionsOf(builtInProjections));
  const authorizer = { mayReadContact: () => true, mayReadAllContacts: () => true };
  const api = {
    models,
    overlays: new Map(),
    authorizer,
    clock: systemClock,
    queryBudget: BUDGET,
    publicParticipants: false,
  };
  const toys = useToys([pageEndpoint(api, carClassResource), pageEndpoint(api, lapResource)]);

  /** Adds classes until there are so many. */
  async function fill(count: number): Promise<void> {
    const all = Array.from({ length: count }, (_, n) => {
      const fields = { displayName: `Class ${n}`, shortName: 'C', logo: '', svg: false, enabled: true };
      return insert(thing(`c${n}`, fields), carClasses.collection);
    });
    await models.apply(all, 1);
  }

  it('is bounded: a short list can be sorted by any field, a long one by indexed fields only', async () => {
    await fill(BUDGET);
    expect((await toys.send(`${PATH}?sort=shortName&size=5`)).status).to.equal(200);
    await fill(BUDGET + 1);
    const refused = await problem(await toys.send(`${PATH}?sort=shortName&size=5`), 400);
    expect(refused['detail']).to.equal('there are too many records to sort by shortName; sort by displayName');
    expect(refused['errors']).to.deep.include({ pointer: '#/query/sort', detail: refused['detail'] });
    expect((await toys.send(`${PATH}?sort=displayName,desc&size=5&page=3`)).status).to.equal(200);
  });

  it('is low for laps with any filters, at any depth, in any order but by names', async () => {
    const at = '2026-05-01T19:40:02.000Z';
    const eventId = '0190a3f2-7c1b-7a44-9d3e-1b2c3d4e5f60';
    const car = '0190a3f2-7c1b-7a44-9d3e-1b2c3d4e5f61';
    const fields = { eventId, car, valid: true, createdAt: at, drivenAt: at, sectors: [1], rigName: 'Rig' };
    const all = Array.from({ length: 51 * BUDGET }, (_, n) => thing(`l${n}`, { ...fields, totalTime: n }));
    await models.apply(
      all.map((lap) => insert(lap, laps.collection)),
      1,
    );
    const filters = `eventId=${eventId}&carId=${car}&valid=true&drivenFrom=${at}&size=1`;
    for (const sort of ['totalTime', 'drivenAt,desc', 'createdAt', 'car', 'eventId']) {
      const path = `/api/v1/laps/paged?${filters}&sort=${sort}`;
      expect((await toys.send(`${path}&page=${51 * BUDGET - 1}`)).status, sort).to.equal(200);
    }
    const refused = await problem(await toys.send(`/api/v1/laps/paged?${filters}&sort=rigName`), 400);
    expect(refused['detail']).to.include('too many records to sort by rigName').and.to.include('drivenAt');
  });

  it('is bounded by default: every list has an index for its default order', () => {
    const unordered = query(carClasses, { view: carClassQuery.view, defaultSort: 'shortName' });
    expect(() => pageEndpoint(api, { ...carClassResource, query: unordered })).to.throw(
      'carClasses: the default order needs an index',
    );
  });
});
