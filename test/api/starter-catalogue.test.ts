import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectProblem, expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { createLicense, bodies } from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';

const PATH = '/api/v1/operations/starter-catalogue';
const LISTS = ['simulators', 'tracks', 'track-layouts', 'car-brands', 'car-classes', 'cars'];

/** The slugs of the items that are in the catalogue. */
async function present(admin: Client): Promise<readonly unknown[]> {
  const { list } = await admin.get(PATH);
  return list.filter((item) => item['present'] === true).map(({ slug }) => slug);
}

async function numbers(admin: Client): Promise<readonly number[]> {
  const answers = await Promise.all(LISTS.map((list) => admin.get(`/api/v1/${list}`)));
  return answers.map(({ list }) => list.length);
}

async function takeOver(admin: Client, body: JsonObject): Promise<JsonObject> {
  const answer = await admin.post(PATH, body);
  expectStatus(answer, 200);
  return answer.body;
}

describe('API: the starter catalogue', () => {
  describe('of an empty service', () => {
    const api = useService();

    it('lists items with what they hold, none of which is there', async () => {
      const { list } = await api.admin.get(PATH);
      expect(list.map(({ kind }) => kind)).to.include.members(['simulator', 'circuit', 'carClass']);
      expect(await present(api.admin)).to.deep.equal([]);
      const spa = list.find(({ slug }) => slug === 'spa');
      expect(spa).to.deep.equal({
        slug: 'spa',
        kind: 'circuit',
        name: 'Circuit de Spa-Francorchamps',
        holds: [{ kind: 'trackLayout', name: 'Spa-Francorchamps Grand Prix' }],
        present: false,
      });
    });

    it('is for ADMIN', async () => {
      const { manager } = await createLicense(api.admin);
      for (const client of [manager, api.anyone]) {
        const status = client === manager ? 403 : 401;
        expectProblem(await client.get(PATH), status);
        expectProblem(await client.post(PATH, {}), status);
      }
      expect(await numbers(api.admin)).to.deep.equal([0, 0, 0, 0, 0, 0]);
    });

    it('refuses what it has not, and takes over nothing then', async () => {
      expectProblem(await api.admin.post(PATH, { items: ['spa', 'nowhere'] }), 400, '#/items/1');
      expectProblem(await api.admin.post(PATH, { items: 'spa' }), 400, '#/items');
      expectProblem(await api.admin.post(PATH, { items: [7] }), 400, '#/items/0');
      expect(await numbers(api.admin)).to.deep.equal([0, 0, 0, 0, 0, 0]);
    });

    it('gives what was asked for, and with it what simulators call it once both are there', async () => {
      const taken = await takeOver(api.admin, { items: ['spa', 'gt4'] });
      expect(taken['items']).to.have.length(2);
      expect(await present(api.admin)).to.have.members(['spa', 'gt4']);
      const [simulators, tracks, layouts] = await numbers(api.admin);
      expect([simulators, tracks, layouts]).to.deep.equal([0, 1, 1]);
      await takeOver(api.admin, { items: ['acc'] });
      const { list } = await api.admin.get('/api/v1/simulators');
      const [acc = {}] = list;
      expect(acc['layouts']).to.have.length(1);
      expect((await api.admin.get(`/api/v1/simulators/${textOf(acc, 'id')}/cars`)).list).not.to.be.empty;
    });

    it('is shared by all licences, as what ADMIN makes is', async () => {
      const { manager } = await createLicense(api.admin);
      const { list } = await manager.get('/api/v1/tracks');
      const [track = {}] = list;
      expectStatus(await manager.patch(`/api/v1/tracks/${textOf(track, 'id')}`, { location: 'Ardennes' }), 200);
    });

    it('gives the rest when nothing is named, and nothing twice', async () => {
      await takeOver(api.admin, {});
      const all = (await api.admin.get(PATH)).list.map(({ slug }) => slug);
      expect(await present(api.admin)).to.deep.equal(all);
      const before = await numbers(api.admin);
      expect(await takeOver(api.admin, { items: [] })).to.include({ added: 0 });
      expect(await numbers(api.admin)).to.deep.equal(before);
    });

    it('leaves a mapping alone that somebody has taken back', async () => {
      const { list } = await api.admin.get('/api/v1/simulators');
      const acc = list.find(({ slug }) => slug === 'acc') ?? expect.fail('no simulator');
      const path = `/api/v1/simulators/${textOf(acc, 'id')}/layouts`;
      const [mapping = {}] = (await api.admin.get(path)).list;
      await api.admin.delete(`${path}/${textOf(mapping, 'trackLayoutId')}`);
      expect(await takeOver(api.admin, { items: ['acc'] })).to.include({ added: 0 });
    });
  });

  describe('of a service with records of its own', () => {
    const api = useService();

    it('takes those that have a slug to be what has it, and hangs the rest on them', async () => {
      const mine = { ...bodies.track(), slug: 'spa', displayName: 'Our Spa' };
      const trackId = idOf(await api.admin.create('/api/v1/tracks', mine));
      const carClassId = idOf(
        await api.admin.create('/api/v1/car-classes', { ...bodies.carClass(), shortName: 'GT3' }),
      );
      await takeOver(api.admin, { items: ['spa', 'gt3'] });
      expect((await api.admin.get('/api/v1/tracks')).list.map(({ id }) => id)).to.deep.equal([trackId]);
      expect((await api.admin.get('/api/v1/car-classes')).list.map(({ id }) => id)).to.deep.equal([carClassId]);
      const layouts = (await api.admin.get('/api/v1/track-layouts')).list;
      expect(layouts.map((layout) => layout['trackId'])).to.deep.equal([trackId]);
      const cars = (await api.admin.get('/api/v1/cars')).list;
      expect(new Set(cars.map((car) => car['carClassId']))).to.deep.equal(new Set([carClassId]));
      expect(await present(api.admin)).to.have.members(['spa', 'gt3']);
    });

    it('makes nothing twice of two requests at once', async () => {
      const answers = await Promise.all([1, 2, 3].map(() => takeOver(api.admin, { items: ['monza', 'f1'] })));
      const { list } = await api.admin.get('/api/v1/tracks');
      expect(list.filter(({ slug }) => slug === 'monza')).to.have.length(1);
      expect((await api.admin.get('/api/v1/car-classes')).list.map(({ shortName }) => shortName)).to.have.members([
        'GT3',
        'F1',
      ]);
      const added = answers.reduce((sum, { added: some }) => sum + Number(some), 0);
      // A track with two layouts; a class with a car, whose maker is there with GT3 already.
      expect(added).to.equal(5);
    });
  });
});
