import { apiKeysProjection, type ApiKeyDocument, apiKeys } from '../../projections/api-keys.ts';
import { licensesProjection, type LicenseDocument, licenses } from '../../projections/licenses.ts';
import type { Clock } from '../kernel/ports/system.ts';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import type { EventStore, Position } from '../kernel/ports/event-store.ts';
import type { Change, Document, ReadModels } from '../kernel/ports/read-store.ts';
import { createProjectionRunner, type ProjectionRunner } from '../kernel/projection/projection-runner.ts';
import { applyChange, targetIdOf } from '../kernel/projection/unit-of-work.ts';

/** Longest wait, in ms, for the registry to reach the head of the event store. */
const UP_TO_DATE_WAIT_MS = 2_000;

/**
 * Key registry: the keys and licences as this process knows them (docs/architecture.md#keys-registry). It runs the same
 * projections as the read models, in memory and with its own subscription, so that a request costs no look-up in a
 * store.
 */
export interface KeyRegistry {
  readonly key: (id: string) => ApiKeyDocument | null;
  readonly license: (id: string) => LicenseDocument | null;
  /** The keys whose token starts with these characters: nearly always one. */
  readonly keysByPrefix: (prefix: string) => readonly ApiKeyDocument[];
  readonly keysWhere: (matches: (key: ApiKeyDocument) => boolean) => readonly ApiKeyDocument[];
  /** Calls `listener` with the collection and id of each key or licence that changes. */
  readonly onChange: (listener: (collection: string, id: string) => void) => void;
  /**
   * Waits, 2 s at most, until the registry has reached the present head of the event store; concurrent waits share one.
   * @throws {StoreUnavailable} when it has not by then.
   */
  readonly waitUntilUpToDate: () => Promise<void>;
  /** Whether the registry has ever reached the head of the event store. */
  readonly isLoaded: () => boolean;
  /** The runner of the registry's projections. */
  readonly runner: ProjectionRunner;
}

/** Options of the registry. */
export interface KeyRegistryOptions {
  readonly store: EventStore;
  readonly models: ReadModels;
  readonly clock: Clock;
  readonly onError: (error: Error) => void;
  /** Called after each batch of events. */
  readonly onBatch?: () => void;
}

/** Creates the registry; it knows keys and licences once its runner runs. */
export function createKeyRegistry({
  store,
  models,
  clock,
  onError,
  onBatch = () => undefined,
}: KeyRegistryOptions): KeyRegistry {
  const listeners: ((collection: string, id: string) => void)[] = [];
  const documents = createRegistryDocuments(models, (collection, id) => {
    for (const listener of listeners) listener(collection, id);
  });
  const runner = createProjectionRunner({
    store,
    models: documents,
    projections: [apiKeysProjection, licensesProjection],
    clock,
    onError,
    onBatch,
  });
  return {
    key: documents.key,
    license: documents.license,
    keysByPrefix: documents.keysByPrefix,
    keysWhere: (matches) => [...documents.keys()].filter(matches),
    onChange: (listener) => listeners.push(listener),
    waitUntilUpToDate: sharedRuns(async () => {
      const head = await store.head();
      if (head === null || (await runner.waitFor(head, UP_TO_DATE_WAIT_MS))) return;
      throw new StoreUnavailable('the key registry has not read the newest events yet');
    }),
    isLoaded: () => runner.status().caughtUp,
    runner,
  };
}

/**
 * Runs one call at a time; all calls that come during a run share the next one, so that it began after each of them.
 */
function sharedRuns(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    next = null;
    current = run().finally(() => {
      current = null;
    });
    return current;
  };
  return () => {
    if (current === null) return start();
    next ??= current.then(start, start);
    return next;
  };
}

/** The documents of keys and licences in memory, with as much of the read models' port as a projection runner needs. */
export interface RegistryDocuments extends Pick<ReadModels, 'get' | 'apply' | 'checkpoint'> {
  readonly key: (id: string) => ApiKeyDocument | null;
  readonly license: (id: string) => LicenseDocument | null;
  readonly keysByPrefix: (prefix: string) => readonly ApiKeyDocument[];
  readonly keys: () => Iterable<ApiKeyDocument>;
}

/**
 * Creates the documents. They are loaded from the read models when the checkpoint is first asked for: the checkpoint
 * first, then the documents, so that the subscription delivers again what happens meanwhile. `onChange` is called with
 * each document that a change concerns.
 */
export function createRegistryDocuments(
  models: Pick<ReadModels, 'checkpoint' | 'stream'>,
  onChange: (collection: string, id: string) => void,
): RegistryDocuments {
  const documents = new Map([
    [apiKeys.collection, new Map<string, Document>()],
    [licenses.collection, new Map<string, Document>()],
  ]);
  const byPrefix = new Map<string, readonly string[]>();
  let loaded = false;
  let reached: Position | null = null;

  const documentsIn = (collection: string): Map<string, Document> => {
    const found = documents.get(collection);
    if (found === undefined) throw new Error(`the registry does not keep ${collection}`);
    return found;
  };
  // Only the typed functions of their own read models write the two collections.
  const key = (id: string): ApiKeyDocument | null =>
    (documentsIn(apiKeys.collection).get(id) ?? null) as ApiKeyDocument | null;
  const store = (collection: string, document: Document): void => {
    documentsIn(collection).set(document.id, document);
    if (collection === apiKeys.collection) indexByPrefix(byPrefix, key(document.id));
  };
  const applyToDocuments = (change: Change): void => {
    const id = targetIdOf(change);
    if (id === null) throw new Error('keys and licences have no fan-out');
    const before = documentsIn(change.collection).get(id) ?? null;
    const after = applyChange(before, change);
    if (after === null || after === before) return;
    store(change.collection, after);
    onChange(change.collection, id);
  };
  return {
    key,
    license: (id) => (documentsIn(licenses.collection).get(id) ?? null) as LicenseDocument | null,
    keysByPrefix: (prefix) => (byPrefix.get(prefix) ?? NONE).map(key).filter((found) => found !== null),
    keys: () => [...documentsIn(apiKeys.collection).keys()].map(key).filter((found) => found !== null),
    get: (collection, id) => Promise.resolve(documentsIn(collection).get(id) ?? null),
    async checkpoint() {
      if (!loaded) [reached, loaded] = [await loadDocuments(models, documents.keys(), store), true];
      return reached;
    },
    apply(changes, checkpoint) {
      changes.forEach(applyToDocuments);
      reached = checkpoint;
      return Promise.resolve();
    },
  };
}

/** Loads every document into `store`; returns a checkpoint that they are at or past. */
async function loadDocuments(
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

function indexByPrefix(byPrefix: Map<string, readonly string[]>, key: ApiKeyDocument | null): void {
  if (key === null) return;
  for (const { keyPrefix } of [key, ...key._oldTokens]) {
    const known = byPrefix.get(keyPrefix) ?? NONE;
    if (!known.includes(key.id)) byPrefix.set(keyPrefix, [...known, key.id]);
  }
}
