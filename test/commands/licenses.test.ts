import { expect } from 'chai';
import { ChangeLicenseBody, IssueLicenseBody, licenseDecider } from '../../commands/licenses.ts';
import { bodies } from '../support/api/bodies.ts';
import { given, happened } from '../support/kernel/given.ts';

const acme = { name: 'acme', displayName: 'Acme Racing', licenseKey: 'lic_1' };
const END = '2027-01-01T00:00:00.000Z';
const issued = happened('LicenseIssued', acme);
const disabled = happened('LicenseDisabled');
const ending = happened('LicenseExpirySet', { expiresAt: END });

describe('license', () => {
  it('is issued', () => {
    given(licenseDecider).when({ type: 'IssueLicense', data: acme }).then(issued);
  });

  it('says what changed, and only that', () => {
    const own = false;
    given(licenseDecider, issued)
      .when({
        type: 'ChangeLicense',
        data: { own, lastAdmin: false, displayName: 'Acme', expiresAt: END, enabled: false },
      })
      .then(happened('LicenseRenamed', { displayName: 'Acme' }), ending, disabled);
    given(licenseDecider, issued)
      .when({ type: 'ChangeLicense', data: { own, lastAdmin: false, displayName: 'Acme' } })
      .then(happened('LicenseRenamed', { displayName: 'Acme' }));
  });

  it('gets an end, another end, and by null none', () => {
    const own = false;
    const later = '2028-01-01T00:00:00.000Z';
    const set = (expiresAt: string | null) =>
      ({ type: 'ChangeLicense', data: { own, lastAdmin: false, expiresAt } }) as const;
    given(licenseDecider, issued).when(set(null)).thenNothing();
    given(licenseDecider, issued).when(set(END)).then(ending);
    given(licenseDecider, issued, ending).when(set(END)).thenNothing();
    given(licenseDecider, issued, ending)
      .when(set(later))
      .then(happened('LicenseExpirySet', { expiresAt: later }));
    given(licenseDecider, issued, ending)
      .when(set(null))
      .then(happened('LicenseExpirySet', { expiresAt: null }));
  });

  it('is disabled once, and enabled again', () => {
    const own = false;
    given(licenseDecider, issued)
      .when({ type: 'ChangeLicense', data: { own, lastAdmin: false, enabled: false } })
      .then(disabled);
    given(licenseDecider, issued, disabled)
      .when({ type: 'ChangeLicense', data: { own, lastAdmin: false, enabled: false } })
      .thenNothing();
    given(licenseDecider, issued, disabled)
      .when({ type: 'ChangeLicense', data: { own, lastAdmin: false, enabled: true } })
      .then(happened('LicenseEnabled'));
  });

  it('records nothing when nothing changes', () => {
    for (const own of [true, false]) {
      const same = { own, lastAdmin: false, displayName: acme.displayName, enabled: true, expiresAt: null };
      given(licenseDecider, issued).when({ type: 'ChangeLicense', data: same }).thenNothing();
      given(licenseDecider, issued)
        .when({ type: 'ChangeLicense', data: { own, lastAdmin: false } })
        .thenNothing();
    }
  });

  it('cannot be changed before it exists, by whomever', () => {
    for (const own of [true, false]) {
      given(licenseDecider)
        .when({ type: 'ChangeLicense', data: { own, lastAdmin: false, enabled: false } })
        .thenRejected('NOT_FOUND');
    }
  });

  it('claims nothing', () => {
    expect(licenseDecider.claim).to.equal(null);
  });
});

describe('the own license', () => {
  const own = true;

  it('is not disabled, not even with other changes', () => {
    given(licenseDecider, issued)
      .when({ type: 'ChangeLicense', data: { own, lastAdmin: false, enabled: false } })
      .thenRejected('FORBIDDEN', '/enabled');
    given(licenseDecider, issued)
      .when({ type: 'ChangeLicense', data: { own, lastAdmin: false, displayName: 'Acme', enabled: false } })
      .thenRejected('FORBIDDEN', '/enabled');
  });

  it('gets no end, past or to come', () => {
    for (const expiresAt of [END, '1970-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
      given(licenseDecider, issued)
        .when({ type: 'ChangeLicense', data: { own, lastAdmin: false, displayName: 'Acme', expiresAt } })
        .thenRejected('FORBIDDEN', '/expiresAt');
    }
  });

  it('is renamed, and loses an end that others gave it', () => {
    given(licenseDecider, issued)
      .when({ type: 'ChangeLicense', data: { own, lastAdmin: false, displayName: 'Acme', enabled: true } })
      .then(happened('LicenseRenamed', { displayName: 'Acme' }));
    given(licenseDecider, issued, ending)
      .when({ type: 'ChangeLicense', data: { own, lastAdmin: false, expiresAt: null } })
      .then(happened('LicenseExpirySet', { expiresAt: null }));
  });
});

describe('license bodies', () => {
  const issue = bodies(
    { body: IssueLicenseBody },
    { body: IssueLicenseBody.partial() },
    { name: 'acme', displayName: 'Acme' },
  );
  const change = bodies(
    { body: ChangeLicenseBody },
    { body: ChangeLicenseBody },
    { displayName: 'Acme', enabled: true, expiresAt: null },
  );

  it('need both names to issue, nothing to change, and keep nothing else', () => {
    issue.needsOnly('name', 'displayName');
    change.needsOnly();
    expect(
      IssueLicenseBody.parse({ name: 'acme', displayName: 'Acme', licenseKey: 'mine', enabled: false }),
    ).to.deep.equal({ name: 'acme', displayName: 'Acme' });
    expect(ChangeLicenseBody.parse({ name: 'beta', licenseKey: 'mine', own: false, lastAdmin: false })).to.deep.equal(
      {},
    );
  });

  it('hold every field to its bounds', () => {
    issue.takesLengths('name', 3, 120);
    issue.refuses('name', '    ', null, 1);
    for (const { takesLengths, refuses } of [issue, change]) {
      takesLengths('displayName', 3, 120);
      refuses('displayName', null, 1);
    }
    change.refuses('enabled', null, 'true', 1);
    change.takes('expiresAt', null, END, '2027-01-01T00:00:00Z', '2027-01-01T01:00:00+01:00');
    change.refuses('expiresAt', '', '2027-01-01', '2027-01-01T00:00:00', '2027-02-30T00:00:00Z', 1, true);
  });

  it('keep an end in UTC', () => {
    expect(ChangeLicenseBody.parse({ expiresAt: '2027-01-01T01:00:00+01:00' })).to.deep.equal({ expiresAt: END });
  });
});
