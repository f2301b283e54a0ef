import type { Fields, Project, ReadModel } from '../kernel/projection/projection.ts';
import type { Document, DocumentMeta, FindOptions, ReadModels, StreamOptions } from '../kernel/ports/read-store.ts';

/** The document of a resource that has these fields: when it was made and last changed are there too, ISO 8601. */
export type DocumentOf<F> = DocumentMeta & Readonly<F> & { readonly createdAt: string; readonly updatedAt: string };

/** What a document shows of what it refers to: by field that refers, the field that has the name. */
export type Names<F> = { readonly [K in keyof F]?: string };

/** The names that a document shows. */
export type Named<N> = { readonly [K in N[keyof N] & string]: string };

/** The handler of an event that gives some fields of a document new values: those of its data, and these. */
export function sets<D extends DocumentOf<unknown>>(
  model: ReadModel<D>,
  values: Partial<Fields<D>> = {},
): Project<Partial<Fields<D>>> {
  return ({ data, id, at }) => model.set(id, { ...data, ...values, updatedAt: at });
}

/** The display name of what was looked up; empty where there is nothing. */
export async function nameOf(
  found: { readonly displayName: string } | null | Promise<{ readonly displayName: string } | null>,
): Promise<string> {
  return (await found)?.displayName ?? '';
}

/** One document of a read model, or null. */
export async function readOne<D extends Document>(
  models: ReadModels,
  { collection }: ReadModel<D>,
  id: string,
): Promise<D | null> {
  // The collection's own projection wrote it, through the typed functions of this very read model.
  return (await models.get(collection, id)) as D | null;
}

/** Documents of a read model that match, in order. */
export async function findSome<D extends Document>(
  models: ReadModels,
  { collection }: ReadModel<D>,
  query: FindOptions,
): Promise<readonly D[]> {
  // As above.
  return (await models.find(collection, query)) as readonly D[];
}

/** Every document of a read model that matches, in batches. */
export async function* streamAll<D extends Document>(
  models: ReadModels,
  { collection }: ReadModel<D>,
  query: StreamOptions,
): AsyncGenerator<readonly D[], void> {
  // As above.
  for await (const batch of models.stream(collection, query)) yield batch as readonly D[];
}
