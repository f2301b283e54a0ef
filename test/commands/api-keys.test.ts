import { expect } from 'chai';
import { apiKeyDecider, apiKeyIntents, ChangeApiKeyBody, IssueApiKeyBody } from '../../commands/api-keys.ts';
import { ROLES, type Role } from '../../src/service/domain/roles.ts';
import { decideAll } from '../../src/service/kernel/aggregate/decider.ts';
import { given, happened } from '../support/kernel/given.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const BETA = '00000000-0000-7000-8000-0000000000a2';
const REQUEST = '00000000-0000-7000-8000-0000000000b1';

/** A key is managed at the start of the epoch. */
const managing = (lastAdmin = false) => ({ now: 0, lastAdmin });
const issuing = { now: 0, expiresAt: null };
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
  it('is issued, of any role', () => {
    for (const role of ROLES) {
      given(apiKeyDecider)
        .when({ type: 'IssueApiKey', data: { ...keyOf(role), ...issuing } })
        .then(issued(role));
    }
  });

  it('is issued to a rig', () => {
    const data = { ...keyOf('CR'), rigId: REQUEST };
    given(apiKeyDecider)
      .when({ type: 'IssueApiKey', data: { ...data, ...issuing } })
      .then(happened('ApiKeyIssued', data));
  });

  it('says what changed, and only that', () => {
    given(apiKeyDecider, issued('R'))
      .when(...apiKeyIntents({ name: 'Results', role: 'CR' }, managing()))
      .then(renamed, changedTo('CR'));
    given(apiKeyDecider, issued('R'))
      .when(...apiKeyIntents({ name: 'Results' }, managing()))
      .then(renamed);
    given(apiKeyDecider, issued('R'))
      .when(...apiKeyIntents({ role: 'CRUD' }, managing()))
      .then(changedTo('CRUD'));
  });

  it('records nothing when nothing changes', () => {
    given(apiKeyDecider, issued('R'))
      .when(...apiKeyIntents({ name: 'Timing', role: 'R' }, managing()))
      .thenNothing();
    given(apiKeyDecider, issued('R'))
      .when(...apiKeyIntents({}, managing()))
      .thenNothing();
  });

  it('is revoked once, for ever', () => {
    given(apiKeyDecider, issued('R'))
      .when({ type: 'RevokeApiKey', data: { lastAdmin: false } })
      .then(revoked);
    given(apiKeyDecider, issued('R'), revoked)
      .when({ type: 'RevokeApiKey', data: { lastAdmin: false } })
      .thenNothing();
    given(apiKeyDecider, issued('R'), revoked)
      .when({ type: 'IssueApiKey', data: { ...keyOf('R'), ...issuing } })
      .thenNothing();
  });

  it('has one older token at most, which a rotation without a grace period ends', () => {
    const tokenOf = (name: string) => ({ keyPrefix: `srt_${name}`, tokenHash: name });
    const rotations = [60, 1, 0].map((graceSeconds, n) => {
      const data = { ...tokenOf(`token${n}`), now: 0, graceSeconds };
      return { type: 'RotateApiKey', data } as const;
    });
    const oldTokens = [
      [{ keyPrefix: 'srt_12345678', tokenHash: 'hash', validUntil: '1970-01-01T00:01:00.000Z' }],
      [{ ...tokenOf('token0'), validUntil: '1970-01-01T00:00:01.000Z' }],
      [],
    ];
    const state = apiKeyDecider.evolve(null, issued('R'));
    expect(decideAll(apiKeyDecider, state, rotations)).to.have.deep.property(
      'events',
      oldTokens.map((old, n) => happened('ApiKeyRotated', { ...tokenOf(`token${n}`), oldTokens: old })),
    );
  });

  it('may be renamed after it was revoked, which makes it no more valid', () => {
    given(apiKeyDecider, issued('R'), revoked)
      .when(...apiKeyIntents({ name: 'Results' }, managing()))
      .then(renamed);
    given(apiKeyDecider, issued('R'), revoked, renamed)
      .when({ type: 'RevokeApiKey', data: { lastAdmin: false } })
      .thenNothing();
  });

  it('cannot be changed or revoked before it exists', () => {
    given(apiKeyDecider)
      .when(...apiKeyIntents({ name: 'Results' }, managing()))
      .thenRejected('NOT_FOUND');
    given(apiKeyDecider)
      .when({ type: 'RevokeApiKey', data: { lastAdmin: false } })
      .thenRejected('NOT_FOUND');
  });

  it('claims nothing', () => {
    expect(apiKeyDecider.claim).to.equal(null);
  });
});

describe('API key bodies', () => {
  it('keep nothing that only the service sets', () => {
    const more = { enabled: false, licenseId: BETA, tokenHash: 'x' };
    const issue = IssueApiKeyBody.parse({ ...more, name: 'Timing', role: 'R' });
    expect(issue).to.deep.equal({ name: 'Timing', role: 'R', expiresAt: null });
    expect(ChangeApiKeyBody.parse(more)).to.deep.equal({});
  });
});
