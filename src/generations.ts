import { z } from 'zod';
import { BUILT_IN, BUILT_IN_VERSION, builtInProjections } from '../projections/index.ts';
import { StoreUnavailable } from './kernel/errors.ts';
import { parkingCollectionsOf } from './kernel/projection-runner.ts';
import type { ReadModels, ReadStore } from './kernel/read-store.ts';
import { pause } from './kernel/time.ts';
import { systemClock } from './system.ts';

const Generation = z.object({
  namespace: z.string(),
  /** `BUILT_IN_VERSION` of the release that made it; 0 where that is not known. */
  version: z.number(),
});

const State = z.object({
  current: Generation,
  /** What a rebuild is making; `ready` when it has come to the head of the event store. */
  next: Generation.extend({ ready: z.boolean(), keepOld: z.boolean() }).nullable(),
  /** What was current before, and is fed until every node has left it. */
  retiring: z.object({ namespace: z.string(), keep: z.boolean() }).nullable(),
  /** Generations made so far. */
  made: z.number(),
  /** What `--keep-old` has kept: as it was when it was left. */
  kept: z.string().nullable(),
});

/** Which generations of the built-in read models there are. */
export type GenerationState = z.output<typeof State>;

/** The register that says so. */
const REGISTER = `generations ${BUILT_IN}`;

/** How often, in ms, a process looks which generation is current. */
export const LOOK_EVERY_MS = 500;

/** How long, in ms, opening waits for a read store that does not answer. */
const OPEN_PATIENCE_MS = 1_000;

/** How long, in ms, the generation before is still fed: every node that lives has looked many times by then. */
export const LEAVE_MS = 10_000;

/** The generations of the built-in read models, and the current one. */
export interface Generations {
  /** The current generation: whatever it is at the moment of each call. */
  readonly models: ReadModels;
  /** Reads which is current, and turns to it; makes the first when there is none. @throws {StoreUnavailable} */
  readonly look: () => Promise<GenerationState>;
  /**
   * Writes what `change` makes of the state, in one write; null: nothing is to be changed any more.
   * @throws {StoreUnavailable}
   */
  readonly update: (change: (state: GenerationState) => GenerationState | null) => Promise<GenerationState>;
  /** What the last look has seen; null before the first. */
  readonly seen: () => GenerationState | null;
  readonly open: (namespace: string) => Promise<ReadModels>;
  readonly close: () => void;
}

/** Follows the generations in a read store. A store that does not answer yet is asked again and again. */
export async function openGenerations(readStore: ReadStore): Promise<Generations> {
  let seen: GenerationState | null = null;
  let current: ReadModels | null = null;
  let seenVersion = 0;
  let closed = false;
  let cancel = (): void => undefined;
  const open = (namespace: string): Promise<ReadModels> =>
    readStore.namespace(namespace, parkingCollectionsOf(builtInProjections));

  /** Looks may overtake each other: an older one changes nothing. */
  const show = async (state: GenerationState, version: number): Promise<GenerationState> => {
    const models = state.current.namespace === seen?.current.namespace ? current : await open(state.current.namespace);
    if (version >= seenVersion) [seen, current, seenVersion] = [state, models, version];
    return state;
  };
  /** What was projected before there were generations is of no known version. */
  const firstState = async (): Promise<GenerationState> => {
    const checkpoint = await (await open(BUILT_IN)).checkpoint();
    const version = checkpoint === null ? BUILT_IN_VERSION : 0;
    return { current: { namespace: BUILT_IN, version }, next: null, retiring: null, made: 1, kept: null };
  };
  const update: Generations['update'] = async (change) => {
    for (;;) {
      const register = await readStore.readRegister(REGISTER);
      const state = register === null ? await firstState() : State.parse(register.value);
      const wanted = change(state);
      const version = register?.version ?? 0;
      if (register !== null && wanted === null) return show(state, version);
      const next = wanted ?? state;
      if (await readStore.writeRegister(REGISTER, next, version)) return show(next, version + 1);
    }
  };
  const look = (): Promise<GenerationState> => update(() => null);
  async function watch(): Promise<void> {
    if (closed) return;
    // A store that fails is asked again; whoever reads meanwhile meets the failure.
    await look().catch(() => null);
    if (!closed) cancel = systemClock.after(LOOK_EVERY_MS, () => void watch());
  }
  await Promise.race([watch(), pause(systemClock, OPEN_PATIENCE_MS, AbortSignal.timeout(OPEN_PATIENCE_MS))]);
  return {
    models: currentOf(() => current, look),
    look, update, open,
    seen: () => seen,
    close() {
      closed = true;
      cancel();
    },
  };
}

/** Read models that are those of the current generation at each call. */
function currentOf(current: () => ReadModels | null, look: Generations['look']): ReadModels {
  const now = (): ReadModels => {
    const models = current();
    if (models === null) throw new StoreUnavailable('the read store has not told yet which read models are current');
    return models;
  };
  return {
    // No `async`: a request would pay for a promise more.
    get: (collection, id) => attempt(() => now().get(collection, id)),
    find: (collection, query) => attempt(() => now().find(collection, query)),
    count: (collection, where) => attempt(() => now().count(collection, where)),
    apply: (changes, checkpoint) => attempt(() => now().apply(changes, checkpoint)),
    checkpoint: () => attempt(() => now().checkpoint()),
    async* stream(collection, query) {
      const models = now();
      yield* models.stream(collection, query);
      if (models === current()) return;
      // It may have been dropped on the way: what is shorter than it was must not look whole.
      const { retiring } = await look();
      if (retiring === null) throw new StoreUnavailable('the read models were replaced while they were listed');
    },
  };
}

function attempt<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return ask();
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}

/**
 * The name of a generation. None is ever used again: a projector that was paused for long may still write to it, and a
 * process may have it open.
 */
export function nameOf(made: number): string {
  return `${BUILT_IN}-${made}`;
}
