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

describe('license', () => {
  it('is issued', () => {
    given(licenseDecider).when({ type: 'IssueLicense', data: acme }).then(issued);
  });
});

describe('the own license', () => {
  const own = true;

  it('is not disabled, not even with other changes', () => {
    given(licenseDecider, issued)
      .when(...change({ enabled: false }, own))
      .thenRejected('FORBIDDEN', '/enabled');
    given(licenseDecider, issued)
      .when(...change({ displayName: 'Acme', expiresAt: END, enabled: false }, own))
      .thenRejected('FORBIDDEN', '/enabled');
  });

  it('gets no end, past or to come', () => {
    for (const expiresAt of [END, '1970-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
      given(licenseDecider, issued)
        .when(...change({ displayName: 'Acme', expiresAt }, own))
        .thenRejected('FORBIDDEN', '/expiresAt');
    }
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
