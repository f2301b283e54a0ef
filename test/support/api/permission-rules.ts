/**
 * Who may do what, as docs/interface.md#authentication-and-roles and #who-owns-what say it: the one table that the
 * matrix of test/api/matrix.test.ts is held against.
 */

/** Who asks. All but `none`, `ADMIN` and those of other licences are of one licence, whose things are its own. */
export const WHO = [
  ...(['none', 'R', 'CR', 'CRUD', 'ADMIN', 'rig'] as const),
  ...(['expired', 'revoked', 'expired licence', 'disabled licence'] as const),
];
export type Who = (typeof WHO)[number];

/** Who has no valid key. */
const INVALID: readonly Who[] = ['none', 'expired', 'revoked', 'expired licence', 'disabled licence'];

/** Whose thing it is; shared is what an ADMIN key made. */
export const WHOSE = ['own', 'shared', 'other'] as const;
export type Whose = (typeof WHOSE)[number];

/** What a request asks for, by its method and by what its path adds to that of the resource. */
const ASKED = {
  'GET ': 'list',
  'GET /paged': 'list',
  'GET /{}': 'read',
  'GET /hardwareId/{}': 'read',
  'GET /{}/leaderboard': 'read laps',
  'GET /{}/live': 'read laps',
  'GET /{}/results.csv': 'read laps',
  'GET /{}/bests': 'read laps',
  'GET /current': 'read own',
  'GET /{}/history': 'history',
  'GET /{}/completeness': 'completeness',
  'POST ': 'create',
  'POST /batch': 'create',
  'PATCH /{}': 'change',
  'DELETE /{}': 'delete',
  'PUT /{}/sequence': 'tell sequence',
  'POST /{}/key': 'replace key',
  'POST /{}/rotate': 'replace key',
  'POST /{}/file': 'license file',
  'POST /{}/rotate-key': 'replace license key',
} as const;
export type Asked = (typeof ASKED)[keyof typeof ASKED];

/** What a method asks for at such an end of a path. */
export function askedOf(method: string, end: string): Asked | undefined {
  const known: Readonly<Record<string, Asked>> = ASKED;
  return known[`${method} ${end}`];
}

/** Resources that belong to somebody, whoever made them. */
const PRIVATE = ['Rig', 'Lap', 'Participant'];
/** Those that a key is needed for to read; all others are public. */
const READ_WITH_KEY = ['Rig', 'Participant'];
/** What hangs on something else, and is refused where that is another licence's. */
const HANGS_ON_OTHERS = ['SignupField', 'SimulatorCar', 'SimulatorLayout', 'Lap'];
/** What a rig's key writes of its own, besides participants, which it only creates. */
const OF_RIGS = ['create Lap', 'change Lap', 'change Rig', 'tell sequence Rig'];

export interface Cell {
  readonly who: Who;
  readonly asked: Asked;
  readonly resource: string;
  readonly whose: Whose;
}

/** The answer: `yes`, a status, or the code of a 403. */
export type Expected = 'yes' | 401 | 404 | 'forbidden' | 'rig-scope' | 'not-yours';

/** What the table says of a cell. */
export function expectedOf(cell: Cell): Expected {
  const { who, asked, resource } = cell;
  if (asked === 'read laps') return 'yes';
  if (resource === 'License') return ofLicense(cell);
  if (resource === 'ApiKey') return ofKey(cell);
  const isRead = asked === 'list' || asked === 'read';
  if (isRead && !READ_WITH_KEY.includes(resource)) return 'yes';
  if (INVALID.includes(who)) return 401;
  if (isRead || asked === 'completeness' || who === 'ADMIN') return 'yes';
  return who === 'rig' ? ofRig(cell) : ofRole(cell);
}

function ofRole(cell: Cell): Expected {
  const { who, asked, resource, whose } = cell;
  // Any key registers a rig; the licence file says for whom.
  if (resource === 'Rig' && asked === 'create') return whose === 'own' ? 'yes' : 'forbidden';
  if (who !== 'CRUD') return 'forbidden';
  return asked === 'history' || isOpen(cell) ? 'yes' : 'not-yours';
}

/** What a key of role CRUD may write. */
function isOpen({ resource, whose, asked }: Cell): boolean {
  if (whose === 'own') return true;
  if (asked === 'create' && !HANGS_ON_OTHERS.includes(resource)) return true;
  return whose === 'shared' && !PRIVATE.includes(resource);
}

function ofRig({ resource, asked, whose }: Cell): Expected {
  if (resource === 'Participant' && asked === 'create') return 'yes';
  return OF_RIGS.includes(`${asked} ${resource}`) && whose === 'own' ? 'yes' : 'rig-scope';
}

/** Keys are for role CRUD, but any key reads itself; those of another licence are not even said to exist. */
function ofKey({ who, asked, whose }: Cell): Expected {
  if (INVALID.includes(who)) return 401;
  if (who === 'ADMIN' || asked === 'read own') return 'yes';
  if (who === 'rig') return 'rig-scope';
  if (who !== 'CRUD') return 'forbidden';
  return whose === 'own' || asked === 'create' || asked === 'list' ? 'yes' : 404;
}

/** Licences are for ADMIN; any key reads its own, and from role CR on gets its file. */
function ofLicense({ who, asked, whose }: Cell): Expected {
  if (INVALID.includes(who)) return 401;
  if (who === 'ADMIN' || asked === 'read own') return 'yes';
  if (asked === 'read') return whose === 'own' ? 'yes' : 'forbidden';
  if (who === 'rig') return 'rig-scope';
  return asked === 'license file' && who !== 'R' && whose === 'own' ? 'yes' : 'forbidden';
}
