import { expect } from 'chai';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { expectProblem, expectStatus, idOf, textOf, type Client } from '../support/api/client.ts';
import { operationsOf } from '../support/api/openapi.ts';
import { bodies, createLicense, issueKey, registerRig } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { IN_ORDER } from '../support/resources/entries.ts';
import { FILE } from '../support/resources/operations.ts';
import { sameSet } from '../support/same-set.ts';

const PAGING = ['format', 'bom', 'page', 'size', 'sort', 'includeDisabled'];

const ids = (records: readonly JsonObject[]): string[] => records.map(idOf);

type Query = Readonly<Record<string, string | boolean>>;

function queryText(query: Query): string {
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)] as const);
  return new URLSearchParams(Object.fromEntries(texts)).toString();
}

const listAt = (client: Client, path: string) => ({ client, path });

/** Requests a list and its pages, sorted by id and by creation, and expects exactly these of all records. */
async function expectFound(
  { client, path }: ReturnType<typeof listAt>,
  query: Query,
  expected: readonly JsonObject[],
): Promise<void> {
  const text = queryText(query);
  expect(ids(await client.list(`${path}?${text}`)), text).to.have.members(ids(expected));
  const sorted = ids(expected).sort();
  for (const sort of ['id', 'createdAt,desc']) {
    const page = await client.read(`${path}/paged?size=1000&sort=${sort}&${text}`);
    expect(page.totalElements, text).to.equal(expected.length);
    // The client checks every body against the document: a page's content is a list of resources.
    const found = ids(page.content as readonly JsonObject[]);
    expect(sort === 'id' ? found : found.sort(), `${text} by ${sort}`).to.deep.equal(sorted);
  }
}

describe('API: filters of lists', () => {
  const api = useVenue();

  it('are the documented ones, in every list and its pages', () => {
    const found: string[] = [];
    for (const { path, method, operation } of operationsOf(api.service.document)) {
      const [, list, isPaged] = /^\/api\/v1\/([\w-]+)(\/paged)?$/.exec(path) ?? [];
      if (method !== 'GET' || list === undefined) continue;
      const names = (operation.parameters ?? []).flatMap(({ name }) => name ?? []);
      const own = names.filter((name) => !PAGING.includes(name) && name !== 'If-None-Match');
      found.push(...own.map((name) => `/api/v1/${list}${isPaged ?? ''} ${name}`));
    }
    const wanted = [...IN_ORDER, FILE].flatMap(({ path, filters = {} }) =>
      Object.keys(filters).flatMap((filter) => [`${path} ${filter}`, `${path}/paged ${filter}`]),
    );
    sameSet(found, wanted, 'filters');
  });

  for (const entry of IN_ORDER) {
    const { name, filters = {}, hides } = entry;
    for (const [filter, shown] of Object.entries(filters)) {
      if (shown === null) continue;
      it(`${name}: select the records of one ${filter}, and no others`, async () => {
        const resource = api.resource(name);
        const made = resource.unwrap(await api.admin.create(resource.path, await resource.body()));
        const [field, { refersTo, few }] =
          Object.entries(resource.change).find(([one, { shownAs = one }]) => shownAs === shown) ?? expect.fail(shown);
        const [, other = null] = few;
        const value = refersTo === undefined ? other : await newOne(refersTo);
        const isList = Array.isArray(made[shown]);
        await api.admin.change(resource.pathOf(made), { [field]: isList ? [value] : value });
        const whole = hides ? { includeDisabled: true } : {};
        const all = await api.admin.list(resource.path + (hides ? '?includeDisabled=true' : ''));
        const expected = all.filter((one) => [one[shown]].flat().includes(value));
        expect(expected.length).to.be.within(1, all.length - 1);
        const query = { [filter]: typeof value === 'boolean' || typeof value === 'string' ? value : '', ...whole };
        await expectFound(listAt(api.admin, resource.path), query, expected);
      });
    }
  }

  async function newOne(name: string): Promise<string> {
    const { path, body, unwrap } = api.resource(name);
    return idOf(unwrap(await api.admin.create(path, await body())));
  }

  it('select laps recorded or driven from one moment up to another, and of at least and at most a time', async () => {
    const eventId = idOf(await api.admin.create('/api/v1/events', bodies.event(api.venue)));
    const list = listAt(api.anyone, '/api/v1/laps');
    const most = Number.MAX_SAFE_INTEGER;
    const laps: JsonObject[] = [];
    for (const [n, totalTime] of [99_000, 0, most, 1].entries()) {
      const driven = { totalTime, drivenAt: `2026-05-01T${20 - n}:00:00.000Z` };
      const lap = await api.admin.create('/api/v1/laps', { ...bodies.lap(api.venue), eventId, ...driven });
      laps.push(lap);
      // Wait for the next millisecond, so that the times of laps differ.
      while (Date.now() <= Date.parse(textOf(lap, 'createdAt')));
    }
    for (const [lower, upper, field] of [
      ['from', 'to', 'createdAt'],
      ['drivenFrom', 'drivenTo', 'drivenAt'],
    ] as const) {
      const [, second = '', , last = ''] = laps.map((lap) => textOf(lap, field)).sort();
      const between = (from: string, to: string) =>
        laps.filter((lap) => textOf(lap, field) >= from && textOf(lap, field) < to);
      expect(between(second, last)).to.have.lengthOf(2);
      await expectFound(list, { [lower]: second, [upper]: last, eventId }, between(second, last));
      await expectFound(list, { [lower]: second, eventId }, between(second, '9'));
      await expectFound(list, { [upper]: second, eventId }, between('', second));
      await expectFound(list, { [lower]: last, [upper]: second }, []);
      const elsewhere = new Date(Date.parse(second) + 3_600_000).toISOString().replace('Z', '+01:00');
      await expectFound(list, { [lower]: elsewhere, eventId }, between(second, '9'));
    }
    for (const [minTotalTime, maxTotalTime] of [
      [1, most],
      [0, 99_000],
      [99_000, 99_000],
      [most, most],
      [2, 1],
    ] as const) {
      const expected = laps.filter(
        ({ totalTime }) => Number(totalTime) >= minTotalTime && Number(totalTime) <= maxTotalTime,
      );
      const bounds = { minTotalTime: `${minTotalTime}`, maxTotalTime: `${maxTotalTime}` };
      await expectFound(list, { ...bounds, eventId }, expected);
    }
  });

  it('select events of a simulator, with a rig, of a mode, or in progress at a moment', async () => {
    const { venue, admin } = api;
    const { rigId } = await registerRig(venue.manager, venue.licenseId);
    const simulator = await admin.create('/api/v1/simulators', bodies.simulator());
    const [before, start, middle, end] = ['10', '11', '12', '13'].map((hour) => `2026-05-01T${hour}:00:00.000Z`);
    const make = (fields: JsonObject) => admin.create('/api/v1/events', { ...bodies.event(venue), ...fields });
    const closed = await make({ startsAt: start ?? '', endsAt: end ?? '', mode: 'PRACTICE' });
    const open = await make({ startsAt: start ?? '', simulatorId: idOf(simulator) });
    const unplanned = await make({ rigIds: [venue.rigId, rigId], mode: 'HOTLAP' });
    const hidden = await make({ startsAt: start ?? '', enabled: false, rigIds: [rigId] });
    const at = (moment: string | undefined, expected: readonly JsonObject[]) =>
      expectFound(listAt(api.anyone, '/api/v1/events'), { at: moment ?? '' }, expected);
    await at(before, []);
    await at(start, [closed, open]);
    await at(middle, [closed, open]);
    await at(end, [open]);
    await at('9999-12-31T23:59:59.999Z', [open]);
    await expectFound(listAt(api.anyone, '/api/v1/events'), { rigId }, [unplanned]);
    await expectFound(listAt(admin, '/api/v1/events'), { rigId, includeDisabled: true }, [unplanned, hidden]);
    await expectFound(listAt(admin, '/api/v1/events'), { at: middle ?? '', rigId, includeDisabled: true }, [hidden]);
    await expectFound(listAt(api.anyone, '/api/v1/events'), { simulatorId: idOf(simulator) }, [open]);
    await expectFound(listAt(api.anyone, '/api/v1/events'), { mode: 'PRACTICE' }, [closed]);
    await expectFound(listAt(api.anyone, '/api/v1/events'), { mode: 'PRACTICE', at: start ?? '' }, [closed]);
    await admin.change(`/api/v1/events/${idOf(open)}`, { endsAt: middle ?? '', rigIds: [rigId] });
    await admin.change(`/api/v1/events/${idOf(unplanned)}`, { rigIds: [venue.rigId] });
    await at(middle, [closed]);
    await expectFound(listAt(api.anyone, '/api/v1/events'), { rigId }, [open]);
    await admin.change(`/api/v1/events/${idOf(open)}`, { endsAt: null });
    await at(end, [open]);
  });

  it('apply to enabled records, unless all are requested', async () => {
    const { venue, admin } = api;
    const brandId = await newOne('CarBrand');
    const car = await admin.create('/api/v1/cars', bodies.car(brandId, venue.carClassId));
    for (const id of [brandId, brandId.toUpperCase()])
      await expectFound(listAt(api.anyone, '/api/v1/cars'), { brandId: id, carClassId: venue.carClassId }, [car]);
    await admin.change(`/api/v1/cars/${idOf(car)}`, { enabled: false });
    await expectFound(listAt(api.anyone, '/api/v1/cars'), { brandId }, []);
    await expectFound(listAt(admin, '/api/v1/cars'), { brandId, includeDisabled: true }, [car]);
  });

  it('select participants of a licence, and by email only those the caller may see', async () => {
    const { admin } = api;
    const [one, two, three] = [await createLicense(admin), await createLicense(admin), await createLicense(admin)];
    const email = 'shared@example.org';
    const register = (by: Client, licenseId: string) =>
      by.create('/api/v1/participants', { ...bodies.participant(licenseId), email });
    const own = await register(one.manager, one.licenseId);
    const registered = await register(one.manager, two.licenseId);
    const foreign = await register(admin, three.licenseId);
    const path = '/api/v1/participants';
    await expectFound(listAt(admin, path), { email }, [own, registered, foreign]);
    await expectFound(listAt(one.manager, path), { email }, [own, registered]);
    await expectFound(listAt(two.manager, path), { email }, [registered]);
    await expectFound(listAt(three.manager, path), { email, licenseId: one.licenseId }, []);
    await expectFound(listAt((await issueKey(three.manager, 'R')).client, path), { email }, [foreign]);
    await expectFound(listAt(one.manager, path), { licenseId: three.licenseId }, [foreign]);
    await admin.change(`${path}/${idOf(foreign)}`, { email: 'moved@example.org' });
    await expectFound(listAt(admin, path), { email }, [own, registered]);
    // Of one that moved, the new licence sees them: neither the old one nor its registrant.
    const { licenseId, manager } = await createLicense(admin);
    await admin.change(`${path}/${idOf(registered)}`, { licenseId });
    await expectFound(listAt(manager, path), { email }, [registered]);
    await expectFound(listAt(one.manager, path), { email }, [own]);
    await expectFound(listAt(two.manager, path), { email }, []);
  });

  it('refuse values that are repeated, empty or of the wrong type', async () => {
    const good = api.venue.eventId;
    const bad: Readonly<Record<string, readonly string[]>> = {
      'laps eventId': ['', 'x', '1', `${good}0`, '%00', 'null', `${good},${good}`],
      'laps carId': ['', 'x'],
      'laps valid': ['', 'TRUE', '1', 'yes'],
      'laps from': ['', '2026', '2026-13-01T00:00:00Z', '2026-05-01', 'now', '1700000000000'],
      'laps to': ['', '2026-05-01T00:00:00'],
      'laps minTotalTime': ['', '-1', '1.5', '1e3', '%201', '9007199254740992', 'x'],
      'events mode': ['', 'hotlap', 'null'],
      'events at': ['', 'now'],
      'events rigId': ['', 'x'],
      'participants email': ['', 'x', 'a@b'],
    };
    for (const [name, values] of Object.entries(bad)) {
      const [list = '', parameter = ''] = name.split(' ');
      const queries = [
        ...values.map((value) => `${parameter}=${value}`),
        parameter,
        `${parameter}=${good}&${parameter}=${good}`,
        `${parameter}[]=${good}`,
      ];
      for (const query of queries)
        for (const path of [`/api/v1/${list}?${query}`, `/api/v1/${list}/paged?${query}`])
          expectProblem(await api.admin.get(path), 400, /\[\]/.test(query) ? undefined : `#/query/${parameter}`);
    }
  });
});

describe('API: contact data of public participants without tenant isolation', () => {
  const api = useVenue({ LICENSE_WALLS: 'off', PUBLIC_PARTICIPANTS: 'true' });

  it('is shown to callers with a key, who filter by it, and to nobody else', async () => {
    const { licenseId, participantId } = api.venue;
    const hidden = { email: '', phoneNumber: '', extraFieldsJson: {} };
    const reader = (await createLicense(api.admin)).manager;
    const path = `/api/v1/participants/${participantId}`;
    expect(await reader.read(path)).to.include({ email: 'ada@example.org' });
    expect(await api.anyone.read(path)).to.deep.include(hidden);
    const [listed] = await api.anyone.list(`/api/v1/participants?licenseId=${licenseId}`);
    expect(listed).to.deep.include(hidden);
    const page = expectStatus(await api.anyone.get('/api/v1/participants/paged'), 200);
    expect(page.text).to.not.include('ada@example.org');
    const csv = expectStatus(await api.anyone.get('/api/v1/participants?format=csv'), 200);
    expect(csv.text).to.include('Ada').and.not.include('ada@example.org');
    for (const list of ['/api/v1/participants', '/api/v1/participants/paged'])
      expectProblem(await api.anyone.get(`${list}?email=ada@example.org`), 401);
    expect(await reader.list('/api/v1/participants?email=ada@example.org')).to.have.lengthOf(1);
  });
});
