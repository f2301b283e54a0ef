import { BUILT_IN, builtInProjections } from '../resources/built-in.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import { parkingCollectionsOf } from '../../kernel/projection/projection-runner.ts';
import type { ReadModels, ReadStore, Register } from '../../kernel/ports/read-store.ts';
import { pause, type Clock } from '../../kernel/ports/system.ts';
import type { Stores } from '../../kernel/ports/stores.ts';
import { initialState, GenerationState, isIntact, type GenerationTransition } from './generation-state.ts';
import { OWN_VERSIONS } from './model-versions.ts';

const REGISTER = `generations ${BUILT_IN}`;

/** A process reads this many times per `retireAfterMs` which generation is current. */
const REFRESHES = 20;

/**
 * Share of `retireAfterMs` after which a process no longer relies on the state it has read, but reads it again: it may
 * have been paused.
 */
const MAX_AGE = 0.2;

/** Longest wait, in ms, for the read store when the generations are opened. */
const OPEN_TIMEOUT_MS = 1_000;

/** The generations of the built-in read models, and the current one. */
export type Generations = Pick<StoredGenerations, 'models' | 'retireAfterMs' | 'refresh' | 'update' | 'open' | 'close'>;

/** Opens the generations in a read store. Tries again while the store does not answer yet. */
export async function openGenerations(
  { readStore, clock }: Pick<Stores, 'readStore' | 'clock'>,
  { retireAfterMs }: Pick<Generations, 'retireAfterMs'>,
): Promise<Generations> {
  const generations = new StoredGenerations(readStore, clock, retireAfterMs);
  const timeout = new AbortController();
  await Promise.race([generations.keepRefreshing(), pause(clock, OPEN_TIMEOUT_MS, timeout.signal)]);
  timeout.abort();
  return generations;
}

/** The stores, and the generations of the built-in read models. */
export interface ProjectionStores extends Stores {
  readonly models: ReadModels;
  readonly generations: Generations;
}

/** Opens the generations in stores that are open; `close` of the result closes the stores too. */
export async function withGenerations(
  stores: Stores,
  options: Pick<Generations, 'retireAfterMs'>,
): Promise<ProjectionStores> {
  const generations = await openGenerations(stores, options).catch(async (error: unknown) => {
    await stores.close();
    throw error;
  });
  return {
    ...stores,
    models: generations.models,
    generations,
    async close() {
      generations.close();
      await stores.close();
    },
  };
}

/** The generations as they were read at one moment. */
interface Snapshot {
  readonly version: number;
  readonly state: GenerationState;
  /** Read models of the current generation. */
  readonly models: ReadModels;
  /** When the read began, ms of the monotonic clock. */
  readonly at: number;
}

class StoredGenerations {
  readonly models: ReadModels = currentModels(this);
  /**
   * Time, in ms, for which the previous generation is kept up to date. By then every process knows that it is no longer
   * current.
   */
  readonly retireAfterMs: number;
  readonly #readStore: ReadStore;
  readonly #clock: Clock;
  #latest: Snapshot | null = null;
  #refreshing: Promise<Snapshot> | null = null;
  #closed = false;
  #cancelRefresh = (): void => undefined;

  constructor(readStore: ReadStore, clock: Clock, retireAfterMs: number) {
    this.retireAfterMs = retireAfterMs;
    this.#readStore = readStore;
    this.#clock = clock;
  }

  /** Opens a namespace with the collections of the built-in read models. */
  open(namespace: string): Promise<ReadModels> {
    return this.#readStore.namespace(namespace, parkingCollectionsOf(builtInProjections));
  }

  /** The latest snapshot, or a new one when that is too old. @throws {StoreUnavailable} */
  async snapshot(): Promise<Snapshot> {
    const snapshot = this.#latest;
    if (snapshot !== null && this.#clock.monotonic() - snapshot.at < MAX_AGE * this.retireAfterMs) return snapshot;
    return (this.#refreshing ??= this.#transition(() => null).finally(() => {
      this.#refreshing = null;
    }));
  }

  /** Reads the state, which is created if there is none. @throws {StoreUnavailable} */
  async refresh(): Promise<GenerationState> {
    return this.update(() => null);
  }

  /** Makes a transition in one write; returns the state after it. @throws {StoreUnavailable} */
  async update(transition: GenerationTransition): Promise<GenerationState> {
    return (await this.#transition(transition)).state;
  }

  async keepRefreshing(): Promise<void> {
    // A failure is not reported here: the next refresh tries again, and each request meanwhile fails by itself.
    await this.refresh().catch(() => null);
    if (this.#closed) return;
    this.#cancelRefresh = this.#clock.after(this.retireAfterMs / REFRESHES, () => void this.keepRefreshing());
  }

  close(): void {
    this.#closed = true;
    this.#cancelRefresh();
  }

  async #transition(transition: GenerationTransition): Promise<Snapshot> {
    while (true) {
      const at = this.#clock.monotonic();
      const register = await this.#readStore.readRegister(REGISTER);
      const state = register === null ? await this.#initialState() : parseState(register);
      const changed = transition(state);
      const version = register?.version ?? 0;
      if (register !== null && changed === null) return this.#remember(state, version, at);
      const next = changed ?? state;
      const written = await this.#readStore.writeRegister(REGISTER, next, version);
      if (written) return this.#remember(next, version + 1, at);
    }
  }

  /** Documents that were projected before there were generations have an unknown version: 0. */
  async #initialState(): Promise<GenerationState> {
    const checkpoint = await (await this.open(BUILT_IN)).checkpoint();
    return initialState(checkpoint === null ? OWN_VERSIONS : { version: 0 });
  }

  /** Keeps the newest snapshot: reads may overtake each other. */
  async #remember(state: GenerationState, version: number, at: number): Promise<Snapshot> {
    const { namespace } = state.current;
    const before = this.#latest;
    const models = before?.state.current.namespace === namespace ? before.models : await this.open(namespace);
    const snapshot = { version, state, models, at };
    if (version >= (this.#latest?.version ?? 0)) this.#latest = snapshot;
    return snapshot;
  }
}

/** @throws {StoreUnavailable} when another release wrote a state that this one cannot read. */
function parseState({ value }: Register): GenerationState {
  const { data, error } = GenerationState.safeParse(value);
  if (data !== undefined) return data;
  throw new StoreUnavailable('the read store holds a state of the generations that this release cannot read', {
    cause: error,
  });
}

/** Read models that use the current generation at each call. */
function currentModels(current: StoredGenerations): ReadModels {
  const onCurrent = async <T>(use: (models: ReadModels) => Promise<T>): Promise<T> => {
    const { models } = await current.snapshot();
    return use(models);
  };
  return {
    get: (collection, id) => onCurrent((models) => models.get(collection, id)),
    find: (collection, query) => onCurrent((models) => models.find(collection, query)),
    count: (collection, where, bounds) => onCurrent((models) => models.count(collection, where, bounds)),
    apply: (changes, checkpoint) => onCurrent((models) => models.apply(changes, checkpoint)),
    version: (collections) => onCurrent((models) => models.version(collections)),
    checkpoint: () => onCurrent((models) => models.checkpoint()),
    async *stream(collection, query) {
      const { models, state } = await current.snapshot();
      yield* models.stream(collection, query);
      if ((await current.snapshot()).models === models) return;
      // The namespace may have been dropped meanwhile: an incomplete list must not look complete.
      if (isIntact(await current.refresh(), state.current.namespace)) return;
      throw new StoreUnavailable('the read models were replaced while they were listed');
    },
  };
}
