import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import type { Resource } from '../support/api/catalogue-resources.ts';
import { expectStatus, textOf, type Answer, type Client } from '../support/api/client.ts';
import { operationsOf } from '../support/api/openapi.ts';
import {
  expectedOf,
  WHO,
  WHOSE,
  type Asked,
  type Cell,
  type Expected,
  type Who,
  type Whose,
} from '../support/api/permission-rules.ts';
import { resourcesOf } from '../support/api/resources.ts';
import { createLicense, createVenue, issueKey, type Venue } from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';

const METHODS: Readonly<Record<Asked, string>> = {
  read: 'GET',
  list: 'GET',
  create: 'POST',
  change: 'PATCH',
  delete: 'DELETE',
};

/** One thing of a resource: where it is, and a body that changes nothing of it. */
interface Subject {
  readonly path: string;
  readonly body: JsonObject;
}

describe('API: the matrix of keys, endpoints and owners', () => {
  const api = useService();
  const clients = new Map<Who, Client>();
  const venues = new Map<Whose, Venue>();
  let asked = 0;

  const get = <K, V>(map: ReadonlyMap<K, V>, key: K): V => {
    const found = map.get(key);
    if (found === undefined) throw new Error(`there is no ${String(key)}`);
    return found;
  };

  before(async () => {
    const own = await createVenue(api.admin);
    venues.set('own', own).set('other', await createVenue(api.admin));
    venues.set('shared', await createVenue(api.admin, api.admin));
    for (const role of ['R', 'CR', 'CRUD'] as const) clients.set(role, (await issueKey(own.manager, role)).client);
    const revoked = await issueKey(own.manager, 'CRUD');
    expectStatus(await own.manager.delete(`/api/v1/api-keys/${revoked.id}`), 204);
    const expired = await createLicense(api.admin);
    await api.admin.change(`/api/v1/licenses/${expired.licenseId}`, { expiresAt: '2020-01-01T00:00:00Z' });
    const disabled = await createLicense(api.admin);
    await api.admin.change(`/api/v1/licenses/${disabled.licenseId}`, { enabled: false });
    clients.set('none', api.anyone).set('ADMIN', api.admin).set('rig', own.rig).set('revoked', revoked.client);
    clients.set('expired', expired.manager).set('disabled licence', disabled.manager);
  });

  const resourceOf = (name: string, whose: Whose): Resource => {
    const found = resourcesOf(get(venues, whose), api.admin).get(name);
    if (found === undefined) throw new Error(`no resource ${name}`);
    return found;
  };

  /** A thing made by the licence whose it is; of a rig, lap or participant that of the key that asks, where it is own. */
  async function subjectOf(name: string, whose: Whose): Promise<Subject> {
    const resource = resourceOf(name, whose);
    const venue = get(venues, whose);
    const body = await resource.body();
    if (name === 'Rig') return { path: `${resource.path}/${venue.rigId}`, body: {} };
    const maker = name === 'License' ? api.admin : venue.manager;
    if (name === 'License') return { path: `${resource.path}/${venue.licenseId}`, body: {} };
    if (name === 'ApiKey' && whose === 'shared') return { path: `${resource.path}/${venue.managerKeyId}`, body: {} };
    const path = resource.pathOf(resource.unwrap(await maker.create(resource.path, body)));
    return { path, body: resource.replaces === true ? { ...body, trackLayoutId: undefined, carId: undefined } : {} };
  }

  async function ask(
    client: Client,
    does: Asked,
    { resource, whose }: { resource: Resource; whose: Whose },
  ): Promise<Answer> {
    if (does === 'list') return client.get(resource.path);
    if (does === 'create') return client.post(resource.path, await resource.body());
    const { path, body } = await subjectOf(resource.name, whose);
    if (does === 'change') return client.patch(path, body);
    return client.send(METHODS[does], path);
  }

  function outcomeOf(answer: Answer): Expected {
    const { status } = answer;
    if (status < 300) return 'yes';
    if (status !== 403) return status as Expected;
    const { body } = answer;
    return textOf(body, 'type').replace('urn:problem-type:', '') as Expected;
  }

  function doesOf(resource: Resource): readonly Asked[] {
    const paths = operationsOf(api.service.document)
      .filter(({ path }) =>
        new RegExp(`^${resource.path.replaceAll(/simulators\/[^/]+\//g, 'simulators/[^/]+/')}(/\\{\\w+\\})?$`).test(
          path,
        ),
      )
      .map(({ method, path }) => `${method} ${path.endsWith('}') ? 'one' : 'all'}`);
    const all: Readonly<Record<Asked, string>> = {
      read: 'GET one',
      list: 'GET all',
      create: 'POST all',
      change: 'PATCH one',
      delete: 'DELETE one',
    };
    return (Object.keys(all) as Asked[]).filter((does) => paths.includes(all[does]));
  }

  /** What is wrong with the answer of a cell. */
  async function tried(cell: Cell): Promise<readonly string[]> {
    const { who, asked: does, resource: name, whose } = cell;
    const answer = await ask(get(clients, who), does, { resource: resourceOf(name, whose), whose });
    const [got, expected] = [outcomeOf(answer), expectedOf(cell)];
    asked += 1;
    return got === expected ? [] : [`${does} ${name} (${whose}): ${got}, not ${expected}`];
  }

  for (const who of WHO) {
    it(`${who}: every resource, own, shared and another's`, async () => {
      const wrong: string[] = [];
      for (const [name] of resourcesOf(get(venues, 'own'), api.admin)) {
        for (const whose of WHOSE) {
          const resource = resourceOf(name, whose);
          const does = doesOf(resource);
          expect(does, `${name} has endpoints`).to.include('list');
          for (const one of does) wrong.push(...(await tried({ who, asked: one, resource: name, whose })));
        }
      }
      expect(wrong).to.deep.equal([]);
    });
  }

  it('has a cell for every one of these', () => {
    expect(asked).to.be.greaterThan(WHO.length * WHOSE.length * 17 * 3);
  });
});
