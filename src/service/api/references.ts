import type { Category, References } from '../domain/body-command.ts';
import type { ApiRequest } from '../http/endpoint.ts';
import { streamOf, Rejection, type Fault } from '../kernel/aggregate/decider.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import { notFoundProblem } from './reads.ts';

/**
 * Most streams that are cached as existing; what is referred to is never deleted, so the cache stays true
 * (docs/architecture.md#references).
 */
const MAX_CACHED_STREAMS = 100_000;

/** Resources that are looked for at the same time. */
const LOOK_UPS = 50;
/** Faults after which no more are looked for. */
const MAX_FAULTS = 50;

/** A request whose body refers to resources; its signal is asked for only where something must be looked for. */
export type Referring = Pick<ApiRequest, 'body' | 'signal'>;

/** Check of whether the resources that a request refers to exist. */
export interface ReferenceCheck {
  exists(category: Category, id: string): Promise<boolean>;
  /**
   * The rejection of a body that refers to something unknown, or null; fields that are absent or null refer to nothing.
   * Looking for it ends when the request's signal aborts.
   */
  findRejection(references: References | undefined, request: Referring): Promise<Rejection | null>;
}

/** Creates the check. It asks the event store, so that a projection that lags never makes a valid request fail. */
export function createReferenceCheck(store: Pick<EventStore, 'readNewest'>): ReferenceCheck {
  const existing = new Set<string>();

  async function exists(category: Category, id: string): Promise<boolean> {
    const stream = streamOf(category, id);
    if (existing.has(stream)) return true;
    if ((await store.readNewest(stream)) === null) return false;
    if (existing.size >= MAX_CACHED_STREAMS) existing.clear();
    existing.add(stream);
    return true;
  }
  function isKnown(category: Category, id: string): boolean {
    return existing.has(streamOf(category, id));
  }
  async function faultsOf(pointed: Iterable<Pointed>, request: Referring): Promise<Fault[]> {
    const faults: Fault[] = [];
    const unseen = [...pointed].filter(({ category, id }) => !isKnown(category, id));
    for (let from = 0; from < unseen.length && faults.length < MAX_FAULTS; from += LOOK_UPS) {
      request.signal.throwIfAborted();
      const some = unseen.slice(from, from + LOOK_UPS);
      const found = await Promise.all(some.map(({ category, id }) => exists(category, id)));
      const missing = some.filter((_, n) => found[n] === false);
      faults.push(
        ...missing.map(({ category, pointer }) => ({ pointer, detail: `there is no ${category} with this id` })),
      );
    }
    return faults;
  }
  return {
    exists,
    async findRejection(references, request) {
      if (references === undefined) return null;
      const faults = await faultsOf(pointedAt(references, request.body), request);
      return faults.length === 0
        ? null
        : new Rejection('UNKNOWN_REFERENCE', 'The request refers to something that does not exist.', faults);
    },
  };
}

/** @throws {Problem} 404 for an id of nothing */
export async function requireExisting(
  references: Pick<ReferenceCheck, 'exists'>,
  category: Category,
  id: string,
): Promise<void> {
  if (!(await references.exists(category, id))) throw notFoundProblem();
}

/** A field of a body that names an aggregate. */
interface Pointed {
  readonly category: Category;
  readonly id: string;
  /** JSON pointer of the id. */
  readonly pointer: string;
}

/** All that a body names; fields that are absent or null name nothing. */
export function* pointedAt(references: References, body: unknown): Generator<Pointed> {
  if (typeof body !== 'object' || body === null) return;
  for (const [field, category] of Object.entries(references)) {
    const value: unknown = Reflect.get(body, field);
    if (typeof value === 'string') yield { category, id: value, pointer: `/${field}` };
    if (!Array.isArray(value)) continue;
    for (const [index, id] of value.entries()) {
      if (typeof id === 'string') yield { category, id, pointer: `/${field}/${index}` };
    }
  }
}
