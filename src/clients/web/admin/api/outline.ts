import { isList, isObject, parseJson, type Json, type JsonObject } from '../../shared/json.ts';

/** Why lines have no value. */
export type OutlineFault = 'form' | 'twice';

export type ReadOutline = { readonly value: Json } | { readonly fault: OutlineFault };

/** Names that stand before a colon: parts of them are separated by points, as in `de.name`. */
const NAME = /^[^.:"\s]+(?: [^.:"\s]+)*$/;

/** A line with a name, and the text behind the colon. */
const MEMBER = /^([^:"]*):(.*)$/;

/** Texts that would be read as something else: they are in quotes. */
function isPlain(text: string): boolean {
  return text !== '' && text.trim() === text && !/[\n\r]|^["[{]/.test(text) && typeof literal(text) === 'string';
}

/** The number or the truth value that a text is, or the text. */
function literal(text: string): string | number | boolean {
  if (text === 'true') return true;
  if (text === 'false') return false;
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/**
 * A value as people read it: members of objects as lines `name: value`, with points between the names of inner ones, and
 * the items of a list as a line each. Null: it has no such form, as lists of lists have none.
 */
export function toOutline(value: Json): string | null {
  if (isObject(value)) {
    const lines = linesOf(value, '');
    return lines === null ? null : lines.join('\n');
  }
  if (!isList(value)) return itemText(value);
  // One item alone would be read as a value of its own.
  if (value.length === 1) return null;
  const items = value.map(itemText);
  return items.includes(null) ? null : items.join('\n');
}

function linesOf(object: JsonObject, before: string): readonly string[] | null {
  const lines: string[] = [];
  for (const [name, member] of Object.entries(object)) {
    if (!NAME.test(name) || member === undefined || isList(member)) return null;
    if (isObject(member)) {
      const inner = Object.keys(member).length === 0 ? null : linesOf(member, `${before}${name}.`);
      if (inner === null) return null;
      lines.push(...inner);
    } else {
      const text = scalarText(member);
      lines.push(text === '' ? `${before}${name}:` : `${before}${name}: ${text}`);
    }
  }
  return lines;
}

/** A text, a number or a truth value; of nothing (null), an empty text. */
function scalarText(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value === 'string') return isPlain(value) ? value : JSON.stringify(value);
  return JSON.stringify(value);
}

/** A line without a name; null: the value has none. */
function itemText(value: Json): string | null {
  if (value === null || isList(value) || isObject(value)) return null;
  const text = scalarText(value);
  return typeof value === 'string' && MEMBER.test(text) ? JSON.stringify(value) : text;
}

/** The value of lines, as `toOutline` writes them. */
export function fromOutline(text: string): ReadOutline {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const members = lines.map((line) => MEMBER.exec(line));
  if (members.some((member) => member !== null)) return objectOf(members);
  const items: Json[] = [];
  for (const line of lines) {
    const item = valueOf(line);
    if (item === undefined) return { fault: 'form' };
    items.push(item);
  }
  const [first = null] = items;
  return { value: items.length === 1 ? first : items };
}

/** The value behind a colon, or of a line; undefined: it is in quotes that do not end. */
function valueOf(text: string): Json | undefined {
  if (text === '') return null;
  return text.startsWith('"') ? parseJson(text) : literal(text);
}

/** An object that is being read. */
interface OpenObject {
  [name: string]: Json | OpenObject;
}

function objectOf(members: readonly (RegExpExecArray | null)[]): ReadOutline {
  const whole: OpenObject = {};
  const opened = new Map<string, OpenObject>([['', whole]]);
  const taken = new Set<string>();
  for (const member of members) {
    const [, path = '', text = ''] = member ?? [];
    const names = path.split('.').map((name) => name.trim());
    const value = valueOf(text.trim());
    if (member === null || value === undefined || !names.every((name) => NAME.test(name))) return { fault: 'form' };
    let object = whole;
    for (let depth = 1; depth < names.length; depth += 1) {
      const at = names.slice(0, depth).join('.');
      if (taken.has(at)) return { fault: 'twice' };
      const inner = opened.get(at) ?? {};
      if (!opened.has(at)) define(object, names[depth - 1] ?? '', inner);
      opened.set(at, inner);
      object = inner;
    }
    const at = names.join('.');
    if (taken.has(at) || opened.has(at)) return { fault: 'twice' };
    taken.add(at);
    define(object, names.at(-1) ?? '', value);
  }
  return { value: whole };
}

/** Gives an object a member of its own, also of the name `__proto__`. */
function define(object: OpenObject, name: string, value: Json | OpenObject): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
}
