export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; an undefined field is an absent one. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}

/** What is at a path of properties; undefined where there is none. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((inner, name) => objectOf(inner)[name], value);
}

export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return listOf(value).map(objectOf);
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function textsOf(value: Json | undefined): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string');
}

export function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Whether two values are the same as JSON; the order of an object's keys does not count. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  if (!isObject(a)) return a === b;
  if (!isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameJson(a[key], b[key]));
}

/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    // JSON.parse is typed `any`; what it returns is JSON by definition.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
