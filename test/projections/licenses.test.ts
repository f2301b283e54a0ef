import { expect } from 'chai';
import { licenses, licensesProjection } from '../../projections/licenses.ts';
import { givenHistory, minute } from '../support/kernel/projecting.ts';

const acme = { name: 'acme', displayName: 'Acme', licenseKey: 'lic_1' };
const issued = { stream: 'license-1', type: 'LicenseIssued', data: acme };
const used = (keyId: string, licenseId: string) => ({
  stream: `apiKeyUsage-${keyId}`,
  type: 'ApiKeyUsed',
  data: { licenseId },
});
const shown = {
  id: '1',
  ...acme,
  enabled: true,
  expiresAt: null,
  lastLoginAt: null,
  createdAt: minute(0),
  updatedAt: minute(0),
  _created: 1,
  _position: 1,
  _revision: 0,
};

describe('licenses projection', () => {
  it('shows when any of its keys was last used, which is no change of the license', async () => {
    const other = { ...issued, stream: 'license-2' };
    const { thenDocument } = await givenHistory(
      [licensesProjection],
      issued,
      other,
      used('a', '1'),
      used('b', '1'),
      used('c', '2'),
    );
    expect(await thenDocument(licenses, '1')).to.deep.equal({ ...shown, lastLoginAt: minute(3), _position: 4 });
    expect(await thenDocument(licenses, '2')).to.include({
      lastLoginAt: minute(4),
      updatedAt: minute(1),
      _position: 5,
      _revision: 0,
    });
  });

  it('keeps the last use when it changes', async () => {
    const { thenDocument } = await givenHistory([licensesProjection], issued, used('a', '1'), {
      stream: 'license-1',
      type: 'LicenseDisabled',
      data: {},
    });
    expect(await thenDocument(licenses, '1')).to.deep.equal({
      ...shown,
      enabled: false,
      lastLoginAt: minute(1),
      updatedAt: minute(2),
      _position: 3,
      _revision: 1,
    });
  });

  it('makes no license of the use of a key', async () => {
    const { thenDocument } = await givenHistory([licensesProjection], issued, used('a', '2'));
    expect(await thenDocument(licenses, '2')).to.equal(null);
    expect(await thenDocument(licenses, 'a')).to.equal(null);
    expect(await thenDocument(licenses, '1')).to.deep.equal(shown);
  });
});
