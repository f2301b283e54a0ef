import { expect } from 'chai';
import type { apiKeyEvents } from '../../commands/api-keys.ts';
import { apiKeys, apiKeysProjection } from '../../projections/api-keys.ts';
import { oldTokenValidUntil } from '../../queries/api-keys.ts';
import { eventOn } from '../support/history/lap-events.ts';
import { givenHistory, minute } from '../support/kernel/projecting.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const RIG = '00000000-0000-7000-8000-0000000000b1';
const OTHER = '00000000-0000-7000-8000-0000000000a2';
const REQUEST = '00000000-0000-7000-8000-0000000000c1';

const visible = { licenseId: ACME, name: 'Timing', role: 'CR', keyPrefix: 'srt_12345678' };
const data = { ...visible, tokenHash: 'hash', rigId: null, registration: REQUEST };
const issued = eventOn('apiKey-1', 'ApiKeyIssued', data);
const stored = {
  id: '1',
  ...visible,
  enabled: true,
  expiresAt: null,
  lastUsedAt: null,
  createdAt: minute(0),
  updatedAt: minute(0),
  _tokenHash: 'hash',
  _oldTokens: [],
  _rigId: null,
  _rigOfLicense: null,
  _registration: REQUEST,
  _created: 1,
  _position: 1,
  _revision: 0,
};

describe('API keys projection', () => {
  it('keeps the hash of its token, and the rig that it was issued to, as internal fields', async () => {
    const { thenDocument } = await givenHistory([apiKeysProjection], issued);
    expect(await thenDocument(apiKeys, '1')).to.deep.equal(stored);
    const toRig = await givenHistory([apiKeysProjection], { ...issued, data: { ...data, rigId: RIG } });
    const ofRig = { ...stored, _rigId: RIG, _rigOfLicense: `${RIG}:${ACME}` };
    expect(await toRig.thenDocument(apiKeys, '1')).to.deep.equal(ofRig);
  });

  it('ends the existing keys of a rig that moves to another licence, and no other keys', async () => {
    const key = (id: string, rigId: string | null, licenseId = ACME) => ({
      ...issued,
      stream: `apiKey-${id}`,
      data: { ...data, rigId, licenseId },
    });
    const moved = (from: string, to: string) => eventOn(`rig-${RIG}`, 'RigMovedToLicense', { from, to });
    const { thenDocument } = await givenHistory(
      [apiKeysProjection],
      ...[key('1', RIG), key('2', RIG), key('3', OTHER), key('4', null)],
      moved(ACME, OTHER),
      key('5', RIG, OTHER),
      ...[moved(OTHER, REQUEST), moved(REQUEST, ACME)],
      key('6', RIG),
    );
    const enabled = async (id: string) => (await thenDocument(apiKeys, id))?.enabled;
    const all = await Promise.all(['1', '2', '3', '4', '5', '6'].map(enabled));
    expect(all).to.deep.equal([false, false, true, true, false, true]);
    expect(await thenDocument(apiKeys, '1')).to.include({ updatedAt: minute(4), _revision: 0 });
  });

  it('shows until when an older token is valid: the last one, for keys recorded with several', () => {
    const old = (validUntil: string) => ({ keyPrefix: '', tokenHash: 'old', validUntil });
    const key = { ...stored, role: 'CR', _oldTokens: [old(minute(3)), old(minute(5)), old(minute(1))] } as const;
    const until = (now: string) => oldTokenValidUntil(key, Date.parse(now));
    expect([minute(0), minute(3), minute(4)].map(until)).to.deep.equal([minute(5), minute(5), minute(5)]);
    expect([minute(5), minute(6)].map(until)).to.deep.equal([null, null]);
    expect(oldTokenValidUntil({ ...key, enabled: false }, 0)).to.equal(null);
    expect(oldTokenValidUntil({ ...key, _oldTokens: [] }, 0)).to.equal(null);
    expect(oldTokenValidUntil(null, 0)).to.equal(null);
  });

  it('follows each change of a key', async () => {
    const renewed = { keyPrefix: 'srt_abcdefgh', tokenHash: 'new' };
    const replaced = [{ keyPrefix: 'srt_12345678', tokenHash: 'hash', validUntil: minute(9) }];
    const changes = {
      ApiKeyRenamed: [{ name: 'Results' }, { name: 'Results' }],
      ApiKeyRoleChanged: [{ role: 'CRUD' }, { role: 'CRUD' }],
      ApiKeyExpirySet: [{ expiresAt: minute(9) }, { expiresAt: minute(9) }],
      ApiKeyRotated: [
        { ...renewed, oldTokens: replaced },
        { keyPrefix: 'srt_abcdefgh', _tokenHash: 'new', _oldTokens: replaced },
      ],
      ApiKeyRevoked: [{}, { enabled: false }],
    } as const satisfies Record<Exclude<keyof typeof apiKeyEvents, 'ApiKeyIssued'>, readonly [object, object]>;
    for (const [type, [said, shows]] of Object.entries(changes)) {
      const { thenDocument } = await givenHistory([apiKeysProjection], issued, eventOn('apiKey-1', type, said));
      const changed = { ...stored, ...shows, updatedAt: minute(1), _position: 2, _revision: 1 };
      expect(await thenDocument(apiKeys, '1'), type).to.deep.equal(changed);
    }
  });
});
