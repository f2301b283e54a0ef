/**
 * Who may do what, as docs/interface.md#authentication-and-roles and #who-owns-what say it, of what test/resources says
 * of each resource: the rules that the matrix of test/api/matrix.test.ts is held against.
 */
import type { Operation } from '../resources/operations.ts';

/**
 * Who asks. All but `none` and those of the root licence (`ADMIN`; `operator`, of role CRUD; `operator R`) are of one
 * licence, whose things are its own.
 */
export const WHO = [
  ...(['none', 'R', 'CR', 'CRUD', 'ADMIN', 'rig', 'operator', 'operator R'] as const),
  ...(['expired', 'revoked', 'expired licence', 'disabled licence'] as const),
];
export type Who = (typeof WHO)[number];

/** Who has no valid key. */
export const INVALID: readonly Who[] = ['none', 'expired', 'revoked', 'expired licence', 'disabled licence'];

const RANKS: readonly string[] = ['R', 'CR', 'CRUD', 'ADMIN'];

/** The roles of the keys of the root licence. */
const OPERATORS: ReadonlyMap<Who, string> = new Map([
  ['operator', 'CRUD'],
  ['operator R', 'R'],
]);

/** Whose thing it is; shared is what an ADMIN key made. */
export const WHOSE = ['own', 'shared', 'other'] as const;
export type Whose = (typeof WHOSE)[number];

export interface Cell extends Operation {
  readonly who: Who;
  readonly whose: Whose;
}

/** The answer: `yes`, a status, or the code of a 403. */
export type Expected = 'yes' | 401 | 404 | 'forbidden' | 'rig-scope' | 'not-yours';

/** What the rules say of a cell. */
export function expectedOf(cell: Cell): Expected {
  const { who, needs, end } = cell;
  if (needs === 'public') return 'yes';
  if (INVALID.includes(who)) return 401;
  return who === 'ADMIN' || end === '/current' ? 'yes' : ofValidKey(cell);
}

function ofValidKey(cell: Cell): Expected {
  const { who, needs, entry, method, end } = cell;
  const isRead = method === 'GET';
  // A licence shows itself to its own keys.
  if (isRead && end === '/{}' && entry.name === 'License') return isOwn(cell) ? 'yes' : 'forbidden';
  if (who === 'rig') return isRead && needs === 'R' ? 'yes' : ofRig(cell);
  if (RANKS.indexOf(OPERATORS.get(who) ?? who) < RANKS.indexOf(needs)) return 'forbidden';
  return isOwn(cell) ? 'yes' : ofOthers(cell);
}

/** What a key whose role allows it may do with what is not its own. */
function ofOthers(cell: Cell): Expected {
  const { entry, method, end, who } = cell;
  const { name, owner } = entry;
  if (method === 'GET' && owner !== 'itself') return 'yes';
  // Files are for the own licence.
  if (name === 'License' || (name === 'Rig' && method === 'POST' && end === '')) return 'forbidden';
  // Those of another licence are not even said to exist.
  if (owner === 'itself') return end === '' ? 'yes' : 404;
  if (OPERATORS.has(who)) return end === '/{}/key' ? 'not-yours' : 'yes';
  return isOpen(cell) ? 'yes' : 'not-yours';
}

function isOpen(cell: Cell): boolean {
  const { whose, entry } = cell;
  // In the matrix, each file that is uploaded is there already.
  const replaces = entry.uploads === true;
  return (
    (isCreate(cell) && entry.hangsOn === undefined && !replaces) || (whose === 'shared' && entry.owner === 'maker')
  );
}

function isOwn({ who, whose }: Cell): boolean {
  return whose === 'own' && !OPERATORS.has(who);
}

function isCreate({ method, end }: Cell): boolean {
  return method === 'POST' && ['', '/batch'].includes(end);
}

/** What a rig's key may write: of its own only, but for what belongs to nobody before it is there. */
function ofRig(cell: Cell): Expected {
  const { entry, method, end, whose } = cell;
  const { rigs = [], hangsOn } = entry;
  const change = method === 'PATCH' ? 'change' : `${method} ${end}`;
  const isOpen = whose === 'own' || (isCreate(cell) && hangsOn === undefined);
  return rigs.includes(isCreate(cell) ? 'create' : change) && isOpen ? 'yes' : 'rig-scope';
}
