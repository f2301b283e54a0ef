import { expect } from 'chai';
import { apiKeyDecider, ChangeApiKeyBody, IssueApiKeyBody } from '../../commands/api-keys.ts';
import { ROLES, type Caller, type Role } from '../../src/service/domain/roles.ts';
import { given, happened } from '../support/kernel/given.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const BETA = '00000000-0000-7000-8000-0000000000a2';
const REQUEST = '00000000-0000-7000-8000-0000000000b1';

/** A caller of a role, under the licence of the keys below unless said otherwise. */
const caller = (role: Role, licenseId = ACME): Caller => ({
  apiKeyId: 'caller',
  licenseId,
  role,
  rigId: null,
  ofRigOnly: false,
});
/** Who manages or issues a key, at the start of the epoch. */
const managing = (by: Caller | null, lastAdmin = false) => ({ by, now: 0, lastAdmin });
const issuing = (by: Caller | null) => ({ by, now: 0, expiresAt: null });
const keyOf = (role: Role) => ({
  licenseId: ACME,
  name: 'Timing',
  role,
  keyPrefix: 'srt_12345678',
  tokenHash: 'hash',
  rigId: null,
  registration: REQUEST,
});
const issued = (role: Role) => happened('ApiKeyIssued', keyOf(role));
const revoked = happened('ApiKeyRevoked');
const renamed = happened('ApiKeyRenamed', { name: 'Results' });
const changedTo = (role: Role) => happened('ApiKeyRoleChanged', { role });

describe('API key', () => {
  it('is issued; who issued it is in no event', () => {
    for (const by of [caller('CRUD'), caller('ADMIN'), null]) {
      given(apiKeyDecider)
        .when({ type: 'IssueApiKey', data: { ...keyOf('CRUD'), ...issuing(by) } })
        .then(issued('CRUD'));
    }
  });

  it('is issued to a rig', () => {
    const data = { ...keyOf('CR'), rigId: REQUEST };
    given(apiKeyDecider)
      .when({ type: 'IssueApiKey', data: { ...data, ...issuing(null) } })
      .then(happened('ApiKeyIssued', data));
  });

  it('says what changed, and only that', () => {
    const by = caller('CRUD');
    given(apiKeyDecider, issued('R'))
      .when({ type: 'ChangeApiKey', data: { ...managing(by), name: 'Results', role: 'CR' } })
      .then(renamed, changedTo('CR'));
    given(apiKeyDecider, issued('R'))
      .when({ type: 'ChangeApiKey', data: { ...managing(by), name: 'Results' } })
      .then(renamed);
    given(apiKeyDecider, issued('R'))
      .when({ type: 'ChangeApiKey', data: { ...managing(by), role: 'CRUD' } })
      .then(changedTo('CRUD'));
  });

  it('records nothing when nothing changes', () => {
    const by = caller('CRUD');
    given(apiKeyDecider, issued('R'))
      .when({ type: 'ChangeApiKey', data: { ...managing(by), name: 'Timing', role: 'R' } })
      .thenNothing();
    given(apiKeyDecider, issued('R'))
      .when({ type: 'ChangeApiKey', data: managing(by) })
      .thenNothing();
  });

  it('is revoked once, for ever', () => {
    const by = caller('CRUD');
    given(apiKeyDecider, issued('R'))
      .when({ type: 'RevokeApiKey', data: managing(by) })
      .then(revoked);
    given(apiKeyDecider, issued('R'), revoked)
      .when({ type: 'RevokeApiKey', data: managing(by) })
      .thenNothing();
    given(apiKeyDecider, issued('R'), revoked)
      .when({ type: 'IssueApiKey', data: { ...keyOf('R'), ...issuing(by) } })
      .thenNothing();
  });

  it('may be renamed after it was revoked, which makes it no more valid', () => {
    const by = caller('CRUD');
    given(apiKeyDecider, issued('R'), revoked)
      .when({ type: 'ChangeApiKey', data: { ...managing(by), name: 'Results' } })
      .then(renamed);
    given(apiKeyDecider, issued('R'), revoked, renamed)
      .when({ type: 'RevokeApiKey', data: managing(by) })
      .thenNothing();
  });

  it('cannot be changed or revoked before it exists, not even by ADMIN', () => {
    const by = caller('ADMIN');
    given(apiKeyDecider)
      .when({ type: 'ChangeApiKey', data: { ...managing(by), name: 'Results' } })
      .thenRejected('NOT_FOUND');
    given(apiKeyDecider)
      .when({ type: 'RevokeApiKey', data: managing(by) })
      .thenRejected('NOT_FOUND');
    given(apiKeyDecider)
      .when({ type: 'RevokeApiKey', data: managing(null) })
      .thenRejected('NOT_FOUND');
  });

  it('claims nothing', () => {
    expect(apiKeyDecider.claim).to.equal(null);
  });
});

describe('roles of API keys', () => {
  it('are granted up to the own one, never above', () => {
    for (const [rank, mine] of ROLES.entries()) {
      const by = caller(mine);
      for (const role of ROLES.slice(0, rank + 1)) {
        given(apiKeyDecider)
          .when({ type: 'IssueApiKey', data: { ...keyOf(role), ...issuing(by) } })
          .then(issued(role));
      }
      for (const role of ROLES.slice(rank + 1)) {
        given(apiKeyDecider)
          .when({ type: 'IssueApiKey', data: { ...keyOf(role), ...issuing(by) } })
          .thenRejected('FORBIDDEN', '/role');
        given(apiKeyDecider, issued('R'))
          .when({ type: 'ChangeApiKey', data: { ...managing(by), name: 'Results', role } })
          .thenRejected('FORBIDDEN', '/role');
      }
    }
  });

  it('are any for a key that the service itself issues', () => {
    for (const role of ROLES) {
      given(apiKeyDecider)
        .when({ type: 'IssueApiKey', data: { ...keyOf(role), ...issuing(null) } })
        .then(issued(role));
    }
  });

  it('stay with keys above the own one, and those keep their name', () => {
    const by = caller('CR');
    given(apiKeyDecider, issued('CRUD'))
      .when({ type: 'ChangeApiKey', data: { ...managing(by), name: 'Results' } })
      .thenRejected('FORBIDDEN', '/role');
    given(apiKeyDecider, issued('R'), changedTo('CRUD'))
      .when({ type: 'ChangeApiKey', data: { ...managing(by), name: 'Results' } })
      .thenRejected('FORBIDDEN', '/role');
  });

  it('protect ADMIN keys from everybody below, whatever is asked', () => {
    for (const role of ['R', 'CR', 'CRUD'] as const) {
      const by = caller(role);
      for (const history of [[issued('ADMIN')], [issued('R'), changedTo('ADMIN')], [issued('ADMIN'), revoked]]) {
        const key = given(apiKeyDecider, ...history);
        key.when({ type: 'ChangeApiKey', data: { ...managing(by), name: 'Results' } }).thenRejected('FORBIDDEN');
        key.when({ type: 'ChangeApiKey', data: { ...managing(by), role: 'R' } }).thenRejected('FORBIDDEN');
        key.when({ type: 'ChangeApiKey', data: managing(by) }).thenRejected('FORBIDDEN');
        key.when({ type: 'RevokeApiKey', data: managing(by) }).thenRejected('FORBIDDEN');
      }
    }
  });

  it('are of the present: a key that is ADMIN no more is as any other', () => {
    given(apiKeyDecider, issued('ADMIN'), changedTo('R'))
      .when({ type: 'RevokeApiKey', data: managing(caller('CRUD')) })
      .then(revoked);
  });

  it('let ADMIN change and revoke ADMIN keys, and the service revoke any', () => {
    const by = caller('ADMIN');
    given(apiKeyDecider, issued('ADMIN'))
      .when({ type: 'ChangeApiKey', data: { ...managing(by), role: 'CRUD' } })
      .then(changedTo('CRUD'));
    given(apiKeyDecider, issued('ADMIN'))
      .when({ type: 'RevokeApiKey', data: managing(by) })
      .then(revoked);
    given(apiKeyDecider, issued('ADMIN'))
      .when({ type: 'RevokeApiKey', data: managing(null) })
      .then(revoked);
  });
});

describe('API keys of another license', () => {
  it('do not exist for anybody below ADMIN, ADMIN keys neither', () => {
    for (const mine of ['R', 'CR', 'CRUD'] as const) {
      const by = caller(mine, BETA);
      for (const role of ROLES) {
        const key = given(apiKeyDecider, issued(role));
        key.when({ type: 'ChangeApiKey', data: { ...managing(by), name: 'Results' } }).thenRejected('NOT_FOUND');
        key.when({ type: 'ChangeApiKey', data: { ...managing(by), role: 'ADMIN' } }).thenRejected('NOT_FOUND');
        key.when({ type: 'ChangeApiKey', data: managing(by) }).thenRejected('NOT_FOUND');
        key.when({ type: 'RevokeApiKey', data: managing(by) }).thenRejected('NOT_FOUND');
      }
    }
  });

  it('are managed by ADMIN', () => {
    const by = caller('ADMIN', BETA);
    for (const role of ROLES) {
      given(apiKeyDecider, issued(role))
        .when({ type: 'ChangeApiKey', data: { ...managing(by), name: 'Results' } })
        .then(renamed);
      given(apiKeyDecider, issued(role))
        .when({ type: 'RevokeApiKey', data: managing(by) })
        .then(revoked);
    }
  });
});

describe('API key bodies', () => {
  it('keep nothing that only the service sets', () => {
    const more = { enabled: false, licenseId: BETA, tokenHash: 'x', by: null };
    const issue = IssueApiKeyBody.parse({ ...more, name: 'Timing', role: 'R' });
    expect(issue).to.deep.equal({ name: 'Timing', role: 'R', expiresAt: null });
    expect(ChangeApiKeyBody.parse(more)).to.deep.equal({});
  });
});
