import { expect } from 'chai';
import { expectProblem, type Answer, type Client } from '../support/api/client.ts';
import { operationsOf, type Found } from '../support/api/openapi.ts';
import { issueKey } from '../support/api/venue.ts';
import { useVenue } from '../support/api/with-service.ts';
import { IN_ORDER } from '../support/resources/entries.ts';
import { OPERATIONS, withoutNames } from '../support/resources/operations.ts';
import { sameSet } from '../support/same-set.ts';

const ROLES = ['R', 'CR', 'CRUD', 'ADMIN'] as const;

/** Operations outside any resource: operator endpoints need ADMIN, the rest are public. */
const OTHERS = /^\w+ \/(cdn|actuator|\.well-known|api-docs|api\/v1\/operations)(\/|$)/;
const OTHER_TAGS = ['Files', 'Operations'];

/** The lowest role that may call an operation (docs/interface.md#authentication-and-roles). */
function neededFor(key: string): string {
  const operation = OPERATIONS.get(key);
  if (operation !== undefined) return operation.needs;
  return key.includes(' /api/v1/operations/') ? 'ADMIN' : 'public';
}

function keyOf({ method, path }: Found): string {
  return `${method} ${withoutNames(path)}`;
}

const NOBODY = '00000000-0000-7000-8000-0000000000ff';

/** Calls an operation without changing anything: with unknown ids and an invalid body. */
function call(client: Client, key: string): Promise<Answer> {
  const [method = '', path = ''] = key.split(' ');
  return client.send(method, path.replaceAll('{}', NOBODY));
}

function lower(role: string): readonly string[] {
  return role === 'public'
    ? []
    : ROLES.slice(
        0,
        ROLES.findIndex((one) => one === role),
      );
}

describe('API: access by role', () => {
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

  it('is described in the OpenAPI document', () => {
    for (const found of operations()) {
      const { security } = found.operation;
      const open = security.length === 0 || security.some((one) => Object.keys(one).length === 0);
      expect(open, keyOf(found)).to.equal(neededFor(keyOf(found)) === 'public');
    }
  });

  const expectAccess = async (key: string): Promise<void> => {
    const needed = neededFor(key);
    if (needed !== 'public') {
      const none = await call(api.anyone, key);
      expectProblem(none, 401);
      expect(none.header('www-authenticate')).to.be.a('string');
    } else {
      expect((await call(api.anyone, key)).status, `${key} without a key`).not.to.be.oneOf([401, 403]);
    }
    for (const role of lower(needed)) expectProblem(await call(client(role), key), 403);
    for (const role of ROLES.filter((one) => !lower(needed).includes(one))) {
      expect((await call(client(role), key)).status, `${key} as ${role}`).not.to.be.oneOf([401, 403, 500]);
    }
  };

  it('each resource has an entry in test/resources, and each entry its operations', () => {
    const keys = operations().map(keyOf);
    sameSet(
      keys.filter((key) => !OTHERS.test(key)),
      OPERATIONS.keys(),
      'operations',
    );
    const tags = IN_ORDER.map(({ name }) => (name.endsWith('s') ? `${name}es` : `${name}s`));
    sameSet(
      api.service.document.tags.map(({ name }) => name),
      [...tags, ...OTHER_TAGS],
      'tags',
    );
  });

  // Who may call what of a resource is in `matrix.test.ts`.
  it('operator endpoints need ADMIN; health, files and licence-file keys are public', async () => {
    for (const key of operations().map(keyOf)) if (OTHERS.test(key)) await expectAccess(key);
  });

  describe('invalid keys', () => {
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

    it('include two keys sent in one request', async () => {
      const headers = new Headers({ 'X-API-Key': api.venue.manager.token ?? '' });
      headers.append('X-API-Key', api.venue.manager.token ?? '');
      const two = Object.fromEntries(headers.entries());
      expectProblem(await api.anyone.send('GET', '/api/v1/rigs', { headers: two }), 401);
    });
  });
});
