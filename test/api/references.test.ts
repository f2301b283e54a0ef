import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectProblem, expectStatus, pointersOf } from '../support/api/client.ts';
import { bodies, idsIn, NOBODY } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { IN_ORDER, referencesOf } from '../support/resources/entries.ts';

describe('API: references and mappings', () => {
  const api = useVenue();

  for (const entry of IN_ORDER.filter(({ maps }) => maps === undefined)) {
    for (const { name: field, refersTo } of referencesOf(entry)) {
      it(`${entry.name}: an unknown ${field} is a 422 that names it, on POST and PATCH, and writes nothing`, async () => {
        const { path, create, change, body, pathOf } = api.resource(entry.name);
        const ids = idsIn(api.venue);
        const one = pathOf({ id: ids(entry.name) });
        const good = await body();
        const before = await api.anyone.get(path);
        const isList = Array.isArray(good[field]);
        const pointer = isList ? `#/${field}/0` : `#/${field}`;
        const withIn = (id: string): JsonObject => ({ [field]: isList ? [id] : id });
        if (field in create) {
          const created = await api.admin.post(path, { ...good, ...withIn(NOBODY) });
          expect(expectProblem(created, 422, pointer).type).to.equal('urn:problem-type:unknown-reference');
          expect(pointersOf(created)).to.deep.equal([pointer]);
        }
        if (field in change) {
          expectProblem(await api.admin.patch(one, withIn(NOBODY)), 422, pointer);
          // The id of another kind of resource is just as unknown.
          expectProblem(await api.admin.patch(one, withIn(ids(refersTo === 'Track' ? 'Simulator' : 'Track'))), 422);
        }
        expect((await api.anyone.get(path)).text).to.equal(before.text);
      });
    }
  }

  it('are all named in one problem if several are unknown', async () => {
    const event = { ...bodies.event(api.venue), carIds: [NOBODY, api.venue.carId, NOBODY], simulatorId: NOBODY };
    const answer = await api.admin.post('/api/v1/events', event);
    expectProblem(answer, 422);
    expect(pointersOf(answer)).to.have.members(['#/carIds/0', '#/carIds/2', '#/simulatorId']);
    // Of very many, the first ones.
    const carIds = Array.from({ length: 1_000 }, () => NOBODY);
    const refused = await api.admin.patch(`/api/v1/events/${api.venue.eventId}`, { carIds });
    expect(pointersOf(refused)).to.deep.equal(carIds.slice(0, 50).map((_, n) => `#/carIds/${n}`));
  });

  it('of mappings must name a known simulator (404) and a known resource (422)', async () => {
    const { simulatorId, carId, trackLayoutId } = api.venue;
    const simulatorIdentifier = 'x';
    const cars = `/api/v1/simulators/${simulatorId}/cars`;
    const layouts = `/api/v1/simulators/${simulatorId}/layouts`;
    expectProblem(await api.admin.post(cars, { carId: NOBODY, simulatorIdentifier }), 422, '#/carId');
    expectProblem(await api.admin.post(cars, { carId: trackLayoutId, simulatorIdentifier }), 422, '#/carId');
    expectProblem(
      await api.admin.post(layouts, { trackLayoutId: NOBODY, simulatorIdentifier }),
      422,
      '#/trackLayoutId',
    );
    for (const [mapped, body] of [
      ['cars', { carId }],
      ['layouts', { trackLayoutId }],
    ] as const) {
      expectProblem(
        await api.admin.post(`/api/v1/simulators/${NOBODY}/${mapped}`, { ...body, simulatorIdentifier }),
        404,
      );
      expectProblem(await api.anyone.get(`/api/v1/simulators/${NOBODY}/${mapped}`), 404);
    }
  });

  it('of mappings are listed, by their simulator too, until the mapping is removed', async () => {
    const { simulatorId, trackLayoutId, manager } = api.venue;
    const simulator = `/api/v1/simulators/${simulatorId}`;
    const list = `${simulator}/layouts`;
    const one = `${simulator}/layouts/${trackLayoutId}`;
    const expectShown = async (...mapped: readonly JsonObject[]) => {
      expect(await api.anyone.list(list)).to.deep.equal(mapped);
      expect((await api.anyone.read(simulator)).layouts).to.deep.equal(mapped);
    };
    await expectShown();
    await expectShown(await manager.create(list, { trackLayoutId, simulatorIdentifier: 'first' }));
    expectProblem(await manager.post(list, { trackLayoutId, simulatorIdentifier: 'second' }), 409, '#/trackLayoutId');
    expect(expectStatus(await manager.delete(one), 204).text).to.equal('');
    await expectShown();
    for (const gone of [await api.anyone.get(one), await manager.delete(one)]) expectProblem(gone, 404);
  });

  it('may name disabled resources', async () => {
    const { carId, trackLayoutId, rigId, eventId, lapId } = api.venue;
    for (const path of [`cars/${carId}`, `track-layouts/${trackLayoutId}`, `rigs/${rigId}`, `events/${eventId}`]) {
      await api.admin.change(`/api/v1/${path}`, { enabled: false });
    }
    expectStatus(await api.venue.rig.post('/api/v1/laps', bodies.lap(api.venue)), 201);
    expectStatus(await api.admin.patch(`/api/v1/laps/${lapId}`, { carId, rigId, eventId }), 200);
  });
});
