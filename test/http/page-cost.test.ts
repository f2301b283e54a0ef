import { expect } from 'chai';
import { carClasses } from '../../projections/car-classes.ts';
import { builtInProjections } from '../../src/service/resources/read-models.ts';
import { carClassQuery } from '../../queries/car-classes.ts';
import { collectionsOf } from '../../src/service/kernel/projection/projection-runner.ts';
import { query } from '../../src/service/domain/query.ts';
import { pageEndpoint } from '../../src/service/api/endpoints.ts';
import { carClassResource } from '../../src/service/resources/car-classes.ts';
import { insert, thing } from '../support/read-store/fixtures.ts';
import { memoryReadModels } from '../support/read-store/memory-read-store.ts';
import { problem, startToys, type Toys } from '../support/api/http.ts';

const BUDGET = 20;
const PATH = '/api/v1/car-classes/paged';

describe('the cost of a page', () => {
  const models = memoryReadModels(collectionsOf(builtInProjections));
  const authorizer = { mayReadContact: () => true, mayReadAllContacts: () => true };
  const api = { models, overlays: new Map(), authorizer, queryBudget: BUDGET, publicParticipants: false };
  let toys: Toys;
  before(async () => {
    toys = await startToys([pageEndpoint(api, carClassResource)]);
  });
  after(() => toys.close());

  /** Adds classes until there are so many. */
  async function fill(count: number): Promise<void> {
    const all = Array.from({ length: count }, (_, n) => {
      const fields = { displayName: `Class ${n}`, shortName: 'C', logo: '', svg: false, enabled: true };
      return insert(thing(`c${n}`, fields), carClasses.collection);
    });
    await models.apply(all, 1);
  }

  it('is bounded: a short list is sorted by any field, a long one by those with an index', async () => {
    await fill(BUDGET);
    expect((await toys.send(`${PATH}?sort=shortName&size=5`)).status).to.equal(200);
    await fill(BUDGET + 1);
    const refused = await problem(await toys.send(`${PATH}?sort=shortName&size=5`), 400);
    expect(refused['detail']).to.equal('there are too many records to sort by shortName; sort by displayName');
    expect(refused['errors']).to.deep.include({ pointer: '#/query/sort', detail: refused['detail'] });
    expect((await toys.send(`${PATH}?sort=displayName,desc&size=5&page=3`)).status).to.equal(200);
  });

  it('is bounded: a page may not be too deep, and is empty past the end', async () => {
    await fill(51 * BUDGET);
    expect((await toys.send(`${PATH}?page=${50 * BUDGET}&size=1`)).status).to.equal(200);
    const refused = await problem(await toys.send(`${PATH}?page=${50 * BUDGET + 1}&size=1`), 400);
    expect(JSON.stringify(refused['errors'])).to.include('#/query/page');
    expect((await toys.send(`${PATH}?page=${51 * BUDGET}&size=1`)).status).to.equal(200);
  });

  it('is bounded from the start: every list has an index for its default order', () => {
    const unordered = query(carClasses, { view: carClassQuery.view, defaultSort: 'shortName' });
    expect(() => pageEndpoint(api, { ...carClassResource, query: unordered })).to.throw(
      'carClasses: the default order needs an index',
    );
  });
});
