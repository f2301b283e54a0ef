import { sameJson, type JsonObject } from '../json.ts';

/** A partial update: a field that is absent stays as it is. */
export type PartialUpdate<S> = { readonly [K in keyof S]?: S[K] | undefined };

/**
 * The new values of a group of fields that one event carries together, when the change gives at least one of them
 * another value; otherwise null.
 */
export function changedFields<S extends JsonObject, K extends keyof S & string>(
  state: S,
  change: PartialUpdate<S>,
  ...fields: readonly K[]
): Pick<S, K> | null {
  if (!fields.some((field) => change[field] !== undefined && !sameJson(change[field], state[field]))) return null;
  const next = fields.map((field) => [field, change[field] === undefined ? state[field] : change[field]]);
  // Built from exactly the named fields of `state` and `change`.
  return Object.fromEntries(next) as Pick<S, K>;
}

/** What a reference was and what it becomes, or null when it stays. */
export function changedReference<K extends string>(
  state: { readonly [P in K]: string },
  change: { readonly [P in K]?: string | undefined },
  field: K,
): { readonly from: string; readonly to: string } | null {
  const to = change[field];
  return to === undefined || to === state[field] ? null : { from: state[field], to };
}

/** One event of this type with this data, or none when there is no data. */
export function eventIfChanged<T extends string, D>(
  type: T,
  data: D | null,
): readonly { readonly type: T; readonly data: D }[] {
  return data === null ? [] : [{ type, data }];
}

/** One event that says all by its name, or none. */
export function eventIf<T extends string>(
  condition: boolean,
  type: T,
): readonly { readonly type: T; readonly data: Record<string, never> }[] {
  return condition ? [{ type, data: {} }] : [];
}
