import { expect } from 'chai';
import { ChangeLicenseBody, IssueLicenseBody, licenseDecider, licenseIntents } from '../../commands/licenses.ts';
import { given, happened } from '../support/kernel/given.ts';

const acme = { name: 'acme', displayName: 'Acme Racing', licenseKey: 'lic_1' };
const END = '2027-01-01T00:00:00.000Z';
const issued = happened('LicenseIssued', acme);
const ending = happened('LicenseExpirySet', { expiresAt: END });

/** The intents of a change with a key of the licence, or of another. */
const change = (fields: Parameters<typeof licenseIntents>[0], own: boolean) =>
  licenseIntents(fields, { own, lastAdmin: false });

describe('the own license', () => {
  const own = true;

  it('is not disabled, and gets no end, past or to come, not even with other changes', () => {
    const refused = [
      [{ enabled: false }, '/enabled'],
      [{ displayName: 'Acme', expiresAt: END, enabled: false }, '/enabled'],
      ...[END, '1970-01-01T00:00:00.000Z'].map(
        (expiresAt) => [{ displayName: 'Acme', expiresAt }, '/expiresAt'] as const,
      ),
    ] as const;
    for (const [fields, pointer] of refused)
      given(licenseDecider, issued)
        .when(...change(fields, own))
        .thenRejected('FORBIDDEN', pointer);
  });

  it('is renamed, and loses an end that others gave it', () => {
    given(licenseDecider, issued)
      .when(...change({ displayName: 'Acme', enabled: true }, own))
      .then(happened('LicenseRenamed', { displayName: 'Acme' }));
    given(licenseDecider, issued, ending)
      .when(...change({ expiresAt: null }, own))
      .then(happened('LicenseExpirySet', { expiresAt: null }));
  });
});

describe('license bodies', () => {
  it('keep nothing that only the service sets', () => {
    const names = { name: 'acme', displayName: 'Acme' };
    expect(IssueLicenseBody.parse({ ...names, licenseKey: 'mine', enabled: false })).to.deep.equal(names);
    const own = { name: 'beta', licenseKey: 'mine', own: false, lastAdmin: false };
    expect(ChangeLicenseBody.parse(own)).to.deep.equal({});
  });
});
