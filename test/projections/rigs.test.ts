import { expect } from 'chai';
import { rigEvents } from '../../commands/rigs.ts';
import { licensesProjection } from '../../projections/licenses.ts';
import { rigs, rigsProjection } from '../../projections/rigs.ts';
import { itFollows } from '../support/event-store/following.ts';
import { givenHistory, minute } from '../support/kernel/projecting.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const BETA = '00000000-0000-7000-8000-0000000000a2';
const GROUP = [licensesProjection, rigsProjection];

const issued = (id: string, displayName: string) => ({
  stream: `license-${id}`,
  type: 'LicenseIssued',
  data: { name: displayName, displayName, licenseKey: id },
});
const licenseRenamed = (id: string, displayName: string) => ({
  stream: `license-${id}`,
  type: 'LicenseRenamed',
  data: { displayName },
});
const registered = (stream: string, hardwareId: string, licenseId: string) => ({
  stream,
  type: 'RigRegistered',
  data: { hardwareId, licenseId },
});

const history = [issued(ACME, 'Acme'), issued(BETA, 'Beta'), registered('rig-1', 'hw-1', ACME)];
const shown = {
  id: '1',
  name: null,
  description: null,
  hardwareId: 'hw-1',
  licenseId: ACME,
  licenseDisplayName: 'Acme',
  enabled: true,
  lastSeenAt: null,
  createdAt: minute(2),
  updatedAt: minute(2),
  _created: 3,
  _position: 3,
  _revision: 0,
};

describe('rigs projection', () => {
  it('shows a new rig without a name, with that of its license', async () => {
    const { thenDocument } = await givenHistory(GROUP, ...history);
    expect(await thenDocument(rigs, '1')).to.deep.equal(shown);
  });

  itFollows({
    projections: GROUP,
    model: rigs,
    born: history,
    events: rigEvents,
    created: 'RigRegistered',
    changes: {
      RigRenamed: { data: { name: 'Rig 1' }, shows: { name: 'Rig 1' } },
      RigDescribed: { data: { description: 'Left' }, shows: { description: 'Left' } },
      RigHardwareReplaced: { data: { hardwareId: 'hw-2' }, shows: { hardwareId: 'hw-2' } },
      RigMovedToLicense: { data: { from: ACME, to: BETA }, shows: { licenseId: BETA, licenseDisplayName: 'Beta' } },
      RigDisabled: { data: {}, shows: { enabled: false } },
      RigEnabled: { data: {}, shows: { enabled: true } },
    },
  });

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
    expect(await thenDocument(rigs, '1')).to.deep.equal({ ...shown, lastSeenAt: minute(5), _position: 6 });
    expect(await thenDocument(rigs, '2')).to.include({ lastSeenAt: minute(6), updatedAt: minute(3), _revision: 0 });
    expect(await thenDocument(rigs, '3')).to.equal(null);
  });

  it('shows no description once it was cleared', async () => {
    const described = (description: string | null) => ({
      stream: 'rig-1',
      type: 'RigDescribed',
      data: { description },
    });
    const { thenDocument } = await givenHistory(GROUP, ...history, described('Left'), described(null));
    expect(await thenDocument(rigs, '1')).to.deep.equal({ ...shown, updatedAt: minute(4), _position: 5, _revision: 2 });
  });

  it('shows the new name of a license on its rigs alone', async () => {
    const { thenDocument } = await givenHistory(
      GROUP,
      ...history,
      registered('rig-2', 'hw-2', BETA),
      registered('rig-3', 'hw-3', ACME),
      licenseRenamed(ACME, 'Acme Racing'),
    );
    expect(await thenDocument(rigs, '1')).to.deep.equal({ ...shown, licenseDisplayName: 'Acme Racing', _position: 6 });
    expect(await thenDocument(rigs, '2')).to.include({ licenseDisplayName: 'Beta', _position: 4 });
    expect(await thenDocument(rigs, '3')).to.include({
      licenseDisplayName: 'Acme Racing',
      updatedAt: minute(4),
      _position: 6,
      _revision: 0,
    });
  });

  it('follows the name of the license that a rig moved to, not of the one it left', async () => {
    const { thenDocument } = await givenHistory(
      GROUP,
      ...history,
      licenseRenamed(BETA, 'Beta GT'),
      { stream: 'rig-1', type: 'RigMovedToLicense', data: { from: ACME, to: BETA } },
      licenseRenamed(ACME, 'Acme Racing'),
    );
    expect(await thenDocument(rigs, '1')).to.include({ licenseDisplayName: 'Beta GT', _position: 5, _revision: 1 });
  });

  it('is not touched by other changes of its license', async () => {
    const { thenDocument } = await givenHistory(GROUP, ...history, {
      stream: `license-${ACME}`,
      type: 'LicenseDisabled',
      data: {},
    });
    expect(await thenDocument(rigs, '1')).to.deep.equal(shown);
  });
});
