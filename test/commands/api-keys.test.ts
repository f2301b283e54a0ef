import { expect } from 'chai';
import { apiKeyDecider, apiKeyIntents, type ApiKeyCommand } from '../../commands/api-keys.ts';
import { decideAll } from '../../src/kernel/aggregate/decider.ts';
import { given, happened } from '../support/kernel/given.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const REQUEST = '00000000-0000-7000-8000-0000000000b1';

/** A key is managed at the start of the epoch. */
const managing = { now: 0, lastAdmin: false, rigLeft: false };
const issued = happened('ApiKeyIssued', {
  ...{ licenseId: ACME, name: 'Timing', role: 'R', keyPrefix: 'srt_12345678', tokenHash: 'hash' },
  ...{ rigId: null, registration: REQUEST },
});
const renamed = happened('ApiKeyRenamed', { name: 'Results' });
const promoted = happened('ApiKeyRoleChanged', { role: 'CR' });

describe('API key', () => {
  const changes = [
    [{ name: 'Results', role: 'CR' }, renamed, promoted],
    [{ name: 'Results' }, renamed],
    [{ role: 'CR' }, promoted],
    [{ name: 'Timing', role: 'R' }],
    [{}],
  ] as const;
  for (const [change, ...events] of changes) {
    it(`says what changed, and only that: ${JSON.stringify(change)}`, () =>
      given(apiKeyDecider, issued)
        .when(...apiKeyIntents(change, managing))
        .then(...events));
  }

  it('is revoked once', () =>
    given(apiKeyDecider, issued)
      .when({ type: 'RevokeApiKey', data: { lastAdmin: false } })
      .then(happened('ApiKeyRevoked')));

  for (const [title, history, rigLeft] of [
    ['that was revoked', [issued, happened('ApiKeyRevoked')], false],
    ['whose rig has left its licence', [issued], true],
  ] as const) {
    describe(title, () => {
      const ended = { ...managing, rigLeft };
      const token = { keyPrefix: 'srt_new', tokenHash: 'new', now: 0, graceSeconds: 0, rigLeft };
      const refused: readonly (readonly ApiKeyCommand[])[] = [
        apiKeyIntents({ name: 'Results' }, ended),
        apiKeyIntents({ role: 'CR' }, ended),
        apiKeyIntents({ expiresAt: '2030-01-01T00:00:00.000Z' }, ended),
        [{ type: 'RotateApiKey', data: token }],
      ];
      for (const [n, commands] of refused.entries()) {
        it(`takes no new name, rights or token (${n + 1})`, () =>
          given(apiKeyDecider, ...history)
            .when(...commands)
            .thenRejected('REVOKED'));
      }

      it('is left as it is by a change that changes nothing', () =>
        given(apiKeyDecider, ...history)
          .when(...apiKeyIntents({ name: 'Timing', role: 'R' }, ended))
          .thenNothing());
    });
  }

  it('has one older token at most, which a rotation without a grace period ends', () => {
    const tokenOf = (name: string) => ({ keyPrefix: `srt_${name}`, tokenHash: name });
    const rotations = [60, 1, 0].map((graceSeconds, n) => {
      const data = { ...tokenOf(`token${n}`), now: 0, rigLeft: false, graceSeconds };
      return { type: 'RotateApiKey', data } as const;
    });
    const oldTokens = [
      [{ keyPrefix: 'srt_12345678', tokenHash: 'hash', validUntil: '1970-01-01T00:01:00.000Z' }],
      [{ ...tokenOf('token0'), validUntil: '1970-01-01T00:00:01.000Z' }],
      [],
    ];
    const state = apiKeyDecider.evolve(null, issued);
    expect(decideAll(apiKeyDecider, state, rotations)).to.have.deep.property(
      'events',
      oldTokens.map((old, n) => happened('ApiKeyRotated', { ...tokenOf(`token${n}`), oldTokens: old })),
    );
  });
});
