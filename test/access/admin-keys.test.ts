import { expect } from 'chai';
import type { ApiKeyDocument } from '../../projections/api-keys.ts';
import { createAdminKeyGuard } from '../../src/service/access/admin-keys.ts';

describe('the guard of the last ADMIN key', () => {
  it('decides only once the registry is up to date', async () => {
    const key: ApiKeyDocument = {
      id: 'promoted',
      licenseId: 'acme',
      name: 'Timing',
      keyPrefix: 'srt_12345678',
      role: 'CRUD',
      enabled: true,
      expiresAt: null,
      lastUsedAt: null,
      createdAt: '2026-05-01T18:00:00.000Z',
      updatedAt: '2026-05-01T18:00:00.000Z',
      _tokenHash: 'hash',
      _oldTokens: [],
      _rigId: null,
      _rigOfLicense: null,
      _registration: 'promoted',
      _created: 1,
      _position: 1,
      _revision: 0,
    };
    let keys = [key];
    const guard = createAdminKeyGuard({
      keysWhere: (matches) => keys.filter(matches),
      license: () => null,
      // Another node has promoted the key a moment ago.
      waitUntilUpToDate: () => {
        keys = [{ ...key, role: 'ADMIN' }];
        return Promise.resolve();
      },
    });
    expect(await guard({ apiKeyId: key.id }, (lastAdmin) => Promise.resolve(lastAdmin))).to.equal(true);
  });
});
