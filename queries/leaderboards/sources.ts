import { findSome, streamAll } from '../../src/domain/documents.ts';
import { OverBudget } from '../../src/kernel/ports/errors.ts';
import { isOrdered } from '../../src/kernel/index-planner.ts';
import { CREATED } from '../../src/kernel/ports/read-store.ts';
import type { Document, QueryBounds, ReadModels, Where } from '../../src/kernel/ports/read-store.ts';
import type { Clock } from '../../src/kernel/ports/system.ts';
import type { ReadModel } from '../../src/kernel/projection/projection.ts';
import type { EventBoard, LapFilter } from './lap-board.ts';

/** The read models, and how much of them a request may still read. */
export interface Sources {
  readonly models: ReadModels;
  readonly allowance: Allowance;
  /**
   * Puts the whole names of people into rows, for a reader whose licence owns them; undefined: every reader sees public
   * names only.
   */
  readonly namePeople?: NamePeople | undefined;
}

/** Rows that name a participant, with the names that a reader sees. */
export type NamePeople = <R extends { readonly participantId: string | null }>(
  rows: readonly R[],
) => Promise<readonly R[]>;

/** Runs long work when its turn has come. `work` must not request another turn: that would deadlock. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

export interface BoardSources extends Sources {
  readonly clock: Pick<Clock, 'now'>;
  readonly turn: Turn;
  /**
   * The board of the laps of an event that pass a filter, as of a moment in epoch ms (Infinity: now); null when there is
   * no such event. It is cached, so it costs little when it is asked for again.
   * @throws {OverBudget} when the event has too many laps
   * @throws {StoreUnavailable}
   */
  readonly lapBoard: (filter: LapFilter, asOf: number) => Promise<EventBoard | null>;
  /** Whether the laps of an event are in memory, or this was asked a moment ago: then they are worth being loaded. */
  readonly isFollowed: (eventId: string) => boolean;
}

/** Fewer documents are found with one query; more are streamed. */
export const FEW = 100;
const BY_CREATION = { field: CREATED, direction: 'asc' } as const;

/** Number of documents that a request may still visit. */
export class Allowance {
  readonly #budget: number;
  readonly #rest: Omit<QueryBounds, 'budget'>;
  #left: number;

  constructor({ budget = Infinity, ...rest }: QueryBounds = {}) {
    this.#budget = budget;
    this.#rest = rest;
    this.#left = budget;
  }

  /**
   * Every document of a read model that matches, in batches.
   * @throws {OverBudget} and the signal's reason
   */
  async *all<D extends Document>(models: ReadModels, model: ReadModel<D>, where: Where): AsyncGenerator<readonly D[]> {
    const few = await this.#few(models, model, where);
    if (few !== null) {
      this.spend(few.length);
      if (few.length > 0) yield few;
      return;
    }
    for await (const batch of streamAll(models, model, { where, ...this.bounds() })) {
      this.spend(batch.length);
      yield batch;
    }
  }

  /** All documents that match, if an index finds them and they are few, else null: starting a stream costs more. */
  async #few<D extends Document>(models: ReadModels, model: ReadModel<D>, where: Where): Promise<readonly D[] | null> {
    if (this.#left < FEW || !isOrdered(model.indexes, where, CREATED)) return null;
    const found = await findSome(models, model, { where, sort: BY_CREATION, offset: 0, limit: FEW, ...this.bounds() });
    return found.length < FEW ? found : null;
  }

  /** The bounds of one more query. */
  bounds(): QueryBounds {
    return this.#left < Infinity ? { budget: this.#left, ...this.#rest } : this.#rest;
  }

  /** @throws {OverBudget} and the signal's reason */
  spend(documents: number): void {
    this.#rest.signal?.throwIfAborted();
    this.#left -= documents;
    if (this.#left < 0) throw new OverBudget(this.#budget);
  }
}
