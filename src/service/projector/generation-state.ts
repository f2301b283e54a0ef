import { z } from 'zod';
import { BUILT_IN } from '../../../projections/index.ts';

const Generation = z.object({
  namespace: z.string(),
  /** `BUILT_IN_VERSION` of the release that made it; 0 where that is not known. */
  version: z.number(),
});

/** State of the generations of the built-in read models. */
export const GenerationState = z.object({
  current: Generation,
  /** The generation that a rebuild is making; `ready` once it has reached the head of the event store. */
  next: Generation.extend({ ready: z.boolean(), keepOld: z.boolean() }).nullable(),
  /** The previous generation, kept up to date until no node uses it. */
  retiring: z.object({ namespace: z.string(), keep: z.boolean() }).nullable(),
  /** The generation that `--keep-old` has kept, as it was when it was retired. */
  kept: z.string().nullable(),
  /** Generations that are to be dropped. */
  dropping: z.array(z.string()),
  /** Number of generations made so far. */
  made: z.number(),
  /** Fencing token of the newest leader: no other may promote a generation. */
  leader: z.number(),
});

export type GenerationState = z.output<typeof GenerationState>;

/** A transition: returns the next state; null when nothing changes or the transition is no longer possible. */
export type GenerationTransition = (state: GenerationState) => GenerationState | null;

/** The state before any rebuild; `version` is that of the documents projected so far. */
export function initialState(version: number): GenerationState {
  const current = { namespace: BUILT_IN, version };
  return { current, next: null, retiring: null, kept: null, dropping: [], made: 1, leader: 0 };
}

/** Whether a namespace still holds the documents of its generation. */
export function isIntact({ current, retiring, kept }: GenerationState, namespace: string): boolean {
  return [current.namespace, retiring?.namespace, kept].includes(namespace);
}

/** Makes a process the leader, unless there was a newer one. */
export function leaderElected(fence: number): GenerationTransition {
  return (state) => (state.leader < fence ? { ...state, leader: fence } : null);
}

/**
 * Creates the next generation. It replaces one that was created by another version, or in the namespace `unusable`,
 * which cannot be continued; one that this version has created stays.
 */
export function created(version: number, unusable: string | null): GenerationTransition {
  return ({ next, ...state }) => {
    if (next?.version === version && next.namespace !== unusable) return null;
    const made = state.made + 1;
    return {
      ...state,
      made,
      next: { namespace: nameOf(made), version, ready: false, keepOld: false },
      dropping: next === null ? state.dropping : [...state.dropping, next.namespace],
    };
  };
}

/**
 * Names are never used again: a projector that was paused for long may still write to an old one, and a process may
 * have it open.
 */
function nameOf(made: number): string {
  return `${BUILT_IN}-${made}`;
}

/** Marks the next generation as ready: it has reached the head of the event store. */
export function ready(namespace: string, keepOld: boolean): GenerationTransition {
  return (state) =>
    state.next?.namespace === namespace ? { ...state, next: { ...state.next, keepOld, ready: true } } : null;
}

/** Makes the next generation the current one; only the newest leader may do so, and only when none is retiring. */
export function promoted(namespace: string, fence: number): GenerationTransition {
  return ({ current, next, ...state }) => {
    const isAllowed = next?.namespace === namespace && next.ready && state.retiring === null && state.leader === fence;
    if (!isAllowed) return null;
    return {
      ...state,
      current: { namespace, version: next.version },
      next: null,
      retiring: { namespace: current.namespace, keep: next.keepOld },
    };
  };
}

/**
 * Retires the previous generation, which no node uses any more. The one that an earlier rebuild has kept is dropped
 * too.
 */
export function retired(): GenerationTransition {
  return ({ retiring, kept, ...state }) => {
    if (retiring === null) return null;
    const unused = [...(kept === null ? [] : [kept]), ...(retiring.keep ? [] : [retiring.namespace])];
    const dropping = [...state.dropping, ...unused];
    return { ...state, retiring: null, kept: retiring.keep ? retiring.namespace : null, dropping };
  };
}

/** Gives up the next generation. */
export function discarded(namespace: string): GenerationTransition {
  return ({ next, ...state }) =>
    next?.namespace === namespace ? { ...state, next: null, dropping: [...state.dropping, namespace] } : null;
}

/** Removes a namespace that was dropped. */
export function dropped(namespace: string): GenerationTransition {
  return (state) =>
    state.dropping.includes(namespace)
      ? { ...state, dropping: state.dropping.filter((name) => name !== namespace) }
      : null;
}
