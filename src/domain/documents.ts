import type { ReadModel } from '../kernel/projection/projection.ts';
import type { Document, FindOptions, ReadModels, Where } from '../kernel/ports/read-store.ts';

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
  where: Where,
): AsyncGenerator<readonly D[], void> {
  // As above.
  for await (const batch of models.stream(collection, { where })) yield batch as readonly D[];
}
