import { z } from 'zod';
import { BUILT_IN } from '../../projections/index.ts';

const Generation = z.object({
  namespace: z.string(),
  /** `BUILT_IN_VERSION` of the release that made it; 0 where that is not known. */
  version: z.number(),
});

/** Which generations of the built-in read models there are. */
export const GenerationState = z.object({
  current: Generation,
  /** What a rebuild is making; `ready` when it has come to the head of the event store. */
  next: Generation.extend({ ready: z.boolean(), keepOld: z.boolean() }).nullable(),
  /** What was current before, and is fed until every node has left it. */
  retiring: z.object({ namespace: z.string(), keep: z.boolean() }).nullable(),
  /** What `--keep-old` has kept: as it was when it was left. */
  kept: z.string().nullable(),
  /** What nobody needs any more, and is to be dropped. */
  dropping: z.array(z.string()),
  /** Generations made so far. */
  made: z.number(),
  /** The newest leader, by the fence of its lease: no other may switch. */
  leader: z.number(),
});

export type GenerationState = z.output<typeof GenerationState>;

/** What a step makes of the state; null: it changes nothing, or cannot be taken any more. */
export type Transition = (state: GenerationState) => GenerationState | null;

/** The state before any rebuild; `version` is that of what has been projected so far. */
export function initialState(version: number): GenerationState {
  const current = { namespace: BUILT_IN, version };
  return { current, next: null, retiring: null, kept: null, dropping: [], made: 1, leader: 0 };
}

/** Whether a namespace still holds what it held. */
export function isKept({ current, retiring, kept }: GenerationState, namespace: string): boolean {
  return [current.namespace, retiring?.namespace, kept].includes(namespace);
}

/** A leader is the one from now on, unless a newer one was here. */
export function leaderElected(fence: number): Transition {
  return (state) => (state.leader < fence ? { ...state, leader: fence } : null);
}

/**
 * Begins a next generation. What another version has begun gives way to it, and so does `instead`, a namespace that
 * cannot be gone on with; what this version has begun stays.
 */
export function created(version: number, instead: string | null): Transition {
  return ({ next, ...state }) => {
    if (next?.version === version && next.namespace !== instead) return null;
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
 * None is ever used again: a projector that was paused for long may still write to it, and a process may have it open.
 */
function nameOf(made: number): string {
  return `${BUILT_IN}-${made}`;
}

/** The next generation has come to the head of the event store. */
export function ready(namespace: string, keepOld: boolean): Transition {
  return (state) =>
    state.next?.namespace === namespace ? { ...state, next: { ...state.next, keepOld, ready: true } } : null;
}

/** The next generation becomes the current one; only the newest leader may do so, and with one retiring at a time. */
export function promoted(namespace: string, fence: number): Transition {
  return ({ current, next, ...state }) => {
    const may = next?.namespace === namespace && next.ready && state.retiring === null && state.leader === fence;
    if (!may) return null;
    return {
      ...state,
      current: { namespace, version: next.version },
      next: null,
      retiring: { namespace: current.namespace, keep: next.keepOld },
    };
  };
}

/** Every node has left what was current before. What an earlier rebuild has kept goes, too. */
export function retired(): Transition {
  return ({ retiring, kept, ...state }) => {
    if (retiring === null) return null;
    const gone = [...(kept === null ? [] : [kept]), ...(retiring.keep ? [] : [retiring.namespace])];
    const dropping = [...state.dropping, ...gone];
    return { ...state, retiring: null, kept: retiring.keep ? retiring.namespace : null, dropping };
  };
}

/** A namespace is dropped. */
export function dropped(namespace: string): Transition {
  return (state) =>
    state.dropping.includes(namespace)
      ? { ...state, dropping: state.dropping.filter((name) => name !== namespace) }
      : null;
}
