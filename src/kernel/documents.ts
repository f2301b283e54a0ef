import type { Document } from './read-store.ts';

/** Fields whose name starts with `_` are the service's own. */
type Internal = `_${string}`;

/** What a client sees of a document: every field but the internal ones. */
export type Visible<D> = { [K in keyof D as K extends Internal ? never : K]: D[K] };

/** The document without its internal fields. */
export function visible<D extends Document>(document: D): Visible<D> {
  const view: Record<string, unknown> = {};
  for (const field in document) if (!field.startsWith('_')) view[field] = document[field];
  // Every field of `Visible<D>` was copied, and no other.
  return view as Visible<D>;
}
