import { expect } from 'chai';
import { changeRig, RegisterRigBody, rigDecider } from '../../commands/rigs.ts';
import { bodies, letters } from '../support/api/bodies.ts';
import { given, happened } from '../support/kernel/given.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const BETA = '00000000-0000-7000-8000-0000000000a2';

const machine = { hardwareId: 'hw-1', licenseId: ACME };
const registered = happened('RigRegistered', machine);
const named = happened('RigRenamed', { name: 'Rig 1' });
const described = happened('RigDescribed', { description: 'Left' });

describe('rig', () => {
  it('is registered', () => {
    given(rigDecider).when({ type: 'RegisterRig', data: machine }).then(registered);
  });

  it('says what changed, and where it moved from', () => {
    given(rigDecider, registered)
      .when({
        type: 'ChangeRig',
        data: { name: 'Rig 1', description: 'Left', hardwareId: 'hw-2', licenseId: BETA, enabled: false },
      })
      .then(
        named,
        described,
        happened('RigHardwareReplaced', { hardwareId: 'hw-2' }),
        happened('RigMovedToLicense', { from: ACME, to: BETA }),
        happened('RigDisabled'),
      );
  });

  it('says each change alone', () => {
    given(rigDecider, registered, named)
      .when({ type: 'ChangeRig', data: { name: 'Rig 2' } })
      .then(happened('RigRenamed', { name: 'Rig 2' }));
    given(rigDecider, registered)
      .when({ type: 'ChangeRig', data: { hardwareId: 'HW-1' } })
      .then(happened('RigHardwareReplaced', { hardwareId: 'HW-1' }));
    given(rigDecider, registered, happened('RigMovedToLicense', { from: ACME, to: BETA }))
      .when({ type: 'ChangeRig', data: { licenseId: ACME } })
      .then(happened('RigMovedToLicense', { from: BETA, to: ACME }));
  });

  it('has no description until it gets one, and loses it by null', () => {
    const cleared = happened('RigDescribed', { description: null });
    given(rigDecider, registered)
      .when({ type: 'ChangeRig', data: { description: null } })
      .thenNothing();
    given(rigDecider, registered)
      .when({ type: 'ChangeRig', data: { description: '' } })
      .then(happened('RigDescribed', { description: '' }));
    given(rigDecider, registered, described)
      .when({ type: 'ChangeRig', data: { description: null } })
      .then(cleared);
  });

  it('records nothing when nothing changes', () => {
    const whole = { ...machine, name: 'Rig 1', description: 'Left', enabled: true };
    given(rigDecider, registered, named, described).when({ type: 'ChangeRig', data: whole }).thenNothing();
    given(rigDecider, registered)
      .when({ type: 'ChangeRig', data: { ...machine, enabled: true } })
      .thenNothing();
    given(rigDecider, registered).when({ type: 'ChangeRig', data: {} }).thenNothing();
  });

  it('is disabled once, and enabled again', () => {
    const disabled = happened('RigDisabled');
    given(rigDecider, registered, disabled)
      .when({ type: 'ChangeRig', data: { enabled: false } })
      .thenNothing();
    given(rigDecider, registered, disabled)
      .when({ type: 'ChangeRig', data: { enabled: true } })
      .then(happened('RigEnabled'));
  });

  it('cannot be changed before it exists', () => {
    given(rigDecider)
      .when({ type: 'ChangeRig', data: { name: 'Rig 1' } })
      .thenRejected('NOT_FOUND');
  });

  it('holds its hardware, disabled or not', () => {
    const { claim } = rigDecider;
    const rig = { ...machine, name: null, description: null, enabled: true };
    expect(claim?.category).to.equal('rigHardware');
    expect(claim?.key(null)).to.equal(null);
    expect(claim?.key(rig)).to.equal('hw-1');
    expect(claim?.key({ ...rig, hardwareId: 'HW-1', enabled: false })).to.equal('HW-1');
    expect(claim?.taken.code).to.equal('TAKEN');
    expect(claim?.taken.faults.map(({ pointer }) => pointer)).to.deep.equal(['/hardwareId']);
  });

  it('refers to its licence', () => {
    expect(changeRig.references).to.deep.equal({ licenseId: 'license' });
  });
});

describe('rig bodies', () => {
  const licenseFile = { licenseId: ACME, licenseKey: 'lic_1', issuedAt: '2026-01-01T12:00:00Z', signature: 'a.b.c' };
  const registration = { hardwareId: 'hw-1', licenseFile };
  const register = bodies({ body: RegisterRigBody }, { body: RegisterRigBody.partial() }, registration);
  const change = bodies(changeRig, changeRig, { ...machine, name: 'Rig 1', description: null, enabled: true });

  it('register with the hardware and a whole licence file, and keep nothing else', () => {
    register.needsOnly('hardwareId', 'licenseFile');
    expect(RegisterRigBody.parse({ ...registration, name: 'Rig 1', licenseId: BETA })).to.deep.equal(registration);
    for (const missing of Object.keys(licenseFile)) {
      register.refuses('licenseFile', { ...licenseFile, [missing]: undefined }, { ...licenseFile, [missing]: null });
    }
    register.refuses('licenseFile', null, 'file', []);
    register.refuses('licenseFile', { ...licenseFile, licenseId: 'acme' });
    register.refuses('licenseFile', { ...licenseFile, issuedAt: '2026-01-01' }, { ...licenseFile, issuedAt: 1 });
    register.takes('licenseFile', { ...licenseFile, issuedAt: '2026-01-01T13:00:00.000+01:00' });
  });

  it('leave the instant of a licence file as it was signed', () => {
    const { licenseFile: kept } = RegisterRigBody.parse(registration);
    expect(kept.issuedAt).to.equal('2026-01-01T12:00:00Z');
  });

  it('hold every field to its bounds', () => {
    register.takesLengths('hardwareId', 1, 255);
    register.refuses('hardwareId', null, 1);
    change.needsOnly();
    change.takesLengths('hardwareId', 1, 255);
    change.refuses('hardwareId', null, 1);
    change.takesLengths('name', 2, 120);
    change.refuses('name', '   ', null, 1);
    change.takesLengths('description', 0, 255);
    change.takes('description', null, ' ');
    change.refuses('description', 1);
    change.takes('licenseId', BETA);
    change.refuses('licenseId', null, '', 'acme');
    change.refuses('enabled', null, 'true', 1);
  });

  it('count characters, not UTF-16 units', () => {
    change.takes('name', '🏎'.repeat(120));
    change.refuses('name', '🏎', '🏎'.repeat(121), `${letters(120)}🏎`);
  });
});
