import { z } from 'zod';
import { BUILT_IN } from '../../../projections/index.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import { CatchUp } from './catch-up.ts';
import type { ProjectionStores } from './generations.ts';

/** Name of the register that holds the progress of the rebuild that was last under way. */
const REGISTER = `rebuild progress ${BUILT_IN}`;

/** How often, in ms, the progress is written at most. */
const WRITE_EVERY_MS = 500;

const MS_PER_SECOND = 1000;

/** How far a rebuild had come when that was last written, in any process. */
export const StoredProgress = z.object({
  /** Namespace of the read models that it makes. */
  generation: z.string(),
  /** When this run of it began, and when this was written, ISO 8601. */
  startedAt: z.string(),
  writtenAt: z.string(),
  /** Events that this run has projected. */
  events: z.number(),
  /** Position of the last of them, and of the newest event; that of a rebuild that is done is the last of them. */
  position: z.number(),
  head: z.number(),
  eventsPerSecond: z.number(),
  /** How long, in ms, it takes from then on if it goes on as so far; null while that cannot be told. */
  etaMs: z.number().nullable(),
});
export type StoredProgress = z.output<typeof StoredProgress>;

/** Reads the progress of the rebuild that was last under way; null where none was. @throws {StoreUnavailable} */
export async function readProgress({ readStore }: Pick<ProjectionStores, 'readStore'>): Promise<StoredProgress | null> {
  // Another release may have written it in another form: nothing depends on it.
  return StoredProgress.safeParse((await readStore.readRegister(REGISTER))?.value).data ?? null;
}

/** Options of `ProgressWriter`. */
export interface ProgressWriterOptions {
  readonly stores: Pick<ProjectionStores, 'readStore' | 'store' | 'clock'>;
  readonly generation: string;
  /** Where this run goes on from. */
  readonly from: Position | null;
  /** Called when the progress could not be written, which stops nothing. */
  readonly onError: (error: Error) => void;
}

/** Writes down how far a rebuild is, now and then, so that every process can show it. */
export class ProgressWriter {
  readonly #options: ProgressWriterOptions;
  readonly #catchUp = new CatchUp();
  readonly #startedAt: string;
  readonly #since: number;
  #latest: { readonly events: number; readonly position: Position };
  #writing: Promise<void> | null = null;
  #writtenAt = -Infinity;

  constructor(options: ProgressWriterOptions) {
    const { stores, from } = options;
    this.#options = options;
    this.#latest = { events: 0, position: from ?? 0 };
    this.#startedAt = new Date(stores.clock.now()).toISOString();
    this.#since = stores.clock.monotonic();
    this.#catchUp.progress({ checkpoint: from, head: null, now: this.#since });
  }

  /** To be called with the events projected so far, and the position of the last. */
  update(events: number, position: Position): void {
    this.#latest = { events, position };
    const isRecent = this.#options.stores.clock.monotonic() - this.#writtenAt < WRITE_EVERY_MS;
    if (this.#writing !== null || isRecent) return;
    this.#writing = this.#write().finally(() => {
      this.#writing = null;
    });
  }

  /**
   * Writes the newest progress; resolves when that is done. `isDone` says that the head was reached: what was recorded
   * after that is left to the projector, and is not missing.
   */
  async end(isDone: boolean): Promise<void> {
    await this.#writing;
    await this.#write(isDone);
  }

  async #write(isDone = false): Promise<void> {
    const { stores, onError } = this.#options;
    this.#writtenAt = stores.clock.monotonic();
    try {
      const { events, position } = this.#latest;
      const head = isDone ? position : Math.max(position, (await stores.store.head()) ?? 0);
      const progress = this.#progressAt(events, position, head);
      const version = (await stores.readStore.readRegister(REGISTER))?.version ?? 0;
      // Where another process was first, that one goes on with the rebuild.
      await stores.readStore.writeRegister(REGISTER, progress, version);
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #progressAt(events: number, position: Position, head: Position): StoredProgress {
    const { generation, stores } = this.#options;
    const now = stores.clock.monotonic();
    const { readyInSeconds } = this.#catchUp.progress({ checkpoint: position, head, now });
    const seconds = (now - this.#since) / MS_PER_SECOND;
    return {
      ...{ generation, startedAt: this.#startedAt, writtenAt: new Date(stores.clock.now()).toISOString() },
      ...{ events, position, head },
      eventsPerSecond: seconds === 0 ? 0 : Math.round(events / seconds),
      etaMs: readyInSeconds === null ? null : readyInSeconds * MS_PER_SECOND,
    };
  }
}
