import { apiKeyDecider, apiKeyIntents, type ApiKeyCommand } from '../../commands/api-keys.ts';
import type { DecidedEvent } from '../../src/kernel/event-types.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { given, happened } from '../support/kernel/given.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const REQUEST = '00000000-0000-7000-8000-0000000000b1';

/** The commands of these tests are decided at this moment. */
const NOW = Date.parse('2026-03-06T18:00:00.000Z');
const JUST_NOW = '2026-03-06T18:00:00.000Z';
const NEXT_YEAR = '2027-01-01T00:00:00.000Z';

/** One of several keys, whose rig, if it has one, is still where it was. */
const managing = { now: NOW, lastAdmin: false, rigLeft: false };

const key = {
  licenseId: ACME,
  name: 'Timing',
  role: 'R',
  keyPrefix: 'srt_12345678',
  tokenHash: 'hash',
  rigId: null,
  registration: REQUEST,
} as const;

const issued = happened('ApiKeyIssued', key);
const issuedToAdmin = happened('ApiKeyIssued', { ...key, role: 'ADMIN' });
const renamed = happened('ApiKeyRenamed', { name: 'Results' });
const promoted = happened('ApiKeyRoleChanged', { role: 'CR' });
const expiring = happened('ApiKeyExpirySet', { expiresAt: NEXT_YEAR });
const revoked = happened('ApiKeyRevoked');

function issue(expiresAt: string | null): ApiKeyCommand {
  return { type: 'IssueApiKey', data: { ...key, expiresAt, now: NOW } };
}

function revoke(lastAdmin: boolean): ApiKeyCommand {
  return { type: 'RevokeApiKey', data: { lastAdmin } };
}

/** A rotation to the token with this name. */
function rotateTo(token: string, graceSeconds: number, rigLeft = false): ApiKeyCommand {
  return {
    type: 'RotateApiKey',
    data: { keyPrefix: `srt_${token}`, tokenHash: token, graceSeconds, now: NOW, rigLeft },
  };
}

function rotatedTo(token: string, oldTokens: readonly JsonObject[]): DecidedEvent {
  return happened('ApiKeyRotated', { keyPrefix: `srt_${token}`, tokenHash: token, oldTokens });
}

describe('issuing an API key', () => {
  it('records the key', () => given(apiKeyDecider).when(issue(null)).then(issued));

  it('records when it expires', () => given(apiKeyDecider).when(issue(NEXT_YEAR)).then(issued, expiring));

  for (const expiresAt of ['1970-01-01T00:00:00.000Z', JUST_NOW]) {
    it(`refuses a key that has expired already (${expiresAt})`, () =>
      given(apiKeyDecider).when(issue(expiresAt)).thenRejected('INVALID', '/expiresAt'));
  }
});

describe('changing an API key', () => {
  const changes = [
    [{ name: 'Results', role: 'CR' }, renamed, promoted],
    [{ name: 'Results' }, renamed],
    [{ role: 'CR' }, promoted],
    [{ expiresAt: NEXT_YEAR }, expiring],
    [{ name: 'Timing', role: 'R', expiresAt: null }],
    [{}],
  ] as const;
  for (const [change, ...events] of changes) {
    it(`records what changed, and only that: ${JSON.stringify(change)}`, () =>
      given(apiKeyDecider, issued)
        .when(...apiKeyIntents(change, managing))
        .then(...events));
  }

  it('takes an expiry date away', () =>
    given(apiKeyDecider, issued, expiring)
      .when(...apiKeyIntents({ expiresAt: null }, managing))
      .then(happened('ApiKeyExpirySet', { expiresAt: null })));

  it('refuses an expiry date in the past', () =>
    given(apiKeyDecider, issued)
      .when(...apiKeyIntents({ name: 'Results', expiresAt: JUST_NOW }, managing))
      .thenRejected('INVALID', '/expiresAt'));

  it('refuses a key that does not exist', () => {
    for (const change of [{ name: 'Results' }, { role: 'CR' }, {}] as const)
      given(apiKeyDecider)
        .when(...apiKeyIntents(change, managing))
        .thenRejected('NOT_FOUND');
  });
});

describe('revoking an API key', () => {
  it('ends it, once', () => given(apiKeyDecider, issued).when(revoke(false)).then(revoked));

  it('refuses a key that does not exist', () => given(apiKeyDecider).when(revoke(false)).thenRejected('NOT_FOUND'));
});

describe('rotating an API key', () => {
  it('refuses a key that does not exist', () =>
    given(apiKeyDecider).when(rotateTo('second', 60)).thenRejected('NOT_FOUND'));

  it('gives it a new token, and ends the old one at once without a grace period', () =>
    given(apiKeyDecider, issued).when(rotateTo('second', 0)).thenEachTime(rotatedTo('second', [])));

  it('keeps the old token valid for the grace period', () => {
    const first = { keyPrefix: 'srt_12345678', tokenHash: 'hash', validUntil: '2026-03-06T18:01:00.000Z' };
    given(apiKeyDecider, issued)
      .when(rotateTo('second', 60))
      .thenEachTime(rotatedTo('second', [first]));
  });

  it('keeps one old token at most: the one that was valid last', () => {
    const first = { keyPrefix: 'srt_12345678', tokenHash: 'hash', validUntil: '2026-03-06T18:01:00.000Z' };
    const second = { keyPrefix: 'srt_second', tokenHash: 'second', validUntil: '2026-03-06T18:00:01.000Z' };
    given(apiKeyDecider, issued)
      .when(rotateTo('second', 60), rotateTo('third', 1), rotateTo('fourth', 0))
      .thenEachTime(rotatedTo('second', [first]), rotatedTo('third', [second]), rotatedTo('fourth', []));
  });
});

// Otherwise nobody could ever issue an ADMIN key over the API again.
describe('the last ADMIN key without an expiry date', () => {
  const last = { ...managing, lastAdmin: true };

  it('keeps its role', () => {
    for (const role of ['R', 'CR', 'CRUD'] as const)
      given(apiKeyDecider, issuedToAdmin)
        .when(...apiKeyIntents({ role }, last))
        .thenRejected('LAST_ADMIN_KEY');
  });

  it('does not get an expiry date', () =>
    given(apiKeyDecider, issuedToAdmin)
      .when(...apiKeyIntents({ name: 'Results', expiresAt: NEXT_YEAR }, last))
      .thenRejected('LAST_ADMIN_KEY'));

  it('is not revoked', () => given(apiKeyDecider, issuedToAdmin).when(revoke(true)).thenRejected('LAST_ADMIN_KEY'));

  it('can be renamed, and can get a new token', () => {
    given(apiKeyDecider, issuedToAdmin)
      .when(...apiKeyIntents({ name: 'Results', role: 'ADMIN', expiresAt: null }, last))
      .then(renamed);
    given(apiKeyDecider, issuedToAdmin).when(rotateTo('second', 0)).thenEachTime(rotatedTo('second', []));
  });

  it('does not protect keys of other roles, nor one that was revoked', () => {
    given(apiKeyDecider, issued)
      .when(...apiKeyIntents({ expiresAt: NEXT_YEAR }, last))
      .then(expiring);
    given(apiKeyDecider, issued).when(revoke(true)).then(revoked);
    given(apiKeyDecider, issuedToAdmin, revoked).when(revoke(true)).thenNothing();
  });
});

describe('an ADMIN key beside another one', () => {
  it('gets a lower role and an expiry date, and is revoked', () => {
    given(apiKeyDecider, issuedToAdmin)
      .when(...apiKeyIntents({ role: 'CR', expiresAt: NEXT_YEAR }, managing))
      .then(promoted, expiring);
    given(apiKeyDecider, issuedToAdmin).when(revoke(false)).then(revoked);
  });
});

for (const [title, history, rigLeft] of [
  ['an API key that was revoked', [issued, revoked], false],
  ['an API key whose rig has left its licence', [issued], true],
] as const) {
  describe(title, () => {
    const ended = { ...managing, rigLeft };

    it('gets no other name', () =>
      given(apiKeyDecider, ...history)
        .when(...apiKeyIntents({ name: 'Results' }, ended))
        .thenRejected('REVOKED'));

    it('gets no other role', () =>
      given(apiKeyDecider, ...history)
        .when(...apiKeyIntents({ role: 'CR' }, ended))
        .thenRejected('REVOKED'));

    it('gets no other expiry date', () =>
      given(apiKeyDecider, ...history)
        .when(...apiKeyIntents({ expiresAt: NEXT_YEAR }, ended))
        .thenRejected('REVOKED'));

    it('gets no new token', () =>
      given(apiKeyDecider, ...history)
        .when(rotateTo('second', 0, rigLeft))
        .thenRejected('REVOKED'));

    it('accepts a change that changes nothing', () =>
      given(apiKeyDecider, ...history)
        .when(...apiKeyIntents({ name: 'Timing', role: 'R' }, ended))
        .thenNothing());
  });
}
