import { apiKeysProjection, type ApiKeyDocument } from '../../projections/api-keys.ts';
import { licensesProjection, type LicenseDocument } from '../../projections/licenses.ts';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import { createProjectionRunner, type ProjectionRunner } from '../kernel/projection/projection-runner.ts';
import type { ReadModels } from '../kernel/ports/read-store.ts';
import type { Clock } from '../kernel/ports/clock.ts';
import { createRegistryMemory } from './registry-memory.ts';

/** Longest wait, in ms, for the registry to reach the head of the event store. */
const UP_TO_DATE_WAIT_MS = 2_000;

/**
 * Keys and licences as this process knows them (DESIGN §6): the same projections as the read models', kept in memory
 * and fed by a subscription of their own, so that a request costs no look-up.
 */
export interface Registry {
  readonly key: (id: string) => ApiKeyDocument | null;
  readonly license: (id: string) => LicenseDocument | null;
  /** The keys whose token starts with these characters: nearly always one. */
  readonly keysByPrefix: (prefix: string) => readonly ApiKeyDocument[];
  readonly keysWhere: (matches: (key: ApiKeyDocument) => boolean) => readonly ApiKeyDocument[];
  /** Calls `listener` with the collection and id of each key or licence that changed. */
  readonly onChange: (listener: (collection: string, id: string) => void) => void;
  /**
   * Waits, in bounds, until the registry has passed what is the head of the event store now; shared by all who wait.
   * @throws {StoreUnavailable} when it has not by then.
   */
  readonly upToDate: () => Promise<void>;
  /** Whether it has reached the head of the event store once. */
  readonly isLoaded: () => boolean;
  /** How far it has come in the event store. */
  readonly runner: ProjectionRunner;
}

/** What the registry needs. */
export interface RegistryPorts {
  readonly store: EventStore;
  readonly models: ReadModels;
  readonly clock: Clock;
  readonly onError: (error: Error) => void;
}

/** Makes the registry; it knows keys and licences once its runner runs. */
export function createRegistry({ store, models, clock, onError }: RegistryPorts): Registry {
  const listeners: ((collection: string, id: string) => void)[] = [];
  const memory = createRegistryMemory(models, (collection, id) => {
    for (const listener of listeners) listener(collection, id);
  });
  const runner = createProjectionRunner({
    store,
    models: memory,
    projections: [apiKeysProjection, licensesProjection],
    clock,
    onError,
  });
  return {
    key: memory.key,
    license: memory.license,
    keysByPrefix: memory.keysByPrefix,
    keysWhere: (matches) => [...memory.keys()].filter(matches),
    onChange: (listener) => listeners.push(listener),
    upToDate: sharedByAllWhoWait(async () => {
      const head = await store.head();
      if (head === null || (await runner.reached(head, UP_TO_DATE_WAIT_MS))) return;
      throw new StoreUnavailable('the keys are not known up to the newest event');
    }),
    isLoaded: () => runner.status().caughtUp,
    runner,
  };
}

/** One run at a time; whoever comes during a run shares the next one, which began after they came. */
function sharedByAllWhoWait(run: () => Promise<void>): () => Promise<void> {
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
