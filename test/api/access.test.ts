import { expect } from 'chai';
import { expectProblem, type Answer, type Client } from '../support/api/client.ts';
import { operationsOf, type Found } from '../support/api/openapi.ts';
import { issueKey } from '../support/api/venue.ts';
import { useService } from '../support/api/with-service.ts';
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

describe('API: access by role', () => {
  const api = useService();
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
    for (const key of operations().map(keyOf)) {
      if (!OTHERS.test(key)) continue;
      const isPublic = neededFor(key) === 'public';
      const none = await call(api.anyone, key);
      if (isPublic) expect(none.status, `${key} without a key`).not.to.be.oneOf([401, 403]);
      else expectProblem(none, 401);
      for (const role of ROLES) {
        const { status } = await call(client(role), key);
        const isAllowed = isPublic || role === 'ADMIN';
        expect(status, `${key} as ${role}`).to.satisfy((got: number) =>
          isAllowed ? ![401, 403, 500].includes(got) : got === 403,
        );
      }
    }
  });
});
