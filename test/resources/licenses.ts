import { entry, of } from '../support/resources/entry.ts';

const displayName = of.like(of.texts(3, 120), (n) => `Licence ${n}`);
const ends = ['2020-01-01T00:00:00Z', '9026-01-01T00:00:00Z'];

/** docs/interface.md#licenses */
export default entry('License', 'licenses', {
  commands: ['IssueLicense', 'ChangeLicense'],
  reads: 'ADMIN',
  creates: 'ADMIN',
  owner: { kind: 'self' },
  idempotent: 'with a fresh key',
  create: { name: of.names(3, 120), displayName },
  change: {
    displayName,
    logo: of.nullable(of.logos()),
    accentColor: of.nullable(of.colors()),
    timeZone: of.nullable(of.timeZones()),
    // Others change the names that are shown of people: test/api/public-names.test.ts.
    publicNames: { ...of.choices(['full']), bad: ['', 'FULL', 'full ', 'initials', 1, true, [], {}] },
    enabled: of.flags(true),
    expiresAt: { ...of.nullable(of.instants()), few: ends },
  },
  changedByAdminOnly: ['displayName', 'enabled', 'expiresAt'],
  initial: { logo: null, accentColor: null, timeZone: null, publicNames: 'full', enabled: true, expiresAt: null },
  made: ['licenseKey'],
  used: ['lastLoginAt'],
  member: 'license',
  events: {
    LicenseIssued: ['name', 'displayName', 'licenseKey'],
    LicenseRenamed: ['displayName'],
    LicenseLogoChanged: ['logo'],
    LicenseAccentColorChanged: ['accentColor'],
    LicenseTimeZoneChanged: ['timeZone'],
    LicensePublicNamesChanged: 'special',
    LicenseExpirySet: ['expiresAt'],
    LicenseEnabled: { enabled: true },
    LicenseDisabled: { enabled: false },
    LicenseKeyRotated: ['licenseKey'],
  },
  // Its own keys read it, too.
  more: {
    'GET /{}': 'R',
    'GET /current': 'R',
    'POST /{}/file': 'CR',
    'POST /{}/rotate-key': 'ADMIN',
    'POST /{}/key': 'ADMIN',
  },
});
