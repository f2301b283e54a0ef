/**
 * Who may do what, as docs/interface.md#authentication-and-roles and #who-owns-what say it, of what test/resources says
 * of each resource: the rules that the matrix of test/api/matrix.test.ts is held against.
 */
import { ownFieldsOf } from '../resources/entry.ts';
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

/**
 * Whose resource it is: of the caller's licence, shared (created by an ADMIN key), or of another licence. A resource that
 * is being created has no owner yet: there it says whose the resources are that its body and its path refer to, such as
 * the event of a signup field.
 */
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

/** Whether only those may read it who may change what it is about. */
function isForOwners({ end }: Cell): boolean {
  return end === '/{}/personal-data';
}

/** What a key whose role allows it may do with what is not its own. */
function ofOthers(cell: Cell): Expected {
  const { entry, method, end, who } = cell;
  // A list shows only the caller's own.
  if (entry.hiddenFromOthers === true) return end === '' ? 'yes' : 404;
  // Licences: their files are for themselves.
  if (entry.owner.kind === 'self') return 'forbidden';
  if (method === 'GET') return isForOwners(cell) && !OPERATORS.has(who) ? 'not-yours' : 'yes';
  // The licence file of another licence registers no rig.
  if (entry.name === 'Rig' && method === 'POST' && end === '') return 'forbidden';
  if (OPERATORS.has(who)) return end === '/{}/key' ? 'not-yours' : 'yes';
  if (isCreate(cell)) return mayCreate(cell) ? 'yes' : 'not-yours';
  return isShared(cell) ? 'yes' : 'not-yours';
}

/** Whether a licence may create what refers to resources that are not its own. */
function mayCreate(cell: Cell): boolean {
  const { entry } = cell;
  // In the matrix, each file that is uploaded replaces one.
  if (entry.uploads === true) return isShared(cell);
  if (ownFieldsOf(entry).length === 0) return true;
  // Any licence creates a child of a shared parent. A rig belongs to a licence, so it is never shared, nor are its laps.
  return isShared(cell);
}

/** Whether any licence may change it: what an ADMIN key created and no field gives to a licence. */
function isShared({ whose, entry }: Cell): boolean {
  return whose === 'shared' && entry.owner.kind === 'creator';
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
  const { rigs = [] } = entry;
  const change = method === 'PATCH' ? 'change' : `${method} ${end}`;
  const isOpen = whose === 'own' || (isCreate(cell) && ownFieldsOf(entry).length === 0);
  return rigs.includes(isCreate(cell) ? 'create' : change) && isOpen ? 'yes' : 'rig-scope';
}
