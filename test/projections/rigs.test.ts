import { expect } from 'chai';
import { licensesProjection } from '../../projections/licenses.ts';
import { rigs, rigsProjection } from '../../projections/rigs.ts';
import { givenHistory, minute } from '../support/kernel/projecting.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const GROUP = [licensesProjection, rigsProjection];

const issued = (id: string, displayName: string) => ({
  stream: `license-${id}`,
  type: 'LicenseIssued',
  data: { name: displayName, displayName, licenseKey: id },
});
const registered = (stream: string, hardwareId: string, licenseId: string) => ({
  stream,
  type: 'RigRegistered',
  data: { hardwareId, licenseId },
});

const history = [issued(ACME, 'Acme'), registered('rig-1', 'hw-1', ACME)];
const shown = {
  id: '1',
  name: null,
  description: null,
  hardwareId: 'hw-1',
  licenseId: ACME,
  licenseDisplayName: 'Acme',
  enabled: true,
  lastSeenAt: null,
  createdAt: minute(1),
  updatedAt: minute(1),
  _created: 2,
  _position: 2,
  _revision: 0,
};

describe('rigs projection', () => {
  it('shows when any of its keys was last used, which is no change of the rig', async () => {
    const used = (keyId: string, rigId?: string) => ({
      stream: `apiKeyUsage-${keyId}`,
      type: 'ApiKeyUsed',
      data: { licenseId: ACME, ...(rigId !== undefined && { rigId }) },
    });
    const { thenDocument } = await givenHistory(
      GROUP,
      ...history,
      registered('rig-2', 'hw-2', ACME),
      used('a', '1'),
      used('b', '1'),
      used('c', '2'),
      used('manager'),
      used('d', '3'),
    );
    expect(await thenDocument(rigs, '1')).to.deep.equal({ ...shown, lastSeenAt: minute(4), _position: 5 });
    expect(await thenDocument(rigs, '2')).to.include({ lastSeenAt: minute(5), updatedAt: minute(2), _revision: 0 });
    expect(await thenDocument(rigs, '3')).to.equal(null);
  });
});
