/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object: the data of an event, a document, a body. An undefined field is an absent one. */
export type JsonObject = { readonly [key: string]: Json | undefined };

/** Whether two values are the same as JSON: the order of an object's keys does not count. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b);
}

/** The value as JSON text with every object's keys sorted, so that equal values give equal text. */
export function canonicalJson(value: Json | undefined): string {
  if (value === null || value === undefined || typeof value !== 'object') return JSON.stringify(value ?? null);
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const fields = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`;
}

/** `Array.isArray` for read-only arrays, which it does not narrow. */
function isArray(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
