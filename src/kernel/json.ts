/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object: the data of an event, a document, a body. An undefined field is an absent one. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** Whether two values are the same JSON, whatever the order of keys. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return (a ?? null) === (b ?? null);
  if (isArray(a)) return isArray(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  if (isArray(b)) return false;
  const keys = presentKeys(a);
  return (
    keys.length === presentKeys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/**
 * JSON pointer (RFC 6901) to the first place where two values differ, null where they are the same. Undefined fields are
 * absent ones.
 */
export function differenceIn(a: Json | undefined, b: Json | undefined): string | null {
  if (a === b) return null;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return '';
  if (isArray(a) || isArray(b)) {
    if (!isArray(a) || !isArray(b) || a.length !== b.length) return '';
    for (let index = 0; index < a.length; index += 1) {
      const difference = differenceIn(a[index], b[index]);
      if (difference !== null) return `/${index}${difference}`;
    }
    return null;
  }
  for (const key in a) {
    const difference = differenceIn(a[key], b[key]);
    if (difference !== null) return `/${key}${difference}`;
  }
  for (const key in b) {
    if (a[key] === undefined && b[key] !== undefined) return `/${key}`;
  }
  return null;
}

/** The keys of an object's fields; an undefined one is absent. */
function presentKeys(object: JsonObject): readonly string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}

/** Whether a value is an object, not a list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isArray(value);
}

/** These fields of an object and no others, in this order. */
export function pick(values: JsonObject, fields: readonly string[]): JsonObject {
  const picked: Record<string, Json | undefined> = {};
  for (const field of fields) picked[field] = values[field];
  return picked;
}

/** The value as JSON text with every object's keys sorted, so that equal values give equal text. */
export function canonicalJson(value: Json | undefined): string {
  if (value === null || value === undefined || typeof value !== 'object') return JSON.stringify(value ?? null);
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  return `{${presentKeys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
    .join(',')}}`;
}

/** Bytes that a value takes in memory beyond its text. */
const VALUE_BYTES = 16;

/** About how many bytes a value takes in memory: its text, and VALUE_BYTES for each value in it. A quick bound. */
export function roughBytesOf(value: Json | undefined): number {
  const pending = [value];
  let bytes = 0;
  while (pending.length > 0) {
    const next = pending.pop();
    bytes += VALUE_BYTES;
    if (typeof next === 'string') bytes += next.length;
    if (typeof next !== 'object' || next === null) continue;
    if (isArray(next)) for (const item of next) pending.push(item);
    else
      for (const key in next) {
        bytes += key.length;
        pending.push(next[key]);
      }
  }
  return bytes;
}

/** `Array.isArray` for read-only arrays, which it does not narrow. */
function isArray(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
