import { expect } from 'chai';
import { Authorizer, type AuthorizedWrite } from '../../src/service/access/authorizer.ts';
import { ROLES, type Caller, type Role } from '../../src/domain/roles.ts';
import { Aggregates } from '../../src/kernel/aggregate/aggregates.ts';
import { Rejection } from '../../src/kernel/aggregate/rejection.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import type { EventMetadata } from '../../src/kernel/ports/event-store.ts';
import { PARTS, RESOURCES } from '../../src/service/resources/index.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const BETA = '00000000-0000-7000-8000-0000000000a2';

/** A key of role ADMIN. */
const ADMIN_TODAY = 'promoted';

const authorizerWith = (tenantIsolation: boolean) =>
  new Authorizer({
    aggregates: new Aggregates(memoryEventStore()),
    resources: [...RESOURCES, ...PARTS],
    isAdminKey: (id) => id === ADMIN_TODAY,
    tenantIsolation,
  });

const caller = (role: Role, licenseId = ACME): Caller => ({
  apiKeyId: 'caller',
  licenseId,
  role,
  rigId: null,
  ofRigOnly: false,
  ofOldToken: false,
});

/** The code of the refusal, with its pointer, of a write of an API key; null: it is allowed. */
async function refusal(by: Caller | null, state: JsonObject | null, { isolated = true, ...change }: JsonObject = {}) {
  const write: AuthorizedWrite = { id: 'key', state, change, created: null };
  const rejection = await authorizerWith(isolated === true).authorize(by, 'apiKey', write);
  if (rejection === null) return null;
  expect(rejection).to.be.instanceOf(Rejection);
  return [rejection.code, ...rejection.faults.map(({ pointer }) => pointer)].join(' ');
}

const key = (role: Role) => ({ licenseId: ACME, name: 'Timing', role });

describe('roles of API keys', () => {
  it("are granted up to the caller's own role, never above it", async () => {
    for (const [rank, mine] of ROLES.entries()) {
      for (const [other, role] of ROLES.entries()) {
        const expected = other <= rank ? null : 'FORBIDDEN /role';
        expect(await refusal(caller(mine), null, key(role)), `${mine} issues ${role}`).to.equal(expected);
        expect(await refusal(caller(mine), key('R'), { role }), `${mine} grants ${role}`).to.equal(expected);
      }
    }
  });

  it('are not limited for a key that the service itself issues', async () => {
    for (const role of ROLES) expect(await refusal(null, null, key(role))).to.equal(null);
  });

  it('protect the names of keys from callers of a lower role', async () => {
    expect(await refusal(caller('CR'), key('CRUD'), { name: 'Results' })).to.equal('FORBIDDEN /role');
  });

  it('protect ADMIN keys from every change by a lower role', async () => {
    for (const role of ['R', 'CR', 'CRUD'] as const) {
      for (const change of [{ name: 'Results' }, { role: 'R' }, {}]) {
        expect(await refusal(caller(role), key('ADMIN'), change)).to.equal('FORBIDDEN');
      }
    }
  });

  it('let ADMIN change ADMIN keys, of other licences too', async () => {
    for (const licenseId of [ACME, BETA]) {
      for (const role of ROLES)
        expect(await refusal(caller('ADMIN', licenseId), key(role), { name: 'x' })).to.equal(null);
    }
  });
});

describe('API keys of another licence', () => {
  it('are hidden from callers below ADMIN, whatever the role of the key, also with LICENSE_WALLS=off', async () => {
    for (const mine of ['R', 'CR', 'CRUD'] as const) {
      for (const role of ROLES) {
        for (const change of [{ name: 'Results' }, { role: 'ADMIN' }, { isolated: false }]) {
          expect(await refusal(caller(mine, BETA), key(role), change)).to.equal('NOT_FOUND');
        }
      }
    }
  });
});

describe('resources that the key of another licence created', () => {
  const brandOf = (created: Partial<EventMetadata>): Promise<Rejection | null> | Rejection | null => {
    const metadata = { version: 1, occurredAt: '2026-05-01T18:00:00.000Z', commandId: 'c', correlationId: 'r' };
    const write = { id: 'x', state: {}, change: {}, created: { ...metadata, licenseId: BETA, ...created } };
    return authorizerWith(true).authorize(caller('CRUD'), 'brand', write);
  };

  it('are shared if the event says that it was an ADMIN key', async () => {
    expect(await brandOf({ apiKeyId: 'demoted', role: 'ADMIN' })).to.equal(null);
    expect(await brandOf({ apiKeyId: ADMIN_TODAY, role: 'CRUD' })).to.include({ code: 'NOT_YOURS' });
  });

  it('are shared by the present role of the key if an old event does not record it', async () => {
    expect(await brandOf({ apiKeyId: ADMIN_TODAY })).to.equal(null);
    expect(await brandOf({ apiKeyId: 'demoted' })).to.include({ code: 'NOT_YOURS' });
  });
});

describe('the authoriser', () => {
  it('has a write policy for every category that is written, and for no other', async () => {
    const authorizer = authorizerWith(true);
    const write = { id: 'x', state: null, change: {}, created: null };
    const error = await authorizer.authorize(caller('CRUD'), 'balloon', write).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(TypeError).and.include({ message: 'no write policy for balloon' });
  });
});
