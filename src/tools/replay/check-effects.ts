import { inspect } from 'node:util';
import type { Effects } from '../../kernel/projection/projection.ts';

/** Longest id, in UTF-16 code units: the embedded store keeps ids in keys. */
const MAX_ID_CHARS = 400;

/** Deepest nesting of values: a value that contains itself has no end. */
const MAX_DEPTH = 32;

const KINDS: readonly unknown[] = ['insert', 'set', 'unset', 'setWhere'];

/** Fields that the projection mechanism sets. */
const RESERVED: readonly string[] = ['id', '_created', '_position', '_revision'];

/**
 * Checks the effects that a handler of an analyst's module returned. Without this check the store would refuse them at
 * the next commit, when it is no longer known which event they came from.
 * @throws {TypeError} that says what is wrong.
 */
export function checkEffects(effects: Effects): Effects {
  const list: readonly unknown[] = Array.isArray(effects) ? effects : [effects];
  for (const effect of list) if (effect !== null && effect !== undefined) checkEffect(effect);
  return effects;
}

function checkEffect(effect: unknown): void {
  if (!isObject(effect) || !KINDS.includes(effect['kind'])) {
    throw new TypeError(
      `the handler returned ${describe(effect)}, which is not an effect; it must return table.insert(id, fields), set, unset ` +
        'or setWhere, a list of those, or null',
    );
  }
  const { kind, id, fields, value } = effect;
  if (kind !== 'setWhere') checkId(id);
  else if (isObject(value)) throw new TypeError(`setWhere looks for ${describe(value)}: it takes a text or number`);
  if (kind === 'unset') {
    if (Array.isArray(fields)) fields.forEach(requireOwn);
    return;
  }
  if (!isObject(fields)) {
    throw new TypeError(`the fields of a document are ${describe(fields)}; they must be an object`);
  }
  for (const [field, given] of Object.entries(fields)) {
    requireOwn(field);
    checkValue(given, field, 1);
  }
}

function requireOwn(field: unknown): void {
  if (typeof field !== 'string' || !RESERVED.includes(field)) return;
  throw new TypeError(`${field} cannot be set as a field: choose another name`);
}

function checkId(id: unknown): void {
  if (typeof id === 'string' && id !== '' && id.length <= MAX_ID_CHARS) return;
  const given = typeof id === 'string' ? `a text of ${id.length} characters` : describe(id);
  throw new TypeError(`the id of a document is ${given}; it must be a text of 1 to ${MAX_ID_CHARS} characters`);
}

/** `undefined` is allowed: the field is left out. */
function checkValue(value: unknown, path: string, depth: number): void {
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (!isObject(value) || !isPlain(value)) throw new TypeError(`${path} is ${describe(value)}: JSON has no such value`);
  if (depth >= MAX_DEPTH) throw new TypeError(`${path} is nested deeper than ${MAX_DEPTH} levels`);
  for (const [key, inner] of Object.entries(value)) checkValue(inner, `${path}.${key}`, depth + 1);
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype;
}

/** A value of any kind, for people. */
export function describe(value: unknown): string {
  if (value instanceof Promise) return 'a Promise (is an await missing?)';
  if (isObject(value) && !isPlain(value)) return `a ${value.constructor.name}`;
  const isShown = typeof value === 'object' || typeof value === 'number' || value === undefined;
  return isShown ? inspect(value, { breakLength: Infinity }).slice(0, MAX_SHOWN_CHARS) : `a ${typeof value}`;
}

const MAX_SHOWN_CHARS = 80;
