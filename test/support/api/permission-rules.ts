/**
 * Who may do what, as docs/interface.md#authentication-and-roles and #who-owns-what say it: the one table that the
 * matrix of test/api/matrix.test.ts is held against.
 */

/** Who asks. All but `none`, `ADMIN` and `disabled licence` are of one licence, whose things are its own. */
export const WHO = ['none', 'R', 'CR', 'CRUD', 'ADMIN', 'rig', 'expired', 'revoked', 'disabled licence'] as const;
export type Who = (typeof WHO)[number];

/** Who has no valid key. */
const INVALID: readonly Who[] = ['none', 'expired', 'revoked', 'disabled licence'];

/** Whose thing it is; shared is what an ADMIN key made. */
export const WHOSE = ['own', 'shared', 'other'] as const;
export type Whose = (typeof WHOSE)[number];

/** Resources that anybody may read, and that are shared when an ADMIN key made them. */
const CATALOGUE = [
  ...['Event', 'SignupField', 'Simulator', 'SimulatorCar', 'SimulatorLayout', 'Track', 'TrackLayout'],
  ...['Car', 'CarBrand', 'CarClass', 'Brand'],
];
/** Resources that belong to somebody, whoever made them. */
const PRIVATE = ['Rig', 'Lap', 'Participant'];
const PUBLIC = [...CATALOGUE, 'Lap'];

/** What hangs on something else, and is refused where that is another licence's. */
const HANGS_ON_OTHERS = ['SignupField', 'SimulatorCar', 'SimulatorLayout', 'Lap'];

export type Asked = 'read' | 'list' | 'create' | 'change' | 'delete';

export interface Cell {
  readonly who: Who;
  readonly asked: Asked;
  readonly resource: string;
  readonly whose: Whose;
}

/** The answer: a status, or the code of a 403. */
export type Expected = 'yes' | 401 | 404 | 'forbidden' | 'rig-scope' | 'not-yours';

/** What the table says of a cell. */
export function expectedOf(cell: Cell): Expected {
  const { who, asked, resource } = cell;
  const reads = asked === 'read' || asked === 'list';
  if (INVALID.includes(who)) return reads && PUBLIC.includes(resource) ? 'yes' : 401;
  if (resource === 'ApiKey' || resource === 'License') return ofAccess(cell);
  if (reads) return 'yes';
  return who === 'rig' ? ofRig(cell) : ofWrite(cell);
}

function ofWrite(cell: Cell): Expected {
  const { who, asked, resource } = cell;
  // Any key registers a rig; the licence file says for whom.
  if (resource === 'Rig' && asked === 'create') return who === 'ADMIN' || cell.whose === 'own' ? 'yes' : 'forbidden';
  if (who === 'R' || who === 'CR') return 'forbidden';
  return who === 'ADMIN' || isOpen(cell) ? 'yes' : 'not-yours';
}

function isOpen({ resource, whose, asked }: Cell): boolean {
  if (whose === 'own') return true;
  if (asked === 'create' && !HANGS_ON_OTHERS.includes(resource)) return true;
  return whose === 'shared' && !PRIVATE.includes(resource);
}

function ofRig({ resource, asked, whose }: Cell): Expected {
  if (resource === 'Participant' && asked === 'create') return 'yes';
  const writable = resource === 'Lap' || (resource === 'Rig' && asked === 'change');
  return writable && whose === 'own' ? 'yes' : 'rig-scope';
}

/** Keys and licences: those of another licence are not even said to exist; licences are for ADMIN. */
function ofAccess({ who, asked, resource, whose }: Cell): Expected {
  if (who === 'ADMIN') return 'yes';
  if (resource === 'License') {
    if (asked === 'read') return whose === 'own' ? 'yes' : 'forbidden';
    return who === 'rig' ? 'rig-scope' : 'forbidden';
  }
  if (who === 'rig') return 'rig-scope';
  if (who !== 'CRUD') return 'forbidden';
  return whose === 'own' || asked === 'create' || asked === 'list' ? 'yes' : 404;
}
