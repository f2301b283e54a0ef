import { expect } from 'chai';
import { expectProblem, type Answer, type Client } from '../support/api/client.ts';
import { operationsOf, type Found } from '../support/api/openapi.ts';
import { issueKey } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';

const ROLES = ['R', 'CR', 'CRUD', 'ADMIN'] as const;

/**
 * Who may call what is not open to everybody to read, and to a key of role CRUD to write
 * (docs/interface.md#authentication-and-roles): the lowest role, or
 * `none` for anybody.
 */
const ACCESS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['laps', 'rigs', 'events', 'participants'].map((name) => [`GET /api/v1/${name}/{}/history`, 'CRUD']),
  ),
  ...Object.fromEntries(['rigs', 'events'].map((name) => [`GET /api/v1/${name}/{}/completeness`, 'R'])),
  // As boards are: with them, it says what laps say to everybody.
  'GET /api/v1/participants/{}/bests': 'none',
  'GET /api/v1/rigs': 'R',
  'GET /api/v1/rigs/paged': 'R',
  'GET /api/v1/rigs/{}': 'R',
  'GET /api/v1/rigs/hardwareId/{}': 'R',
  'POST /api/v1/rigs': 'R',
  'PATCH /api/v1/rigs/{}': 'CRUD',
  'PUT /api/v1/rigs/{}/sequence': 'CRUD',
  'POST /api/v1/laps/batch': 'CRUD',
  'GET /api/v1/api-keys': 'CRUD',
  'GET /api/v1/api-keys/{}': 'CRUD',
  'POST /api/v1/api-keys': 'CRUD',
  'PATCH /api/v1/api-keys/{}': 'CRUD',
  'DELETE /api/v1/api-keys/{}': 'CRUD',
  'GET /api/v1/licenses': 'ADMIN',
  'POST /api/v1/licenses': 'ADMIN',
  'PATCH /api/v1/licenses/{}': 'ADMIN',
  'GET /api/v1/licenses/current': 'R',
  'GET /api/v1/licenses/{}': 'R',
  'POST /api/v1/licenses/{}/file': 'CR',
  'POST /api/v1/licenses/{}/rotate-key': 'ADMIN',
  'GET /api/v1/operations/status': 'ADMIN',
  'GET /api/v1/operations/dead-letters': 'ADMIN',
  'POST /api/v1/operations/dead-letters/{}/retry': 'ADMIN',
  'GET /api/v1/operations/rebuild': 'ADMIN',
  'POST /api/v1/operations/rebuild': 'ADMIN',
};

/** What anybody may read: a resource that is added is asked for a key until somebody decides otherwise. */
const PUBLIC = [
  ...['laps', 'events', 'signup-fields', 'simulators', 'tracks', 'track-layouts'],
  ...['cars', 'car-brands', 'car-classes', 'brands'],
].map((name) => `GET /api/v1/${name}`);
const OPERATIONS = ['GET /.well-known/', 'GET /cdn/', 'GET /actuator/', 'GET /api-docs'];

/** Catalogue and records: public reads; writes need CRUD (docs/interface.md#authentication-and-roles). */
function neededFor(key: string): string {
  const open = PUBLIC.some((path) => key === path || key.startsWith(`${path}/`));
  if (open || OPERATIONS.some((path) => key.startsWith(path))) return ACCESS[key] ?? 'none';
  return ACCESS[key] ?? (key.startsWith('GET ') ? 'R' : 'CRUD');
}

function keyOf({ method, path }: Found): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
}

const NOBODY = '00000000-0000-7000-8000-0000000000ff';

/** Calls an operation in a way that changes nothing: ids of nothing, and a body that is no body. */
function call(client: Client, key: string): Promise<Answer> {
  const [method = '', path = ''] = key.split(' ');
  return client.send(method, path.replaceAll('{}', NOBODY));
}

function lower(role: string): readonly string[] {
  return role === 'none'
    ? []
    : ROLES.slice(
        0,
        ROLES.findIndex((one) => one === role),
      );
}

describe('API: who may call what', () => {
  const api = useVenue();
  const keys = new Map<string, Client>();

  before(async () => {
    for (const role of ROLES) keys.set(role, (await issueKey(api.admin, role)).client);
  });
  const client = (role: string): Client => {
    const found = keys.get(role);
    if (found === undefined) throw new Error(`no key of role ${role}`);
    return found;
  };

  const operations = (): readonly Found[] => operationsOf(api.service.document);

  it('is said by the document too', () => {
    for (const found of operations()) {
      const { security } = found.operation;
      const open = security.length === 0 || security.some((one) => Object.keys(one).length === 0);
      expect(open, keyOf(found)).to.equal(neededFor(keyOf(found)) === 'none');
    }
  });

  const expectAccess = async (key: string): Promise<void> => {
    const needed = neededFor(key);
    if (needed !== 'none') {
      const none = await call(api.anyone, key);
      expectProblem(none, 401);
      expect(none.header('www-authenticate')).to.be.a('string');
    } else {
      expect((await call(api.anyone, key)).status, `${key} without a key`).not.to.be.oneOf([401, 403]);
    }
    for (const role of lower(needed)) expectProblem(await call(client(role), key), 403);
    const own = key.startsWith('GET /api/v1/licenses/{}') || key.endsWith('/file');
    // A licence that is not their own is still none of their business.
    const allowed = ROLES.filter((role) => !lower(needed).includes(role) && (!own || role === 'ADMIN'));
    for (const role of allowed) {
      expect((await call(client(role), key)).status, `${key} as ${role}`).not.to.be.oneOf([401, 403, 500]);
    }
  };

  for (const [key, needed] of Object.entries(ACCESS)) {
    it(`${key}: ${needed} or higher`, async () => {
      expect(operations().map(keyOf)).to.include(key);
      await expectAccess(key);
    });
  }

  it('all else: anyone may read, CRUD or higher may write', async () => {
    for (const key of operations().map(keyOf)) if (!(key in ACCESS)) await expectAccess(key);
  });

  describe('keys that are not valid', () => {
    const BAD = ['x', 'srt_', `srt_AAAAAAAA_${'A'.repeat(43)}`, 'null', '0'.repeat(5_000), 'Bearer x', '../..', '"'];

    for (const key of [
      'GET /api/v1/rigs',
      'POST /api/v1/laps',
      'GET /api/v1/licenses/current',
      'DELETE /api/v1/api-keys/{}',
    ]) {
      it(`get a 401 from ${key}`, async () => {
        for (const bad of BAD) {
          const answer = await call(api.anyone.as(bad), key);
          expectProblem(answer, 401);
          expect(answer.header('www-authenticate')).to.include('X-API-Key');
          expect(answer.text).not.to.include(bad.length > 3 ? bad : 'impossible');
        }
        const token = api.venue.manager.token ?? '';
        for (const almost of [token.slice(0, -1), `${token}A`, token.toLowerCase(), `${token.slice(0, -1)}-`]) {
          expectProblem(await call(api.anyone.as(almost), key), 401);
        }
        expectProblem(await api.anyone.send('GET', `/api/v1/rigs?X-API-Key=${token}`), 401);
        expectProblem(
          await api.anyone.send('GET', '/api/v1/rigs', { headers: { Authorization: `Bearer ${token}` } }),
          401,
        );
      });
    }

    it('are ignored where no key is needed', async () => {
      for (const bad of BAD) expect((await api.anyone.as(bad).get('/api/v1/laps')).status).to.equal(200);
    });

    it('of two keys in one request none counts', async () => {
      const headers = new Headers({ 'X-API-Key': api.venue.manager.token ?? '' });
      headers.append('X-API-Key', api.venue.manager.token ?? '');
      const two = Object.fromEntries(headers.entries());
      expectProblem(await api.anyone.send('GET', '/api/v1/rigs', { headers: two }), 401);
    });
  });
});
