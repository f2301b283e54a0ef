import { expect } from 'chai';
import type { Json, JsonObject } from '../../src/service/kernel/json.ts';
import { expectProblem, expectStatus, textOf } from '../support/api/client.ts';
import { operationsOf } from '../support/api/openapi.ts';
import { RESOURCES, resourcesOf } from '../support/api/resources.ts';
import { createVenue, idsIn, type Venue } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { IN_ORDER, referencesOf } from '../support/resources/entries.ts';

/** The ids of a venue, by the body fields that hold them. */
function idsOf(venue: Venue): Readonly<Record<string, string>> {
  const { trackLayoutId, carId, rigId, brandId } = venue;
  const lists = { carIds: carId, trackLayoutIds: trackLayoutId, rigIds: rigId, brandIds: brandId };
  const { participantId, eventId, simulatorId, licenseId, carClassId } = venue;
  return { ...lists, participantId, rigId, eventId, carId, simulatorId, licenseId, carClassId, trackLayoutId };
}

describe('API: ids of another licence', () => {
  const api = useVenue();
  let other: Venue | null = null;
  before(async () => {
    other = await createVenue(api.admin);
  });
  const otherVenue = (): Venue => {
    if (other === null) throw new Error('the other venue is there from the first test on');
    return other;
  };

  for (const entry of IN_ORDER.filter(({ create }) =>
    Object.values(create).some(({ refersTo }) => refersTo !== undefined),
  )) {
    const { name, hangsOn = [] } = entry;
    it(`${name}: are refused in every field that may hold one, on POST and PATCH`, async () => {
      const resource = api.resource(name);
      const { manager } = api.venue;
      const made = resource.unwrap(await manager.create(resource.path, await resource.body()));
      for (const { name: field, refersTo } of referencesOf(entry)) {
        if (!(field in entry.create)) continue;
        const id = idsIn(otherVenue())(refersTo);
        const value = Array.isArray(made[field]) ? [id] : id;
        // All other fields refer only to public resources.
        const isRefused = hangsOn.includes(field);
        // What there is stays with its licence.
        const isMove = typeof entry.owner !== 'string' && 'license' in entry.owner && entry.owner.license === field;
        const posted = await manager.post(resource.path, { ...(await resource.body()), [field]: value });
        const patched =
          field in resource.change ? await manager.patch(resource.pathOf(made), { ...made, [field]: value }) : posted;
        for (const answer of [posted, patched]) {
          if (isRefused || (isMove && answer === patched)) expectProblem(answer, 403, `#/${field}`);
          else expect(answer.status, `${field}: ${answer.text.slice(0, 200)}`).to.be.oneOf([200, 201, 409]);
        }
      }
    });
  }

  it('are refused in the path of every change and every key endpoint, and nothing changes', async () => {
    const { manager } = api.venue;
    const theirs = resourcesOf(otherVenue(), api.admin);
    const lists = [...theirs.values()].map(({ path }) => path);
    // The time of a key's last use changes with each request.
    const settled = (one: JsonObject): Json => ({ ...one, lastUsedAt: null, lastLoginAt: null, lastSeenAt: null });
    const shown = async (): Promise<JsonObject> =>
      Object.fromEntries(
        await Promise.all(lists.map(async (path) => [path, (await api.admin.list(path)).map(settled)] as const)),
      );
    const before = await shown();
    const venue = otherVenue();
    const ids: Readonly<Record<string, string>> = {
      ...{ ...idsOf(venue), lapId: venue.lapId, signupFieldId: venue.signupFieldId, trackId: venue.trackId },
      ...{ carBrandId: venue.carBrandId, brandId: venue.brandId, apiKeyId: venue.managerKeyId, keyId: venue.rigKeyId },
    };
    const writes = operationsOf(api.service.document).filter(
      ({ method, path }) => method !== 'GET' && path.includes('{') && path.startsWith('/api/v1/'),
    );
    expect(writes.length).to.be.greaterThan(20);
    for (const { method, path } of writes) {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? venue.managerKeyId);
      const mapped = { trackLayoutId: venue.trackLayoutId, carId: venue.carId, simulatorIdentifier: 'x' };
      const body = { ...mapped, name: 'Taken over', label: 'x', boot: 'b', upTo: 1 };
      const simulator = path.endsWith('/simulators/{simulatorId}') ? theirs.get('Simulator') : undefined;
      const answer = await manager.send(method, filled, {
        headers: { 'Content-Type': 'application/json' },
        ...(method === 'DELETE' ? {} : { body: JSON.stringify((await simulator?.body()) ?? body) }),
      });
      expect(answer.status, `${method} ${filled} ${answer.text}`).to.be.oneOf([403, 404]);
    }
    expect(await shown()).to.deep.equal(before);
  });

  it('of another kind of resource are a 404 in the path', async () => {
    const { venue } = api;
    const reads = operationsOf(api.service.document).filter(
      ({ method, path }) =>
        method !== 'POST' && /\/\{\w+Id\}/.test(path) && !path.includes('/simulators/{simulatorId}/'),
    );
    const ids = Object.entries(idsOf(venue)).filter(([name]) => !name.endsWith('Ids'));
    for (const { method, path } of reads) {
      for (const [name, id] of ids) {
        if (path.includes(`{${name}}`)) continue;
        const filled = path.replaceAll(/\{\w+\}/g, id);
        const answer = await api.admin.send(method, filled, {
          headers: { 'Content-Type': 'application/json' },
          ...(method === 'PATCH' || method === 'PUT' ? { body: JSON.stringify(await bodyFor(path)) } : {}),
        });
        expectStatus(answer, 404);
      }
    }
  });

  async function bodyFor(path: string): Promise<JsonObject> {
    const resource = RESOURCES.map((name) => api.resource(name)).find((one) => path.startsWith(`${one.path}/`));
    if (path.endsWith('/sequence')) return { boot: 'b', upTo: 1 };
    return resource?.replaces === true ? resource.body() : {};
  }

  it('have no effect in fields that only the service sets, on POST and PATCH', async () => {
    const { manager, licenseId } = otherVenue();
    for (const name of RESOURCES.filter((one) => one !== 'License')) {
      const resource = resourcesOf(otherVenue(), api.admin).get(name);
      if (resource === undefined) throw new Error(name);
      const settable = new Set([...Object.keys(resource.create), ...Object.keys(resource.change)]);
      const own = [...resource.shows, ...INTERNAL].filter((field) => !settable.has(field));
      const body = { ...(await resource.body()) };
      const hostile = Object.fromEntries(
        own.filter((field) => !(field in body)).map((field) => [field, api.venue.licenseId]),
      );
      const made = resource.unwrap(expectStatus(await manager.post(resource.path, { ...hostile, ...body }), 201).body);
      for (const [field, value] of Object.entries(made))
        expect(value, `${name}.${field}`).not.to.equal(api.venue.licenseId);
      if ('licenseId' in made && name !== 'Participant') expect(textOf(made, 'licenseId')).to.equal(licenseId);
      const path = resource.pathOf(made);
      const before = await manager.read(path);
      const answer = await manager.patch(path, resource.replaces === true ? { ...body, ...hostile } : hostile);
      expectStatus(answer, 200);
      expect({ ...answer.body, updatedAt: 0 }).to.deep.equal({ ...before, updatedAt: 0 });
    }
  });
});

/** Internal names of fields in documents or events. */
const INTERNAL = [
  ...[
    '_createdBy',
    '_owners',
    '_until',
    '_tokenHash',
    '_oldTokens',
    '_rigId',
    '_registration',
    '_mapped',
    '_revision',
    '_position',
  ],
  ...['tokenHash', 'rigId', 'licenseKey', 'role', 'apiKeyId', 'createdBy', 'enabled', '__proto__', 'constructor'],
];
