import { entry, of } from '../support/resources/entry.ts';

/** Of keys with a secret in their events, projection and decider have tests of their own. */
export default entry('ApiKey', 'api-keys', {
  commands: ['IssueApiKey', 'ChangeApiKey'],
  reads: 'CRUD',
  owner: { kind: 'license', field: 'licenseId' },
  hiddenFromOthers: true,
  idempotent: 'with a fresh key',
  deletes: true,
  create: {
    name: of.names(3, 120),
    role: of.choices(['R', 'CR', 'CRUD', 'ADMIN']),
    expiresAt: of.nullable(of.futureInstants()),
  },
  initial: { enabled: true },
  shows: ['oldTokenValidUntil'],
  made: ['licenseId', 'keyPrefix'],
  used: ['lastUsedAt'],
  member: 'apiKey',
  events: {
    ApiKeyIssued: 'special',
    ApiKeyRenamed: ['name'],
    ApiKeyRoleChanged: ['role'],
    ApiKeyExpirySet: ['expiresAt'],
    ApiKeyRotated: 'special',
    ApiKeyRevoked: 'special',
  },
  more: { 'GET /current': 'R', 'POST /{}/rotate': 'CRUD' },
});
