import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectStatus, idOf, textOf, type Answer, type Client } from '../support/api/client.ts';
import { operationsOf } from '../support/api/openapi.ts';
import { fileRow, upload } from '../support/api/uploads.ts';
import {
  expectedOf,
  INVALID,
  WHO,
  WHOSE,
  type Expected,
  type Who,
  type Whose,
} from '../support/api/permission-rules.ts';
import { resourcesOf, type Resource } from '../support/api/resources.ts';
import { createLicense, createVenue, expiringSoon, issueKey, NOBODY, works, type Venue } from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';
import { IN_ORDER } from '../support/resources/entries.ts';
import { FILE, OPERATIONS, withoutNames, type Operation } from '../support/resources/operations.ts';
import { sameSet } from '../support/same-set.ts';
import { until } from '../support/processes/waits.ts';

/** Operations and tags outside any resource. */
const OTHERS = /^\w+ \/(cdn|actuator|\.well-known|api-docs|api\/v1\/(operations|check-ins|rig-pairings))(\/|$)/;
/** What makes more than its resource: who may call it is tested in `check-ins.test.ts` and `rig-pairings.test.ts`. */
const NEEDED: Readonly<Record<string, string>> = {
  'POST /api/v1/check-ins': 'CRUD',
  'POST /api/v1/rig-pairings': 'CRUD',
  'GET /api/v1/rig-pairings/{}': 'R',
};
const OTHER_TAGS = ['Files', 'Operations'];

/** The kind of request that a path makes of a resource. */
interface Asking extends Operation {
  readonly path: string;
}

/** The owner of a request's resource, and the expected answer. */
interface Sought {
  readonly whose: Whose;
  readonly expected: Expected;
}

/** Requests a path below a resource, or the resource itself; `bodies` are those of PUT, by the end of the path. */
function askOf(
  client: Client,
  { method, path }: Asking,
  { thing, bodies }: { readonly thing: string; readonly bodies: Readonly<Record<string, JsonObject>> },
): Promise<Answer> {
  const [, end = ''] = /\}(\/[\w-]+)$/.exec(path) ?? [];
  return method === 'PUT' ? client.put(`${thing}${end}`, bodies[end] ?? {}) : client.send(method, `${thing}${end}`);
}

/** The lowest role that may call an operation (docs/interface.md#authentication-and-roles). */
function neededFor(key: string): string {
  return NEEDED[key] ?? OPERATIONS.get(key)?.needs ?? (key.includes(' /api/v1/operations/') ? 'ADMIN' : 'public');
}

/** Whether it revokes the keys of a resource. */
const isReplacing = ({ end }: Asking): boolean => ['/{}/key', '/{}/rotate', '/{}/rotate-key'].includes(end);

function createWith(
  client: Client,
  path: string,
  { resource, body }: { readonly resource: Resource; readonly body: JsonObject },
): Promise<Answer> {
  return path.endsWith('/batch') ? client.post(path, { laps: [body] }) : client.post(resource.path, body);
}

/** The problems of the items of a batch. */
function problemsWithin({ text }: Answer): readonly JsonObject[] {
  // The client has already checked the answer against the document.
  const { results = [] } = JSON.parse(text) as { results?: readonly { readonly problem?: JsonObject }[] };
  return results.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
}

describe('API: the matrix of keys, endpoints and owners', () => {
  const api = useService();
  const clients = new Map<Who, Client>();
  const venues = new Map<Whose, Venue>();
  const resources = new Map<Whose, ReadonlyMap<string, Resource>>();
  /** Resources and bodies that are reused as long as nobody may delete or create them. */
  const reusable = new Map<string, unknown>();
  let cells = 0;
  let uploads = 0;

  const get = <K, V>(map: ReadonlyMap<K, V>, key: K): V => {
    const found = map.get(key);
    if (found === undefined) throw new Error(`there is no ${String(key)}`);
    return found;
  };

  before(async () => {
    const own = await createVenue(api.admin);
    venues.set('own', own).set('other', await createVenue(api.admin));
    venues.set('shared', await createVenue(api.admin, api.admin));
    for (const [whose, venue] of venues) resources.set(whose, resourcesOf(venue, api.admin));
    for (const role of ['R', 'CR', 'CRUD'] as const) clients.set(role, (await issueKey(own.manager, role)).client);
    const revoked = await issueKey(own.manager, 'CRUD');
    expectStatus(await own.manager.delete(`/api/v1/api-keys/${revoked.id}`), 204);
    const short = await expiringSoon((expiresAt) =>
      own.manager.post('/api/v1/api-keys', { name: 'short-lived', role: 'CRUD', expiresAt }),
    );
    const expired = own.manager.as(textOf(short, 'token'));
    await until(async () => !(await works(expired)));
    const ended = await createLicense(api.admin);
    await api.admin.change(`/api/v1/licenses/${ended.licenseId}`, { expiresAt: '2020-01-01T00:00:00Z' });
    const disabled = await createLicense(api.admin);
    await api.admin.change(`/api/v1/licenses/${disabled.licenseId}`, { enabled: false });
    clients.set('none', api.anyone).set('ADMIN', api.admin).set('rig', own.rig).set('revoked', revoked.client);
    for (const [who, role] of [
      ['operator', 'CRUD'],
      ['operator R', 'R'],
    ] as const) {
      clients.set(who, (await issueKey(api.admin, role)).client);
    }
    clients.set('expired', expired).set('expired licence', ended.manager).set('disabled licence', disabled.manager);
  });

  /** Every operation of the document on a resource. */
  function askings(): readonly Asking[] {
    return operationsOf(api.service.document).flatMap(({ method, path }) => {
      const operation = OPERATIONS.get(`${method} ${withoutNames(path)}`);
      return operation === undefined ? [] : [{ ...operation, path }];
    });
  }

  async function reused<T>(key: string, make: () => Promise<T>): Promise<T> {
    if (!reusable.has(key)) reusable.set(key, await make());
    // The file uploaded under this key.
    return reusable.get(key) as T;
  }

  /** The path of a resource: the venue's rig or licence, otherwise a new resource. */
  async function thingOf(resource: Resource, whose: Whose, asking: Asking): Promise<string> {
    const venue = get(venues, whose);
    const replaces = isReplacing(asking);
    // Callers have the key of this rig, and files of this licence.
    if (resource.name === 'Rig' && !replaces) return `${resource.path}/${venue.rigId}`;
    if (resource.name === 'License' && !replaces) return `${resource.path}/${venue.licenseId}`;
    const creator = resource.name === 'License' ? api.admin : venue.manager;
    // ADMIN creates keys of its own licence, except the one that comes with a new licence.
    if (resource.name === 'ApiKey' && whose === 'shared') {
      return `${resource.path}/${(await createLicense(api.admin)).managerKeyId}`;
    }
    return resource.pathOf(resource.unwrap(await creator.create(resource.path, await resource.body())));
  }

  /** A body that changes nothing; where PATCH is a full replacement, a complete one. */
  async function changeOf(resource: Resource): Promise<JsonObject> {
    if (resource.replaces !== true) return {};
    return reused(`change of ${resource.name}`, async () => {
      const body = Object.entries(await resource.body());
      return Object.fromEntries(body.filter(([field]) => field in resource.change));
    });
  }

  /** Uploads a file over one of a venue, or reads that one. */
  async function askOfFile(client: Client, asking: Asking, whose: Whose): Promise<Answer> {
    const key = `LOGO/${whose}.png`;
    const path = await reused(`file ${whose}`, async () => {
      expectStatus(await upload(get(venues, whose).manager, key, whose), 201);
      return `${FILE.path}/${idOf(await fileRow(api.admin, key))}`;
    });
    if (asking.method === 'POST') return upload(client, key, `${whose} ${(uploads += 1)}`);
    return asking.end.startsWith('/{}')
      ? askOf(client, asking, { thing: path, bodies: {} })
      : client.send('GET', asking.path);
  }

  async function ask(client: Client, asking: Asking, { whose, expected }: Sought): Promise<Answer> {
    const { method, path, end, entry } = asking;
    const isRefused = expected !== 'yes';
    if (entry === FILE) return askOfFile(client, asking, whose);
    const resource = get(get(resources, whose), entry.name);
    const key = `${entry.name} ${whose}`;
    if (method === 'GET' && ['', '/paged', '/current'].includes(end)) {
      return client.send(method, path.replace(/^.*\/simulators\/\{\w+\}\/\w+/, resource.path));
    }
    if (method === 'POST' && ['', '/batch'].includes(end)) {
      const body = isRefused ? await reused(`body of ${key}`, resource.body) : await resource.body();
      return createWith(client, path, { resource, body });
    }
    if (path.includes('/hardwareId/'))
      return client.get(`${resource.path}/hardwareId/${get(venues, whose).hardwareId}`);
    const make = (): Promise<string> => thingOf(resource, whose, asking);
    const isGone = method === 'DELETE' && !isRefused;
    const thing = isGone ? await make() : await reused(`${key} ${isReplacing(asking) ? end : ''}`, make);
    if (method === 'PATCH') return client.patch(thing, await changeOf(resource));
    const { participantId, eventId } = get(venues, whose);
    const putBodies = {
      '/sequence': { boot: 'b', upTo: 1 },
      '/seat': { participantId, eventId },
      '/queue': { participantIds: [participantId] },
    };
    // Somebody has to sit there to be shown.
    if (end === '/{}/seat' && method === 'GET')
      expectStatus(await api.admin.put(`${thing}/seat`, putBodies['/seat']), 200);
    return askOf(client, asking, { thing, bodies: putBodies });
  }

  function outcomeOf(answer: Answer): Expected {
    const { status } = answer;
    const isJson = answer.headers.get('content-type') !== 'text/event-stream';
    const [refused] = status === 200 && isJson ? problemsWithin(answer) : [];
    if (status < 300 && refused === undefined) return 'yes';
    if (status === 401 || status === 404) return status;
    if (refused === undefined) expectStatus(answer, 403);
    return textOf(refused ?? answer.body, 'type').replace('urn:problem-type:', '') as Expected;
  }

  for (const who of WHO) {
    it(`${who}: every endpoint, with own, shared and foreign resources`, async () => {
      const wrong: string[] = [];
      for (const [n, asking] of askings().entries()) {
        // Who has no valid key is refused before anything is looked up: each in turn is enough.
        for (const whose of INVALID.includes(who) ? WHOSE.slice(n % 3, (n % 3) + 1) : WHOSE) {
          const expected = expectedOf({ who, whose, ...asking });
          const got = outcomeOf(await ask(get(clients, who), asking, { whose, expected }));
          cells += 1;
          if (got !== expected) wrong.push(`${asking.method} ${asking.path} (${whose}): ${got}, not ${expected}`);
        }
      }
      expect(wrong).to.deep.equal([]);
    });
  }

  it('covers each combination', () => {
    const ofOperation = INVALID.length + (WHO.length - INVALID.length) * WHOSE.length;
    expect(cells).to.equal(ofOperation * askings().length);
    expect(askings().length).to.be.greaterThan(80);
  });

  it('has an entry in test/resources for each resource, with its operations and who may call them', () => {
    const { document } = api.service;
    const keys = operationsOf(document).map(({ method, path }) => `${method} ${withoutNames(path)}`);
    sameSet(
      keys.filter((key) => !OTHERS.test(key)),
      OPERATIONS.keys(),
      'operations',
    );
    const tags = IN_ORDER.map(({ name }) => {
      if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
      return name.endsWith('s') ? `${name}es` : `${name}s`;
    });
    sameSet(
      document.tags.map(({ name }) => name),
      [...tags, ...OTHER_TAGS],
      'tags',
    );
    for (const [n, { operation }] of operationsOf(document).entries()) {
      const { security, 'x-role': role = 'public' } = operation;
      const open = security.length === 0 || security.some((one) => Object.keys(one).length === 0);
      expect([role, open], keys[n]).to.deep.equal([neededFor(keys[n] ?? ''), role === 'public']);
    }
  });

  it('lets only ADMIN operate the service; health, files and the keys of licence files are public', async () => {
    for (const { method, path } of operationsOf(api.service.document)) {
      const key = `${method} ${withoutNames(path)}`;
      if (!OTHERS.test(key) || key in NEEDED) continue;
      for (const who of WHO) {
        const { status } = await get(clients, who).send(method, path.replaceAll(/\{\w+\}/g, NOBODY));
        const refused = INVALID.includes(who) ? 401 : 403;
        if (neededFor(key) === 'public' || who === 'ADMIN')
          expect(status, `${key} as ${who}`).not.to.be.oneOf([401, 403, 500]);
        else expect(status, `${key} as ${who}`).to.equal(refused);
      }
    }
  });

  it('shows the same 401, byte for byte, for an unknown, revoked, expired or malformed key', async () => {
    const unknown = `srt_AAAAAAAA_${'A'.repeat(43)}`;
    const who = (['revoked', 'expired', 'expired licence', 'disabled licence'] as const).map((one) =>
      get(clients, one),
    );
    const { token: valid } = get(clients, 'CRUD');
    const almost = [valid?.slice(0, -1), `${valid}A`, valid?.toLowerCase(), `${valid?.slice(0, -1)}-`];
    const malformed = ['x', 'srt_', '-'.repeat(60), '0'.repeat(5_000), 'Bearer x', '../..', '"'];
    const all = [...who, ...[unknown, ...almost, ...malformed].map((token) => api.anyone.as(token ?? ''))];
    const headers = { 'X-Request-Id': 'the-same-in-all' };
    const seen = new Set<string>();
    for (const client of all) {
      const answer = await client.send('GET', '/api/v1/rigs', { headers });
      expectStatus(answer, 401);
      const sent = [...answer.headers.entries()].filter(([name]) => name !== 'date');
      seen.add(`${JSON.stringify(sent)} ${answer.text}`);
    }
    expect([...seen]).to.have.length(1);
  });
});
