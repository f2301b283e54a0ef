import type { References } from '../../domain/body-command.ts';
import type { Category } from '../../domain/categories.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import type { Fault } from '../../kernel/aggregate/rejection.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { ApiRequest } from '../http/endpoint.ts';
import { Problem } from '../http/problems.ts';
import { notFoundProblem } from './views.ts';

/** A request whose body refers to resources; its signal is asked for only where something must be looked up. */
export type ReferencingRequest = Pick<ApiRequest, 'body' | 'signal'>;

/** A reference in a body. */
interface Reference {
  readonly category: Category;
  readonly id: string;
  readonly pointer: string;
}

/** Resources that are looked up at the same time. */
const LOOK_UPS = 50;
/** Faults after which no more are looked for. */
const MAX_FAULTS = 50;

/** Most resources that are remembered. */
const MAX_KNOWN = 100_000;

/**
 * The resources that requests refer to. The event store is asked for them, so that a lagging projection never makes a
 * valid request fail.
 */
export class ReferencedResources {
  readonly #aggregates: Pick<Aggregates, 'firstOf'>;
  /** Category of each resource that was found, by its id: what others refer to is never deleted. */
  readonly #known = new Map<string, Category>();

  constructor(aggregates: Pick<Aggregates, 'firstOf'>) {
    this.#aggregates = aggregates;
  }

  async exists(category: Category, id: string): Promise<boolean> {
    if (this.#known.get(id) === category) return true;
    if ((await this.#aggregates.firstOf(streamOf(category, id))) === null) return false;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(id, category);
    return true;
  }

  /** @throws {Problem} 404 when there is no such resource */
  async requireExisting(category: Category, id: string): Promise<void> {
    if (!(await this.exists(category, id))) throw notFoundProblem();
  }

  /**
   * Checks that the resources exist that a body refers to. It ends when the request's signal aborts.
   * @throws {Problem} 422 that names each field that refers to nothing
   */
  async check(references: References | null, request: ReferencingRequest): Promise<void> {
    if (references === null) return;
    const unknown = referencesIn(references, request.body).filter(
      ({ id, category }) => this.#known.get(id) !== category,
    );
    if (unknown.length === 0) return;
    const { signal } = request;
    const errors: Fault[] = [];
    for (let from = 0; from < unknown.length && errors.length < MAX_FAULTS; from += LOOK_UPS) {
      signal.throwIfAborted();
      const step = unknown.slice(from, from + LOOK_UPS);
      const found = await Promise.all(step.map(({ category, id }) => this.exists(category, id)));
      for (const [n, { category, pointer }] of step.entries()) {
        if (found[n] === false) errors.push({ pointer, detail: `there is no ${category} with this id` });
      }
    }
    if (errors.length === 0) return;
    throw new Problem('UNKNOWN_REFERENCE', 'The request refers to something that does not exist.', { errors });
  }
}

/** The references in a body; fields that are absent or null refer to nothing. */
export function referencesIn(references: References, body: unknown): readonly Reference[] {
  const found: Reference[] = [];
  for (const field in references) {
    const category = references[field];
    if (category === undefined) continue;
    const value: unknown = Reflect.get(Object(body), field);
    const pointer = `/${field}`;
    if (typeof value === 'string') found.push({ category, id: value, pointer });
    if (!Array.isArray(value)) continue;
    for (const [index, id] of value.entries()) {
      if (typeof id === 'string') found.push({ category, id, pointer: `${pointer}/${index}` });
    }
  }
  return found;
}
