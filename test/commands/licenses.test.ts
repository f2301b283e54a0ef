import { expect } from 'chai';
import {
  ChangeLicenseBody,
  IssueLicenseBody,
  licenseDecider,
  licenseIntents,
  type LicenseCommand,
} from '../../commands/licenses.ts';
import { given, happened } from '../support/kernel/given.ts';

const END = '2027-01-01T00:00:00.000Z';
const PAST = '1970-01-01T00:00:00.000Z';

const acme = { name: 'acme', displayName: 'Acme Racing', licenseKey: 'lic_1' };
const issued = happened('LicenseIssued', acme);
const renamed = happened('LicenseRenamed', { displayName: 'Acme' });
const ending = happened('LicenseExpirySet', { expiresAt: END });
const endless = happened('LicenseExpirySet', { expiresAt: null });
const enabled = happened('LicenseEnabled');
const disabled = happened('LicenseDisabled');

type Change = Parameters<typeof licenseIntents>[0];

/** A change with an ADMIN key of another licence, beside which others work. */
function changedByOther(change: Change): readonly LicenseCommand[] {
  return licenseIntents(change, { own: false, lastAdmin: false });
}

/** A change with a key of the licence itself. */
function changedByItself(change: Change): readonly LicenseCommand[] {
  return licenseIntents(change, { own: true, lastAdmin: false });
}

/** A change of the licence that has the only ADMIN keys without an expiry date, with a key of another licence. */
function changedAsLast(change: Change): readonly LicenseCommand[] {
  return licenseIntents(change, { own: false, lastAdmin: true });
}

describe('issuing a licence', () => {
  it('records it', () => given(licenseDecider).when({ type: 'IssueLicense', data: acme }).then(issued));
});

describe('changing a licence', () => {
  const changes = [
    [{ displayName: 'Acme' }, renamed],
    [{ expiresAt: END }, ending],
    [{ enabled: false }, disabled],
    [{ enabled: false, expiresAt: END, displayName: 'Acme' }, renamed, ending, disabled],
    [{ displayName: 'Acme Racing', expiresAt: null, enabled: true }],
    [{}],
  ] as const;
  for (const [change, ...events] of changes) {
    it(`records what changed, and only that: ${JSON.stringify(change)}`, () =>
      given(licenseDecider, issued)
        .when(...changedByOther(change))
        .then(...events));
  }

  it('enables it again, and takes its expiry date away', () =>
    given(licenseDecider, issued, ending, disabled)
      .when(...changedByOther({ enabled: true, expiresAt: null }))
      .then(endless, enabled));

  it('lets it expire in the past: it has then ended', () =>
    given(licenseDecider, issued)
      .when(...changedByOther({ expiresAt: PAST }))
      .then(happened('LicenseExpirySet', { expiresAt: PAST })));

  it('refuses a licence that does not exist', () => {
    for (const change of [{ displayName: 'Acme' }, { expiresAt: END }, { enabled: true }, { enabled: false }, {}])
      given(licenseDecider)
        .when(...changedByOther(change))
        .thenRejected('NOT_FOUND');
  });
});

describe('rotating the key of a licence', () => {
  const rotate = { type: 'RotateLicenseKey', data: { licenseKey: 'lic_2' } } as const;

  it('records the new key', () =>
    given(licenseDecider, issued)
      .when(rotate)
      .then(happened('LicenseKeyRotated', { licenseKey: 'lic_2' })));

  it('refuses a licence that does not exist', () => given(licenseDecider).when(rotate).thenRejected('NOT_FOUND'));
});

// It could not undo that: none of its keys would work any more.
describe('a key of the licence itself', () => {
  it('cannot disable it, not even with other changes', () => {
    given(licenseDecider, issued)
      .when(...changedByItself({ enabled: false }))
      .thenRejected('FORBIDDEN', '/enabled');
    given(licenseDecider, issued)
      .when(...changedByItself({ displayName: 'Acme', expiresAt: END, enabled: false }))
      .thenRejected('FORBIDDEN', '/enabled');
  });

  it('cannot let it expire, now or later', () => {
    for (const expiresAt of [END, PAST])
      given(licenseDecider, issued)
        .when(...changedByItself({ displayName: 'Acme', expiresAt }))
        .thenRejected('FORBIDDEN', '/expiresAt');
  });

  it('can rename it', () =>
    given(licenseDecider, issued)
      .when(...changedByItself({ displayName: 'Acme', enabled: true }))
      .then(renamed));

  it('can take away the expiry date that others gave it', () =>
    given(licenseDecider, issued, ending)
      .when(...changedByItself({ expiresAt: null }))
      .then(endless));
});

// Otherwise nobody could ever issue an ADMIN key over the API again.
describe('the licence with the last ADMIN keys without an expiry date', () => {
  it('is not disabled', () =>
    given(licenseDecider, issued)
      .when(...changedAsLast({ enabled: false }))
      .thenRejected('LAST_ADMIN_KEY', '/enabled'));

  it('does not get an expiry date', () =>
    given(licenseDecider, issued)
      .when(...changedAsLast({ displayName: 'Acme', expiresAt: END }))
      .thenRejected('LAST_ADMIN_KEY', '/expiresAt'));

  it('can be renamed, and can lose an expiry date', () =>
    given(licenseDecider, issued, ending)
      .when(...changedAsLast({ displayName: 'Acme', expiresAt: null, enabled: true }))
      .then(renamed, endless));
});

describe('licence bodies', () => {
  it('drop what only the service sets', () => {
    const names = { name: 'acme', displayName: 'Acme' };
    expect(IssueLicenseBody.parse({ ...names, licenseKey: 'mine', enabled: false })).to.deep.equal(names);
    const own = { name: 'beta', licenseKey: 'mine', own: false, lastAdmin: false };
    expect(ChangeLicenseBody.parse(own)).to.deep.equal({});
  });
});
