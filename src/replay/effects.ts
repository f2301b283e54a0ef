import { targetOf } from '../kernel/change.ts';
import type { Change } from '../kernel/read-store.ts';

/** Most bytes of an id: the embedded store keeps them in keys. */
const MAX_ID_CHARS = 400;

/** Nesting of values; a value that holds itself has no end. */
const MAX_DEPTH = 32;

/**
 * Checks what a handler of somebody else's module wants done: a store would take it amiss later, when nobody knows
 * which event it was.
 * @throws {TypeError} that says what is wrong.
 */
export function checkChange(change: Change): void {
  switch (change.kind) {
    case 'insert':
      checkId(targetOf(change));
      checkFields(change.document);
      return;
    case 'set':
      checkId(targetOf(change));
      checkFields(change.fields);
      return;
    case 'unset':
      checkId(targetOf(change));
      return;
    case 'setWhere':
      checkFields(change.fields);
      return;
    default:
      throw new TypeError(
        'the handler returned something that is no effect; it returns table.insert(id, fields), set, unset or '
        + 'setWhere, a list of those, or null',
      );
  }
}

function checkId(id: unknown): void {
  if (typeof id === 'string' && id !== '' && id.length <= MAX_ID_CHARS) return;
  const given = typeof id === 'string' ? `a text of ${id.length} characters` : String(id);
  throw new TypeError(`the id of a document is ${given}; it must be a text of 1 to ${MAX_ID_CHARS} characters`);
}

function checkFields(fields: unknown): void {
  if (typeof fields !== 'object' || fields === null) {
    throw new TypeError(`the fields of a document are ${String(fields)}; they must be an object`);
  }
  for (const [field, value] of Object.entries(fields)) checkValue(value, field, 1);
}

/** Undefined is a field that is left out. */
function checkValue(value: unknown, path: string, depth: number): void {
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value !== 'object') throw new TypeError(`${path} is ${describe(value)}: JSON has no such value`);
  if (depth >= MAX_DEPTH) throw new TypeError(`${path} is nested deeper than ${MAX_DEPTH} levels`);
  if (!Array.isArray(value) && !isPlain(value)) {
    throw new TypeError(`${path} is a ${value.constructor.name}: JSON has no such value`);
  }
  for (const [key, inner] of Object.entries(value)) checkValue(inner, `${path}.${key}`, depth + 1);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function describe(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a ${typeof value}`;
}
