import type { JsonObject } from './json.ts';
import type { Condition, DocumentMeta, Prefixes, Range, Where } from './ports/read-store.ts';

/** Ending of the name of a field that stands for the items of a list. */
const ITEMS = '[]';

/** The list whose items a field stands for; null for a field that stands for itself. */
export function listOf(field: string): string | null {
  return field.endsWith(ITEMS) ? field.slice(0, -ITEMS.length) : null;
}

/** Whether a condition is a range. */
export function isRange(condition: Condition | undefined): condition is Range {
  return typeof condition === 'object' && condition !== null && !('prefixes' in condition);
}

/** Whether a condition is one on the beginnings of items. */
export function isPrefixes(condition: Condition | undefined): condition is Prefixes {
  return typeof condition === 'object' && condition !== null && 'prefixes' in condition;
}

/** Whether a document meets all conditions. */
export function matches(document: JsonObject, where: Where): boolean {
  return Object.entries(where).every(([field, condition]) => {
    const value: unknown = document[listOf(field) ?? field] ?? null;
    if (listOf(field) !== null) return Array.isArray(value) && holds(value, condition);
    return isRange(condition) ? isWithin(value, condition) : value === condition;
  });
}

/** Whether a list has an item that a condition asks for, or items with all of its prefixes. */
function holds(items: readonly unknown[], condition: Condition): boolean {
  if (!isPrefixes(condition)) return items.includes(condition);
  return condition.prefixes.every((prefix) =>
    items.some((item) => typeof item === 'string' && item.startsWith(prefix)),
  );
}

/** Whether a value is in a range, whose ends are of one type. */
function isWithin(value: unknown, { from, to }: Range): boolean {
  if ((typeof value !== 'number' && typeof value !== 'string') || typeof value !== typeof (from ?? to)) return false;
  return (
    (from === undefined || compareScalars(value, from) >= 0) && (to === undefined || compareScalars(value, to) < 0)
  );
}

/** Compares numbers, or strings by code point: UTF-16 sorts surrogates, which stand for higher ones, before U+E000. */
export function compareScalars(a: number | string, b: number | string): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return rankOf(a.charCodeAt(at)) - rankOf(b.charCodeAt(at));
}

/** Rank of a UTF-16 unit; -1 past the end of the text. */
function rankOf(unit: number): number {
  if (Number.isNaN(unit)) return -1;
  const isSurrogate = unit >= 0xd800 && unit < 0xe000;
  return isSurrogate ? unit + 0x10000 : unit;
}

/** The order of ties: documents that were created earlier first; those that one event created, by id. */
export function inCreationOrder(a: DocumentMeta, b: DocumentMeta): number {
  return a._created - b._created || compareScalars(a.id, b.id);
}
