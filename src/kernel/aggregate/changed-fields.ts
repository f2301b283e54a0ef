import { sameJson, type JsonObject } from '../json.ts';

/** A partial update: a field that is absent stays as it is. */
export type PartialUpdate<S> = { readonly [K in keyof S]?: S[K] | undefined };

/**
 * The values of a group of fields that one event carries together, after a change; null when the change gives none of
 * them another value.
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

/** The old and the new id of a reference, or null when it does not change. */
export function changedReference<K extends string>(
  state: { readonly [P in K]: string },
  change: { readonly [P in K]?: string | undefined },
  field: K,
): { readonly from: string; readonly to: string } | null {
  const to = change[field];
  return to === undefined || to === state[field] ? null : { from: state[field], to };
}

/** A list of one event of this type with this data, or an empty one when the data is null. */
export function eventIfChanged<T extends string, D>(
  type: T,
  data: D | null,
): readonly { readonly type: T; readonly data: D }[] {
  return data === null ? [] : [{ type, data }];
}

/** A list of one event of this type without data, or an empty one. */
export function eventIf<T extends string>(
  condition: boolean,
  type: T,
): readonly { readonly type: T; readonly data: Record<string, never> }[] {
  return condition ? [{ type, data: {} }] : [];
}
