import type { Category, References } from '../domain/body-command.ts';
import type { ApiRequest } from '../http/endpoint.ts';
import { streamOf, Rejection, type Fault } from '../kernel/aggregate/decider.ts';
import type { Aggregates } from '../kernel/aggregate/aggregates.ts';
import { notFoundProblem } from './views.ts';

/** Resources that are looked for at the same time. */
const LOOK_UPS = 50;
/** Faults after which no more are looked for. */
const MAX_FAULTS = 50;

/** A request whose body refers to resources; its signal is asked for only where something must be looked for. */
export type ReferencingRequest = Pick<ApiRequest, 'body' | 'signal'>;

/**
 * Check of whether the resources that requests refer to exist. It asks the event store, so that a projection that lags
 * never makes a valid request fail. Nothing that is referred to is ever deleted, so what exists is remembered.
 */
export class ReferenceCheck {
  readonly #aggregates: Pick<Aggregates, 'firstOf' | 'hasFirst'>;

  constructor(aggregates: Pick<Aggregates, 'firstOf' | 'hasFirst'>) {
    this.#aggregates = aggregates;
  }

  async exists(category: Category, id: string): Promise<boolean> {
    return (await this.#aggregates.firstOf(streamOf(category, id))) !== null;
  }

  /**
   * The rejection of a body that refers to something unknown, or null. Fields that are absent or null refer to nothing.
   * Returns no promise where all is known. Looking for it ends when the request's signal aborts.
   */
  findRejection(references: References | null, request: ReferencingRequest): Promise<Rejection | null> | null {
    if (references === null) return null;
    const unseen = referencesIn(references, request.body).filter(
      ({ category, id }) => !this.#aggregates.hasFirst(streamOf(category, id)),
    );
    return unseen.length === 0 ? null : this.#rejectionOf(unseen, request.signal);
  }

  async #rejectionOf(unseen: readonly Reference[], signal: AbortSignal): Promise<Rejection | null> {
    const faults: Fault[] = [];
    for (let from = 0; from < unseen.length && faults.length < MAX_FAULTS; from += LOOK_UPS) {
      signal.throwIfAborted();
      const some = unseen.slice(from, from + LOOK_UPS);
      const found = await Promise.all(some.map(({ category, id }) => this.exists(category, id)));
      const missing = some.filter((_, n) => found[n] === false);
      faults.push(
        ...missing.map(({ category, pointer }) => ({ pointer, detail: `there is no ${category} with this id` })),
      );
    }
    if (faults.length === 0) return null;
    return new Rejection('UNKNOWN_REFERENCE', 'The request refers to something that does not exist.', faults);
  }
}

/** @throws {Problem} 404 for an id of nothing */
export async function requireExisting(references: ReferenceCheck, category: Category, id: string): Promise<void> {
  if (!(await references.exists(category, id))) throw notFoundProblem();
}

/** A field of a body that names a resource. */
interface Reference {
  readonly category: Category;
  readonly id: string;
  /** JSON pointer of the id. */
  readonly pointer: string;
}

/** All references in a body; fields that are absent or null name nothing. */
export function referencesIn(references: References, body: unknown): readonly Reference[] {
  const found: Reference[] = [];
  if (typeof body !== 'object' || body === null) return found;
  for (const field in references) {
    const category = references[field];
    const value: unknown = Reflect.get(body, field);
    if (category === undefined || value === undefined || value === null) continue;
    if (typeof value === 'string') found.push({ category, id: value, pointer: `/${field}` });
    if (!Array.isArray(value)) continue;
    for (const [index, id] of value.entries()) {
      if (typeof id === 'string') found.push({ category, id, pointer: `/${field}/${index}` });
    }
  }
  return found;
}
