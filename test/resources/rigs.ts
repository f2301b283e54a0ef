import { entry, of } from '../support/resources/entry.ts';

const anyText = of.texts(1, 255);
const hardwareId = { ...anyText, bad: [...anyText.bad, '.', '..', '...'] };

/** docs/interface.md#rigs */
export default entry('Rig', 'rigs', {
  commands: ['RegisterRig', 'ChangeRig'],
  sort: 'name',
  hides: true,
  reads: 'R',
  // The licence file says for whom.
  creates: 'R',
  owner: { kind: 'license', field: 'licenseId' },
  rigs: ['change', 'PUT /{}/sequence', 'PUT /{}/seat', 'DELETE /{}/seat'],
  history: true,
  unique: { category: 'rigHardware', fields: ['hardwareId'] },
  idempotent: 'with a fresh key',
  filters: { licenseId: 'licenseId' },
  create: { hardwareId, name: { ...of.names(2, 120), unset: null } },
  change: {
    name: of.names(2, 120),
    description: of.nullable(of.texts(0, 255)),
    hardwareId,
    licenseId: of.references('License', { licenseDisplayName: 'displayName' }),
    enabled: of.flags(true),
  },
  initial: { name: null, description: null, enabled: true },
  used: ['lastSeenAt'],
  member: 'rig',
  events: {
    RigRegistered: ['hardwareId', 'licenseId'],
    RigRenamed: ['name'],
    RigDescribed: ['description'],
    RigHardwareReplaced: ['hardwareId'],
    RigMovedToLicense: { moves: 'licenseId' },
    RigEnabled: { enabled: true },
    RigDisabled: { enabled: false },
  },
  more: {
    'GET /hardwareId/{}': 'R',
    'GET /{}/completeness': 'R',
    'PUT /{}/sequence': 'CRUD',
    'GET /{}/seat': 'public',
    'PUT /{}/seat': 'CRUD',
    'DELETE /{}/seat': 'CRUD',
    'POST /{}/key': 'CRUD',
  },
});
