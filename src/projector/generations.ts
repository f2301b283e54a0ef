import { BUILT_IN, BUILT_IN_VERSION, builtInProjections } from '../../projections/index.ts';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import { parkingCollectionsOf } from '../kernel/projection/projection-runner.ts';
import type { ReadModels, ReadStore, Register } from '../kernel/ports/read-store.ts';
import { pause, type Clock } from '../kernel/ports/system.ts';
import type { Stores } from '../stores/stores.ts';
import { initialState, GenerationState, isKept, type Transition } from './generation-state.ts';

/** The register that says which generations there are. */
const REGISTER = `generations ${BUILT_IN}`;

/** How often, in ms, a process looks which generation is current. */
export const REFRESH_EVERY_MS = 500;

/** Age, in ms, from which on nobody relies on a look: a process that was paused looks again before it reads. */
export const MAX_AGE_MS = 2_000;

/** How long, in ms, the generation before is fed and kept: whoever read it at the switch has long looked again. */
export const RETIRE_AFTER_MS = 10_000;

/** How long, in ms, opening waits for a read store that does not answer. */
const OPEN_TIMEOUT_MS = 1_000;

/** The generations of the built-in read models, and the current one. */
export interface Generations {
  /** The current generation: whatever it is at the moment of each call. */
  readonly models: ReadModels;
  /** Reads which is current, and turns to it; makes the first when there is none. @throws {StoreUnavailable} */
  readonly refresh: () => Promise<GenerationState>;
  /** Takes a step, in one write; gives the state after it. @throws {StoreUnavailable} */
  readonly update: (step: Transition) => Promise<GenerationState>;
  /** The documents of a namespace, in the shape of the built-in ones. */
  readonly open: (namespace: string) => Promise<ReadModels>;
  readonly close: () => void;
}

/** Follows the generations in a read store. A store that does not answer yet is asked again and again. */
export async function openGenerations({ readStore, clock }: Pick<Stores, 'readStore' | 'clock'>): Promise<Generations> {
  const current = new CurrentGeneration(readStore, clock);
  const patience = new AbortController();
  await Promise.race([current.keepRefreshing(), pause(clock, OPEN_TIMEOUT_MS, patience.signal)]);
  patience.abort();
  return {
    models: currentModels(current),
    refresh: () => current.refresh(),
    update: (step) => current.update(step),
    open: (namespace) => current.open(namespace),
    close: () => current.close(),
  };
}

/** The stores, with the generations of the built-in read models. */
export interface ProjectionStores extends Stores {
  /** The built-in read models, of the generation that is current at each call. */
  readonly models: ReadModels;
  readonly generations: Generations;
}

/** Opens the generations in stores that are open; closing what it gives closes those, too. */
export async function withGenerations(stores: Stores): Promise<ProjectionStores> {
  const generations = await openGenerations(stores);
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

/** What a look has found. */
interface Snapshot {
  /** Of the register. */
  readonly version: number;
  readonly state: GenerationState;
  /** The current generation. */
  readonly models: ReadModels;
  /** When the look began, epoch ms. */
  readonly at: number;
}

class CurrentGeneration {
  readonly #readStore: ReadStore;
  readonly #clock: Clock;
  #latest: Snapshot | null = null;
  #refreshing: Promise<Snapshot> | null = null;
  #closed = false;
  #cancelRefresh = (): void => undefined;

  constructor(readStore: ReadStore, clock: Clock) {
    this.#readStore = readStore;
    this.#clock = clock;
  }

  open(namespace: string): Promise<ReadModels> {
    return this.#readStore.namespace(namespace, parkingCollectionsOf(builtInProjections));
  }

  /** What is current: as seen lately, or as a look tells. */
  snapshot(): Snapshot | Promise<Snapshot> {
    const seen = this.#latest;
    if (seen !== null && this.#clock.now() - seen.at < MAX_AGE_MS) return seen;
    return (this.#refreshing ??= this.#transition(() => null).finally(() => {
      this.#refreshing = null;
    }));
  }

  async refresh(): Promise<GenerationState> {
    return this.update(() => null);
  }

  async update(step: Transition): Promise<GenerationState> {
    return (await this.#transition(step)).state;
  }

  async keepRefreshing(): Promise<void> {
    // A store that fails is asked again; whoever reads meanwhile asks, too, and is told of the failure.
    await this.refresh().catch(() => null);
    if (!this.#closed) this.#cancelRefresh = this.#clock.after(REFRESH_EVERY_MS, () => void this.keepRefreshing());
  }

  close(): void {
    this.#closed = true;
    this.#cancelRefresh();
  }

  async #transition(step: Transition): Promise<Snapshot> {
    for (;;) {
      const at = this.#clock.now();
      const register = await this.#readStore.readRegister(REGISTER);
      const state = register === null ? await this.#initialState() : parseState(register);
      const wanted = step(state);
      const version = register?.version ?? 0;
      if (register !== null && wanted === null) return this.#remember(state, { version, at });
      const next = wanted ?? state;
      const written = await this.#readStore.writeRegister(REGISTER, next, version);
      if (written) return this.#remember(next, { version: version + 1, at });
    }
  }

  /** What was projected before there were generations is of no known version. */
  async #initialState(): Promise<GenerationState> {
    const checkpoint = await (await this.open(BUILT_IN)).checkpoint();
    return initialState(checkpoint === null ? BUILT_IN_VERSION : 0);
  }

  /** Looks may overtake each other: an older one changes nothing. */
  async #remember(state: GenerationState, { version, at }: Pick<Snapshot, 'version' | 'at'>): Promise<Snapshot> {
    const { namespace } = state.current;
    const before = this.#latest;
    const models = before?.state.current.namespace === namespace ? before.models : await this.open(namespace);
    const seen = { version, state, models, at };
    if (version >= (this.#latest?.version ?? 0)) this.#latest = seen;
    return seen;
  }
}

/** @throws {StoreUnavailable} when another release wrote what this one cannot read. */
function parseState({ value }: Register): GenerationState {
  const { data, error } = GenerationState.safeParse(value);
  if (data !== undefined) return data;
  throw new StoreUnavailable('the read store tells of generations in an unknown way', { cause: error });
}

/** Read models that are those of the current generation at each call. */
function currentModels(current: CurrentGeneration): ReadModels {
  // No `async`: a request would pay for a promise more.
  const onCurrent = <T>(ask: (models: ReadModels) => Promise<T>): Promise<T> => {
    const seen = current.snapshot();
    return seen instanceof Promise ? seen.then(({ models }) => ask(models)) : ask(seen.models);
  };
  return {
    get: (collection, id) => onCurrent((models) => models.get(collection, id)),
    find: (collection, query) => onCurrent((models) => models.find(collection, query)),
    count: (collection, where) => onCurrent((models) => models.count(collection, where)),
    apply: (changes, checkpoint) => onCurrent((models) => models.apply(changes, checkpoint)),
    checkpoint: () => onCurrent((models) => models.checkpoint()),
    async *stream(collection, query) {
      const {
        models,
        state: {
          current: { namespace },
        },
      } = await current.snapshot();
      yield* models.stream(collection, query);
      if ((await current.snapshot()).models === models) return;
      // It may have been dropped on the way: what is shorter than it was must not look whole.
      if (isKept(await current.refresh(), namespace)) return;
      throw new StoreUnavailable('the read models were replaced while they were listed');
    },
  };
}
