import { apiKeys, type ApiKeyDocument } from '../../projections/api-keys.ts';
import { licenses, type LicenseDocument } from '../../projections/licenses.ts';
import { afterChange, targetOf } from '../kernel/projection/change.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import type { Change, Document, ReadModels } from '../kernel/ports/read-store.ts';
import { prefixOf } from './tokens.ts';

/** The documents of keys and licences in memory: enough of the read models' port for a projection runner to write. */
export interface RegistryMemory extends Pick<ReadModels, 'get' | 'apply' | 'checkpoint'> {
  readonly key: (id: string) => ApiKeyDocument | null;
  readonly license: (id: string) => LicenseDocument | null;
  readonly keysByPrefix: (prefix: string) => readonly ApiKeyDocument[];
  readonly keys: () => Iterable<ApiKeyDocument>;
}

/**
 * Makes the memory. It is filled from the read models when its checkpoint is first asked for: the checkpoint first,
 * then the documents, so that what happens meanwhile comes again by subscription. `onChange` is told of each document
 * that a change touched.
 */
export function createRegistryMemory(
  models: Pick<ReadModels, 'checkpoint' | 'stream'>,
  onChange: (collection: string, id: string) => void,
): RegistryMemory {
  const documents = new Map([
    [apiKeys.collection, new Map<string, Document>()],
    [licenses.collection, new Map<string, Document>()],
  ]);
  const byPrefix = new Map<string, readonly string[]>();
  let loaded = false;
  let reached: Position | null = null;

  const of = (collection: string): Map<string, Document> => {
    const found = documents.get(collection);
    if (found === undefined) throw new Error(`the registry does not keep ${collection}`);
    return found;
  };
  // Both collections are written by the typed functions of their own read models only.
  const key = (id: string): ApiKeyDocument | null => (of(apiKeys.collection).get(id) ?? null) as ApiKeyDocument | null;
  const keep = (collection: string, document: Document): void => {
    of(collection).set(document.id, document);
    if (collection === apiKeys.collection) remember(byPrefix, key(document.id));
  };
  const change = (one: Change): void => {
    const id = targetOf(one);
    if (id === null) throw new Error('keys and licences have no fan-out');
    const before = of(one.collection).get(id) ?? null;
    const after = afterChange(before, one);
    if (after === null || after === before) return;
    keep(one.collection, after);
    onChange(one.collection, id);
  };
  return {
    key,
    license: (id) => (of(licenses.collection).get(id) ?? null) as LicenseDocument | null,
    keysByPrefix: (prefix) => (byPrefix.get(prefix) ?? NONE).map(key).filter((found) => found !== null),
    keys: () => [...of(apiKeys.collection).keys()].map(key).filter((found) => found !== null),
    get: (collection, id) => Promise.resolve(of(collection).get(id) ?? null),
    async checkpoint() {
      if (!loaded) [reached, loaded] = [await load(models, documents.keys(), keep), true];
      return reached;
    },
    apply(changes, checkpoint) {
      changes.forEach(change);
      reached = checkpoint;
      return Promise.resolve();
    },
  };
}

/** Hands every document to `keep`; returns the checkpoint that they are at, or past. */
async function load(
  models: Pick<ReadModels, 'checkpoint' | 'stream'>,
  collections: Iterable<string>,
  keep: (collection: string, document: Document) => void,
): Promise<Position | null> {
  const start = await models.checkpoint();
  for (const collection of collections) {
    for await (const batch of models.stream(collection, { where: {} })) {
      for (const document of batch) keep(collection, document);
    }
  }
  return start;
}

const NONE: readonly string[] = [];

function remember(byPrefix: Map<string, readonly string[]>, key: ApiKeyDocument | null): void {
  if (key === null) return;
  const known = byPrefix.get(key.keyPrefix) ?? NONE;
  if (!known.includes(key.id)) byPrefix.set(prefixOf(key.keyPrefix), [...known, key.id]);
}
