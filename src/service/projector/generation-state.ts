import { z } from 'zod';
import { BUILT_IN } from '../resources/built-in.ts';
import { orderOf, type ModelVersions } from './model-versions.ts';

const Generation = z.object({
  namespace: z.string(),
  /** The sum of the versions of its read models; 0 where that is not known. */
  version: z.number(),
  /** The version of each; absent where an earlier release has made it. */
  models: z.record(z.string(), z.number()).optional(),
});

/** A rebuild that was requested over the API. Times are ISO 8601. */
const RebuildRequest = z.object({
  id: z.string(),
  requestedAt: z.string(),
  /** `X-Request-Id` of the request. */
  requestId: z.string(),
  /** The key that requested it. */
  apiKeyId: z.string().nullable(),
  /** The licence of that key. */
  licenseId: z.string().nullable(),
  /** When a process first started it; null until then. */
  startedAt: z.string().nullable(),
  /** The namespace that it builds; null until it is started. */
  generation: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** Why it failed; null: it has not. */
  error: z.string().nullable(),
});

export type RebuildRequest = z.output<typeof RebuildRequest>;

/** Progress of a rebuild, as last written by any process. */
const StoredProgress = z.object({
  generation: z.string(),
  /** When this run started, ISO 8601. */
  startedAt: z.string(),
  /** When this was written, ISO 8601. */
  writtenAt: z.string(),
  /** Events that this run has projected. */
  events: z.number(),
  /** Position of the last of them. */
  position: z.number(),
  /** Position of the newest event in the store: the same as `position` once the rebuild is done. */
  head: z.number(),
  eventsPerSecond: z.number(),
  /** Remaining time, in ms, at the same rate; null while that is not known. */
  etaMs: z.number().nullable(),
});

export type StoredProgress = z.output<typeof StoredProgress>;

/**
 * State of the generations of the built-in read models. A rebuild creates the next one. Once that is ready, the leader
 * pauses the current one, lets the next one pass it, so that nobody sees less than before, and promotes it. The previous
 * one is retired: kept up to date, behind the current one, until every process has left it, and then dropped. Namespaces
 * are never used again: a process that was paused may still write to an old one, or have it open.
 *
 * An example of a rebuild, with the fields that change:
 *
 * | Step | current | next | retiring | dropping | made |
 * |---|---|---|---|---|---|
 * | at rest | `built-in` | null | null | | 1 |
 * | `created` by the rebuild | `built-in` | `built-in-2` | null | | 2 |
 * | `ready`: it is at the head | `built-in` | `built-in-2`, ready | null | | 2 |
 * | `promoted` by the leader | `built-in-2` | null | `built-in` | | 2 |
 * | `retired`: no process reads it any more | `built-in-2` | null | null | `built-in` | 2 |
 * | `dropped` | `built-in-2` | null | null | | 2 |
 *
 * Each step is one conditional write, so the next leader after a crash continues at the step that was reached.
 */
export const GenerationState = z.object({
  current: Generation,
  /** The generation that a rebuild is making; `ready` once it has reached the head of the event store. */
  next: Generation.extend({ ready: z.boolean(), keepOld: z.boolean() }).nullable(),
  /** The previous generation, kept up to date until no node uses it. */
  retiring: z.object({ namespace: z.string(), keep: z.boolean() }).nullable(),
  /** The generation that `--keep-old` has kept, as it was when it was retired. */
  kept: z.string().nullable(),
  dropping: z.array(z.string()),
  /** Number of generations made so far. */
  made: z.number(),
  /** Fencing token of the newest leader: no other may promote a generation. */
  leader: z.number(),
  /** The newest request for a rebuild; null, as `progress`, if an earlier release wrote the state. */
  request: RebuildRequest.nullable().catch(null),
  /** Progress of the newest rebuild, whatever started it. */
  progress: StoredProgress.nullable().catch(null),
});

export type GenerationState = z.output<typeof GenerationState>;

/** A transition: returns the next state; null when nothing changes or the transition is no longer possible. */
export type GenerationTransition = (state: GenerationState) => GenerationState | null;

/** The state before any rebuild, with the versions of the documents projected so far. */
export function initialState(versions: ModelVersions): GenerationState {
  return {
    current: { namespace: BUILT_IN, ...versions },
    next: null,
    retiring: null,
    kept: null,
    dropping: [],
    made: 1,
    leader: 0,
    request: null,
    progress: null,
  };
}

/** Whether a namespace still holds the documents of its generation. */
export function isIntact({ current, retiring, kept }: GenerationState, namespace: string): boolean {
  return [current.namespace, retiring?.namespace, kept].includes(namespace);
}

/** Whether the current generation has to be replaced by one of this release: it is older, or of another line. */
export function isOutOfDate({ current }: GenerationState): boolean {
  return ['older', 'other'].includes(orderOf(current));
}

/** Makes a process the leader, unless there was a newer one. */
export function leaderElected(fence: number): GenerationTransition {
  return (state) => (state.leader < fence ? { ...state, leader: fence } : null);
}

/**
 * Creates the next generation, unless one of these versions has already been created. It replaces a generation of other
 * versions, or one in the namespace `unusable`, which cannot be continued.
 */
export function created(versions: ModelVersions, unusable: string | null): GenerationTransition {
  return ({ next, ...state }) => {
    if (next !== null && orderOf(next, versions) === 'same' && next.namespace !== unusable) return null;
    const made = state.made + 1;
    return {
      ...state,
      made,
      next: { namespace: `${BUILT_IN}-${made}`, ...versions, ready: false, keepOld: false },
      dropping: next === null ? state.dropping : [...state.dropping, next.namespace],
    };
  };
}

/** Marks the next generation as ready: it has reached the head of the event store. */
export function ready(namespace: string, keepOld: boolean): GenerationTransition {
  return (state) =>
    state.next?.namespace === namespace ? { ...state, next: { ...state.next, keepOld, ready: true } } : null;
}

/** Makes the next generation the current one; only the newest leader may do so, and only when none is retiring. */
export function promoted(namespace: string, fence: number, at: string): GenerationTransition {
  return ({ current, next, ...state }) => {
    const isAllowed = next?.namespace === namespace && next.ready && state.retiring === null && state.leader === fence;
    if (!isAllowed) return null;
    const { version, models } = next;
    return {
      ...state,
      current: models === undefined ? { namespace, version } : { namespace, version, models },
      next: null,
      retiring: { namespace: current.namespace, keep: next.keepOld },
      request: state.request?.generation === namespace ? endedAt(state.request, at) : state.request,
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
    const dropping = [...state.dropping];
    if (kept !== null) dropping.push(kept);
    if (!retiring.keep) dropping.push(retiring.namespace);
    return { ...state, retiring: null, kept: retiring.keep ? retiring.namespace : null, dropping };
  };
}

export function discarded(namespace: string): GenerationTransition {
  return ({ next, ...state }) =>
    next?.namespace === namespace ? { ...state, next: null, dropping: [...state.dropping, namespace] } : null;
}

export function dropped(namespace: string): GenerationTransition {
  return (state) =>
    state.dropping.includes(namespace)
      ? { ...state, dropping: state.dropping.filter((name) => name !== namespace) }
      : null;
}

/** Requests a rebuild; nothing changes while a requested one is under way. */
export function requested(
  origin: Omit<RebuildRequest, 'startedAt' | 'generation' | 'endedAt' | 'error'>,
): GenerationTransition {
  const request = { ...origin, startedAt: null, generation: null, endedAt: null, error: null };
  return (state) => (isRequested(state) ? null : { ...state, request });
}

/** Whether a requested rebuild is under way or waiting for a process. */
export function isRequested({ request }: GenerationState): boolean {
  return request !== null && request.endedAt === null;
}

/**
 * Records the namespace in which a process carries out the request; a later one replaces a namespace that is unusable.
 */
export function started(namespace: string, at: string): GenerationTransition {
  return (state) => {
    const { request } = state;
    if (request === null || !isRequested(state) || request.generation === namespace) return null;
    return { ...state, request: { ...request, startedAt: request.startedAt ?? at, generation: namespace } };
  };
}

/** Most characters that are kept of an error. */
const MAX_ERROR_LENGTH = 500;

/** Fails the requested rebuild, if one is under way: another attempt would fail in the same way. */
export function failed(error: string, at: string): GenerationTransition {
  return (state) => {
    if (state.request === null || !isRequested(state)) return null;
    return { ...state, request: { ...endedAt(state.request, at), error: error.slice(0, MAX_ERROR_LENGTH) } };
  };
}

function endedAt(request: RebuildRequest, at: string): RebuildRequest {
  return { ...request, endedAt: request.endedAt ?? at };
}

/** Records the progress of the next generation; no effect once another one is being built. */
export function progressed(progress: StoredProgress): GenerationTransition {
  return (state) => (state.next?.namespace === progress.generation ? { ...state, progress } : null);
}
