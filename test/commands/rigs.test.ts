import { expect } from 'chai';
import { changeRig, RegisterRigBody, rigDecider } from '../../commands/rigs.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { given, happened } from '../support/kernel/given.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const BETA = '00000000-0000-7000-8000-0000000000a2';

const registered = happened('RigRegistered', { hardwareId: 'hw-1', licenseId: ACME });
const named = happened('RigRenamed', { name: 'Rig 1' });
const disabled = happened('RigDisabled');

/** The commands that a body with a change comes to. */
function change(body: JsonObject) {
  return changeRig.commands(changeRig.body.parse(body), {});
}

describe('registering a rig', () => {
  it('records its hardware and the licence of its file', () =>
    given(rigDecider)
      .when({ type: 'RegisterRig', data: { hardwareId: 'hw-1', licenseId: ACME } })
      .then(registered));

  it('records its name, where it is sent', () =>
    given(rigDecider)
      .when({ type: 'RegisterRig', data: { hardwareId: 'hw-1', licenseId: ACME, name: 'Rig 1' } })
      .then(registered, named));
});

describe('changing a rig', () => {
  const changes = [
    [{ name: 'Rig 1' }, named],
    [{ description: 'By the window' }, happened('RigDescribed', { description: 'By the window' })],
    [{ hardwareId: 'hw-2' }, happened('RigHardwareReplaced', { hardwareId: 'hw-2' })],
    [{ licenseId: BETA }, happened('RigMovedToLicense', { from: ACME, to: BETA })],
    [{ enabled: false }, disabled],
    [
      { enabled: false, licenseId: BETA, name: 'Rig 1' },
      named,
      happened('RigMovedToLicense', { from: ACME, to: BETA }),
      disabled,
    ],
    [{ hardwareId: 'hw-1', description: null, licenseId: ACME, enabled: true }],
    [{}],
  ] as const;
  for (const [body, ...events] of changes) {
    it(`records what changed, and only that: ${JSON.stringify(body)}`, () =>
      given(rigDecider, registered)
        .when(...change(body))
        .then(...events));
  }

  it('enables it again', () =>
    given(rigDecider, registered, disabled)
      .when(...change({ enabled: true }))
      .then(happened('RigEnabled')));

  it('changes a disabled rig like any other', () =>
    given(rigDecider, registered, disabled)
      .when(...change({ name: 'Rig 1' }))
      .then(named));

  it('refuses a rig that does not exist', () => {
    const bodies = [
      { name: 'Rig 1' },
      { description: 'By the window' },
      { hardwareId: 'hw-2' },
      { licenseId: BETA },
      { enabled: true },
      { enabled: false },
      {},
    ];
    for (const body of bodies)
      given(rigDecider)
        .when(...change(body))
        .thenRejected('NOT_FOUND');
  });
});

// The command handler refuses a second rig with it: test/kernel/aggregate/claims.test.ts.
describe('the hardware id of a rig', () => {
  const { claim } = rigDecider;

  it('is a unique key', () => {
    const rig = rigDecider.evolve(null, registered);
    expect(claim?.key(rig)).to.equal('hw-1');
    expect(claim?.key(null)).to.equal(null);
  });

  it('is refused for a second one, and names the field', () => {
    expect(claim?.taken.code).to.equal('TAKEN');
    expect(claim?.taken.faults.map(({ pointer }) => pointer)).to.deep.equal(['/hardwareId']);
  });
});

describe('the body that registers a rig', () => {
  const licenseFile = { licenseId: ACME, licenseKey: 'lic_1', issuedAt: '2026-01-01T12:00:00Z', signature: 'a.b.c' };
  const registration = { hardwareId: 'hw-1', licenseFile };
  const isAccepted = (file: unknown): boolean =>
    RegisterRigBody.safeParse({ ...registration, licenseFile: file }).success;

  it('keeps hardware id, licence file and name, and drops everything else', () => {
    expect(RegisterRigBody.parse({ ...registration, enabled: false, licenseId: BETA })).to.deep.equal(registration);
    const withName = { ...registration, name: 'Rig 1' };
    expect(RegisterRigBody.parse(withName)).to.deep.equal(withName);
  });

  it('is refused with a name that is too short, too long or invisible', () => {
    for (const name of ['x', 'x'.repeat(121), '  ', '\u200b\u200b', null])
      expect(RegisterRigBody.safeParse({ ...registration, name }).success).to.equal(false);
  });

  it('is refused without a complete licence file', () => {
    const lacking = Object.keys(licenseFile).flatMap((field) => [{ [field]: undefined }, { [field]: null }]);
    const wrong = [...lacking, { licenseId: 'acme' }, { issuedAt: '2026-01-01' }, { issuedAt: 1 }];
    for (const fields of wrong)
      expect(isAccepted({ ...licenseFile, ...fields }), JSON.stringify(fields)).to.equal(false);
    for (const file of [undefined, null, 'file', []]) expect(isAccepted(file)).to.equal(false);
    expect(isAccepted({ ...licenseFile, issuedAt: '2026-01-01T13:00:00.000+01:00' })).to.equal(true);
  });

  it('leaves the time in a licence file as it was signed', () => {
    const { licenseFile: kept } = RegisterRigBody.parse(registration);
    expect(kept.issuedAt).to.equal('2026-01-01T12:00:00Z');
  });
});
