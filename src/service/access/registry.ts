import { apiKeysProjection, type ApiKeyDocument, apiKeys } from '../../../projections/api-keys.ts';
import { CATEGORIES_OF_RIGHTS, REPLACEABLE_EVENTS } from '../resources/built-in.ts';
import { licensesProjection, type LicenseDocument, licenses } from '../../../projections/licenses.ts';
import { rigs } from '../../../projections/rigs.ts';
import { API_KEY_USAGE } from '../../../commands/api-keys.ts';
import { categoryOf, streamOf } from '../../kernel/stream-names.ts';
import { pause, type Clock } from '../../kernel/ports/system.ts';
import { deadLetters, type DeadLetterDocument } from '../../kernel/projection/dead-letters.ts';
import { OtherHistory, StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { EventStore, Position } from '../../kernel/ports/event-store.ts';
import type { Change, Document, ReadModels } from '../../kernel/ports/read-store.ts';
import { LineageCheck } from '../../kernel/projection/lineage.ts';
import { ProjectionRunner } from '../../kernel/projection/projection-runner.ts';
import type { Outage, RunnerStatus } from '../../kernel/projection/projection-runner.ts';
import { applyChange, targetIdOf } from '../../kernel/projection/unit-of-work.ts';

const PROJECTIONS = [apiKeysProjection, licensesProjection];

/** The key of the root licence. A fixed id, so that two nodes that start at the same time create one. */
export const ROOT_KEY_ID = '00000000-0000-7000-8000-000000000002';

/** Time, in ms, for which the registry counts as current after it was at the head, and how often that is confirmed. */
const CONFIRMED_FOR_MS = 5_000;
const CONFIRM_EVERY_MS = 1_500;

const UP_TO_DATE_WAIT_MS = 2_000;

interface KeyRegistryOptions {
  readonly store: EventStore;
  readonly models: ReadModels;
  readonly clock: Clock;
  readonly onError: (error: Error) => void;
  readonly outage?: Outage;
}

/**
 * Key registry: the keys and licences as this process knows them (docs/architecture.md#key-registry), once its runner
 * runs. It runs the same projections as the read models, in memory and with its own subscription, so that a request costs
 * no look-up in a store.
 */
export class KeyRegistry {
  readonly runner: ProjectionRunner;
  readonly key: (id: string) => ApiKeyDocument | null;
  readonly license: (id: string) => LicenseDocument | null;
  readonly keysByPrefix: (prefix: string) => readonly ApiKeyDocument[];
  readonly #options: KeyRegistryOptions;
  readonly #listeners: ((collection: string, id: string) => void)[] = [];
  readonly #lineage: LineageCheck;
  readonly #keys: () => Iterable<ApiKeyDocument>;
  /** When the registry was last seen to be at the head, ms of the monotonic clock. */
  #confirmedAt = -Infinity;
  /** The events were exchanged: it counts as stopped for good. */
  #otherHistory: OtherHistory | null = null;

  constructor(options: KeyRegistryOptions) {
    const { store, models, clock } = options;
    this.#options = options;
    this.#lineage = new LineageCheck({ store, clock, replaceable: REPLACEABLE_EVENTS });
    const documents = createRegistryDocuments({ models, store, lineage: this.#lineage }, (collection, id) => {
      for (const listener of this.#listeners) listener(collection, id);
    });
    ({ key: this.key, license: this.license, keysByPrefix: this.keysByPrefix } = documents);
    this.#keys = documents.keys;
    this.runner = new ProjectionRunner({
      ...options,
      models: documents,
      projections: PROJECTIONS,
      complete: CATEGORIES_OF_RIGHTS,
      // The keys of a rig end when it moves to another licence.
      beside: [rigs.category, API_KEY_USAGE],
      replaceable: REPLACEABLE_EVENTS,
    });
  }

  keysWhere(matches: (key: ApiKeyDocument) => boolean): readonly ApiKeyDocument[] {
    return [...this.#keys()].filter(matches);
  }

  onChange(listener: (collection: string, id: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Its status; `stopped` also when the events were exchanged. */
  status(): RunnerStatus {
    const ofRunner = this.runner.status();
    return this.#otherHistory === null ? ofRunner : { ...ofRunner, state: 'stopped', error: this.#otherHistory };
  }

  /** Before there is the root key, a request with it comes too early. */
  hasRootKey(): boolean {
    return this.key(ROOT_KEY_ID) !== null;
  }

  /**
   * Whether it knows every key as of less than 5 s ago, that of the root licence among them, and understood each event. If
   * not, nobody is admitted.
   */
  isCurrent(): boolean {
    return this.#options.clock.monotonic() - this.#confirmedAt <= CONFIRMED_FOR_MS && this.#isComplete();
  }

  #isComplete(): boolean {
    const { caughtUp, state } = this.runner.status();
    return this.#otherHistory === null && caughtUp && state !== 'stopped';
  }

  /**
   * Waits, 2 s at most, until the registry has reached the present head of the event store; concurrent waits share one.
   * @throws {StoreUnavailable} when it has not by then.
   */
  readonly waitUntilUpToDate = sharedRuns(async () => {
    const { store, clock } = this.#options;
    const { state, error } = this.status();
    if (error instanceof OtherHistory) throw error;
    if (state === 'stopped') throw new StoreUnavailable('the key registry has stopped');
    const askedAt = clock.monotonic();
    const head = await store.head();
    if (head !== null && !(await this.runner.waitFor(head, UP_TO_DATE_WAIT_MS)))
      throw new StoreUnavailable('the key registry has not read the newest events yet');
    if (this.#isComplete() && this.hasRootKey()) this.#confirmedAt = askedAt;
  });

  /** Confirms, until `signal` aborts, that the registry is at the head of the event store, and of the same history. */
  async keepCurrent(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.waitUntilUpToDate();
        // Last, because it reads the read models, which may be unavailable although the keys are up to date.
        await this.#checkHistory();
      } catch (error) {
        // While the store is away, requests say so; what stopped the registry was logged when it did.
        if (!(error instanceof StoreUnavailable || error instanceof OtherHistory)) throw error;
      }
      await pause(this.#options.clock, CONFIRM_EVERY_MS, signal);
    }
  }

  async #checkHistory(): Promise<void> {
    try {
      if (this.status().state !== 'stopped') await this.#lineage.expectSame(this.#options.models);
    } catch (error) {
      if (!(error instanceof OtherHistory)) throw error;
      this.#otherHistory = error;
      this.#options.onError(error);
    }
  }
}

/** Runs one call at a time; calls that come during a run share the next one, which begins after each of them. */
function sharedRuns(run: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const start = (): Promise<void> => {
    next = null;
    return run();
  };
  return () => {
    if (next === null) {
      next = last.then(start, start);
      last = next;
    }
    return next;
  };
}

/**
 * The documents of keys and licences in memory, with as much of the read models' port as a projection runner needs.
 * They are loaded from the read models when the checkpoint is first asked for: the checkpoint first, then the documents,
 * so that the subscription delivers again what happens meanwhile. `onChange` is called with each document that a change
 * concerns.
 */
export function createRegistryDocuments(sources: RegistrySources, onChange: (collection: string, id: string) => void) {
  // Only the typed functions of their own read models write the two collections.
  const keysById = new Map<string, ApiKeyDocument>();
  const licensesById = new Map<string, LicenseDocument>();
  const byPrefix = new Map<string, readonly string[]>();
  let loaded = false;
  let reached: Position | null = null;

  const documentsIn = (collection: string): Map<string, Document> => {
    if (collection === apiKeys.collection) return keysById;
    if (collection === licenses.collection) return licensesById;
    throw new Error(`the registry does not keep ${collection}`);
  };
  const store = (collection: string, document: Document): void => {
    documentsIn(collection).set(document.id, document);
    if (collection === apiKeys.collection) indexByPrefix(byPrefix, keysById.get(document.id));
  };
  const applyToDocuments = (change: Change): void => {
    const id = targetIdOf(change);
    for (const target of id === null ? [...documentsIn(change.collection).keys()] : [id]) {
      const before = documentsIn(change.collection).get(target) ?? null;
      const after = applyChange(before, change);
      if (after === null || after === before) continue;
      store(change.collection, after);
      onChange(change.collection, target);
    }
  };
  return {
    key: (id: string): ApiKeyDocument | null => keysById.get(id) ?? null,
    license: (id: string): LicenseDocument | null => licensesById.get(id) ?? null,
    /** The keys whose token starts with these characters: nearly always one. */
    keysByPrefix: (prefix: string): readonly ApiKeyDocument[] =>
      (byPrefix.get(prefix) ?? NONE).flatMap((id) => keysById.get(id) ?? []),
    keys: (): Iterable<ApiKeyDocument> => keysById.values(),
    stream: noStream,
    get: (collection: string, id: string): Promise<Document | null> =>
      Promise.resolve(documentsIn(collection).get(id) ?? null),
    async checkpoint(): Promise<Position | null> {
      if (!loaded) {
        const { checkpoint, documents } = await loadDocuments(sources);
        for (const { collection, document } of documents) store(collection, document);
        reached = checkpoint;
        loaded = true;
      }
      return reached;
    },
    apply(changes: readonly Change[], checkpoint: Position | null): Promise<void> {
      changes.forEach(applyToDocuments);
      reached = checkpoint ?? reached;
      return Promise.resolve();
    },
  };
}

/** The sources of the registry at its start: the read models, and the events that they were made of. */
export interface RegistrySources {
  readonly models: Pick<ReadModels, 'checkpoint' | 'stream' | 'get'>;
  readonly store: Pick<EventStore, 'readNewest'>;
  readonly lineage: Pick<LineageCheck, 'expectSame'>;
}

const CHECKED_AT_ONCE = 64;

/** Documents to start from, and a checkpoint that they are at or past. */
interface LoadedDocuments {
  readonly checkpoint: Position | null;
  readonly documents: readonly { readonly collection: string; readonly document: Document }[];
}

/** Nothing is loaded: the registry reads all events of keys and licences, and stops where it does not know one. */
const FROM_THE_EVENTS: LoadedDocuments = { checkpoint: null, documents: [] };

/**
 * Loads every document of keys and licences, unless the read models cannot be relied on:
 *
 * - a dead letter waits that is about a key, a licence or the move of a rig (other letters do not matter here);
 * - a document lacks the newest event of its stream, although that is before the checkpoint;
 * - they are of an older version, and do not say which keys ended when their rigs moved.
 *
 * @throws {OtherHistory} when the read models were made from other events.
 */
async function loadDocuments({ models, store, lineage }: RegistrySources): Promise<LoadedDocuments> {
  await lineage.expectSame(models);
  const checkpoint = await models.checkpoint();
  const parked = models.stream(deadLetters.collection, { where: { waiting: true } });
  for await (const batch of parked) {
    // Only the typed functions of this read model write such documents.
    if ((batch as readonly DeadLetterDocument[]).some(isAboutRights)) return FROM_THE_EVENTS;
  }
  const documents: { readonly collection: string; readonly document: Document }[] = [];
  for (const { collection, category } of [apiKeys, licenses]) {
    for await (const batch of models.stream(collection, { where: {} })) {
      if (collection === apiKeys.collection && batch.some((document) => !('_rigOfLicense' in document)))
        return FROM_THE_EVENTS;
      if (!(await areComplete(store, category, batch, checkpoint))) return FROM_THE_EVENTS;
      for (const document of batch) documents.push({ collection, document });
    }
  }
  return { checkpoint, documents };
}

/** Whether a dead letter may keep from the read models who may do what. */
function isAboutRights({ stream, type }: DeadLetterDocument): boolean {
  if (CATEGORIES_OF_RIGHTS.includes(categoryOf(stream))) return true;
  return !REPLACEABLE_EVENTS.has(type) && PROJECTIONS.some(({ on }) => on.has(type));
}

/** Whether each document includes the newest event of its stream, if that is at or before `start`. */
async function areComplete(
  store: Pick<EventStore, 'readNewest'>,
  category: string,
  documents: readonly Document[],
  start: Position | null,
): Promise<boolean> {
  for (let at = 0; at < documents.length; at += CHECKED_AT_ONCE) {
    const step = documents.slice(at, at + CHECKED_AT_ONCE);
    const newest = await Promise.all(step.map(({ id }) => store.readNewest(streamOf(category, id))));
    for (const [n, { _revision }] of step.entries()) {
      const event = newest[n] ?? null;
      if (event !== null && event.position <= (start ?? -1) && event.revision > _revision) return false;
    }
  }
  return true;
}

const NONE: readonly string[] = [];

function indexByPrefix(byPrefix: Map<string, readonly string[]>, key: ApiKeyDocument | undefined): void {
  if (key === undefined) return;
  for (const { keyPrefix } of [key, ...key._oldTokens]) {
    const known = byPrefix.get(keyPrefix) ?? NONE;
    if (!known.includes(key.id)) byPrefix.set(keyPrefix, [...known, key.id]);
  }
}

function noStream(): never {
  throw new TypeError('no projection of keys and licences goes through them');
}
