import { expect } from 'chai';
import type { apiKeyEvents } from '../../commands/api-keys.ts';
import { apiKeys, apiKeysProjection } from '../../projections/api-keys.ts';
import { apiKeyQuery, oldTokenValidUntil } from '../../queries/api-keys.ts';
import { pick } from '../../src/service/kernel/json.ts';
import { givenHistory, minute } from '../support/kernel/projecting.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const RIG = '00000000-0000-7000-8000-0000000000b1';
const OTHER = '00000000-0000-7000-8000-0000000000a2';
const REQUEST = '00000000-0000-7000-8000-0000000000c1';

const visible = { licenseId: ACME, name: 'Timing', role: 'CR', keyPrefix: 'srt_12345678' };
const data = { ...visible, tokenHash: 'hash', rigId: null, registration: REQUEST };
const issued = { stream: 'apiKey-1', type: 'ApiKeyIssued', data };
const revoked = { stream: 'apiKey-1', type: 'ApiKeyRevoked', data: {} };
const used = (id: string) => ({ stream: `apiKeyUsage-${id}`, type: 'ApiKeyUsed', data: { licenseId: ACME } });
const shown = {
  id: '1',
  ...visible,
  enabled: true,
  expiresAt: null,
  lastUsedAt: null,
  createdAt: minute(0),
  updatedAt: minute(0),
};
const stored = {
  ...shown,
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
  it('shows a new key, never used, and keeps the hash of its token as an internal field', async () => {
    const { thenDocument } = await givenHistory([apiKeysProjection], issued);
    expect(await thenDocument(apiKeys, '1')).to.deep.equal(stored);
  });

  it('keeps the rig that a key was issued to as an internal field', async () => {
    const toRig = { ...issued, data: { ...data, rigId: RIG, registration: RIG } };
    const { thenDocument } = await givenHistory([apiKeysProjection], toRig);
    const ofRig = { ...stored, _rigId: RIG, _rigOfLicense: `${RIG}:${ACME}`, _registration: RIG };
    expect(await thenDocument(apiKeys, '1')).to.deep.equal(ofRig);
  });

  it('ends the keys of a rig with its move to another licence: those that it had, and of this rig only', async () => {
    const key = (id: string, rigId: string | null, licenseId = ACME) => ({
      ...issued,
      stream: `apiKey-${id}`,
      data: { ...data, rigId, licenseId },
    });
    const moved = (from: string, to: string) => ({
      stream: `rig-${RIG}`,
      type: 'RigMovedToLicense',
      data: { from, to },
    });
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

  it('lets no internal field be seen, in the order of the interface', () => {
    const view = pick({ ...stored, oldTokenValidUntil: null }, apiKeyQuery.shown);
    expect(view).to.deep.equal({ ...shown, oldTokenValidUntil: null });
    expect(Object.keys(view).join()).to.equal(
      'id,licenseId,name,keyPrefix,role,enabled,expiresAt,lastUsedAt,oldTokenValidUntil,createdAt,updatedAt',
    );
  });

  it('tells until when an older token is valid at a moment: the last of them, of keys recorded when there were more', () => {
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
    for (const [type, [told, shows]] of Object.entries(changes)) {
      const { thenDocument } = await givenHistory([apiKeysProjection], issued, {
        stream: 'apiKey-1',
        type,
        data: told,
      });
      const changed = { ...stored, ...shows, updatedAt: minute(1), _position: 2, _revision: 1 };
      expect(await thenDocument(apiKeys, '1'), type).to.deep.equal(changed);
    }
  });

  it('shows when a key was last used, which is no change of the key', async () => {
    const other = { ...issued, stream: 'apiKey-2' };
    const { thenDocument } = await givenHistory([apiKeysProjection], issued, other, used('1'), used('1'));
    expect(await thenDocument(apiKeys, '1')).to.deep.equal({ ...stored, lastUsedAt: minute(3), _position: 4 });
    expect(await thenDocument(apiKeys, '2')).to.include({ lastUsedAt: null, _position: 2 });
  });

  it('keeps the last use when it is revoked, and shows one that was recorded afterwards', async () => {
    const { thenDocument } = await givenHistory([apiKeysProjection], issued, used('1'), revoked);
    const gone = { ...stored, enabled: false, updatedAt: minute(2), _revision: 1 };
    expect(await thenDocument(apiKeys, '1')).to.deep.equal({ ...gone, lastUsedAt: minute(1), _position: 3 });
    const late = await givenHistory([apiKeysProjection], issued, used('1'), revoked, used('1'));
    expect(await late.thenDocument(apiKeys, '1')).to.deep.equal({ ...gone, lastUsedAt: minute(3), _position: 4 });
  });

  it('makes no key of a use', async () => {
    const { thenDocument } = await givenHistory([apiKeysProjection], used('1'));
    expect(await thenDocument(apiKeys, '1')).to.equal(null);
  });
});
