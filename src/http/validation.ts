import type { z } from 'zod';
import type { Fault } from '../kernel/aggregate/rejections.ts';

/** Faults told at most: a body of a million wrong values gets a readable answer. */
const MAX_FAULTS = 50;

/** A value that a schema took, or what is wrong with it. */
export type Checked<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * Checks a value against a schema. `base` is the pointer of the value itself: `#` for a body (so that faults are JSON
 * pointers, RFC 6901, into it), `#/query` and `#/path` for parameters.
 */
export function check<S extends z.ZodType>(schema: S, value: unknown, base: string): Checked<z.output<S>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const faults = parsed.error.issues
    .slice(0, MAX_FAULTS)
    .map((issue) => ({
      pointer: base + issue.path.map(pointerStep).join(''),
      detail: isMissing(value, issue.path) ? 'is required' : issue.message,
    }));
  return { ok: false, faults };
}

/** One reference token of a JSON pointer (RFC 6901 §3), slash included. */
export function pointerStep(key: PropertyKey): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Whether there is nothing at all at the path; zod says "expected string, received undefined" there. */
function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return false;
    if (!Object.hasOwn(at, key)) return true;
    at = Reflect.get(at, key);
  }
  return false;
}
