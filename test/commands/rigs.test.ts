import { expect } from 'chai';
import { RegisterRigBody } from '../../commands/rigs.ts';

const ACME = '00000000-0000-7000-8000-0000000000a1';
const BETA = '00000000-0000-7000-8000-0000000000a2';

describe('the body that registers a rig', () => {
  const licenseFile = { licenseId: ACME, licenseKey: 'lic_1', issuedAt: '2026-01-01T12:00:00Z', signature: 'a.b.c' };
  const registration = { hardwareId: 'hw-1', licenseFile };
  const takes = (file: unknown): boolean => RegisterRigBody.safeParse({ ...registration, licenseFile: file }).success;

  it('has a whole licence file, perhaps a name, and nothing else is kept', () => {
    expect(RegisterRigBody.parse({ ...registration, enabled: false, licenseId: BETA })).to.deep.equal(registration);
    const named = { ...registration, name: 'Rig 1' };
    expect(RegisterRigBody.parse(named)).to.deep.equal(named);
    for (const name of ['x', 'x'.repeat(121), '  ', '\u200b\u200b', null])
      expect(RegisterRigBody.safeParse({ ...registration, name }).success).to.equal(false);
    const lacking = Object.keys(licenseFile).flatMap((field) => [undefined, null].map((none) => ({ [field]: none })));
    const wrong = [...lacking, { licenseId: 'acme' }, { issuedAt: '2026-01-01' }, { issuedAt: 1 }];
    for (const more of wrong) expect(takes({ ...licenseFile, ...more }), JSON.stringify(more)).to.equal(false);
    for (const file of [undefined, null, 'file', []]) expect(takes(file)).to.equal(false);
    expect(takes({ ...licenseFile, issuedAt: '2026-01-01T13:00:00.000+01:00' })).to.equal(true);
  });

  it('leaves the instant of a licence file as it was signed', () => {
    const { licenseFile: kept } = RegisterRigBody.parse(registration);
    expect(kept.issuedAt).to.equal('2026-01-01T12:00:00Z');
  });
});
