import type { Position, RecordedEvent } from '../../service/kernel/ports/event-store.ts';

/** Layout of the memory: these cells of numbers, then the type and the stream of the current event as text. */
const CURRENT = 0;
const EVENTS_HANDLED = 1;
const REACHED = 2;
const TYPE_BYTES = 3;
const STREAM_BYTES = 4;
const STOPPED = 5;
const CELLS = 6;
const CELLS_BYTES = CELLS * Float64Array.BYTES_PER_ELEMENT;
/** Longer names of types and streams are truncated. */
const MAX_TYPE_BYTES = 256;
const MAX_STREAM_BYTES = 2_048;

/** Values of the cell CURRENT besides positions, which are never negative. */
const IDLE = -1;
const LOADING = -2;

/** What the analyst's module is executing. */
export type CurrentWork =
  | { readonly kind: 'loading' }
  | { readonly kind: 'event'; readonly position: Position; readonly type: string; readonly stream: string };

/**
 * The state of a running replay, in memory that the command's thread and the worker share: a worker whose handler loops
 * for ever sends no messages, but the command can still read here which event it was given.
 */
export class SharedReplayState {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: Float64Array;
  readonly #text: Buffer;
  #type = '';
  /** As in the cell CURRENT, but also while `withoutTimeout` has set that to IDLE. */
  #current = IDLE;

  /** @param shared the `buffer` of another thread's object; left out: new memory, idle. */
  constructor(shared: SharedArrayBuffer | null = null) {
    const buffer = shared ?? new SharedArrayBuffer(CELLS_BYTES + MAX_TYPE_BYTES + MAX_STREAM_BYTES);
    this.buffer = buffer;
    this.#cells = new Float64Array(buffer, 0, CELLS);
    this.#text = Buffer.from(buffer, CELLS_BYTES);
    if (shared === null) this.idle();
  }

  /** The module is being loaded. */
  startLoading(): void {
    this.#setCurrent(LOADING);
  }

  /** An event is being handed to a handler. */
  startEvent({ position, type, stream }: RecordedEvent): void {
    if (type !== this.#type) {
      this.#type = type;
      this.#cells[TYPE_BYTES] = this.#text.write(type, 0, MAX_TYPE_BYTES, 'utf8');
    }
    this.#cells[STREAM_BYTES] = this.#text.write(stream, MAX_TYPE_BYTES, MAX_STREAM_BYTES, 'utf8');
    this.#setCurrent(position);
  }

  /** None of the analyst's code is running. */
  idle(): void {
    this.#setCurrent(IDLE);
  }

  /** Does work of ours that a handler waits for: its time does not count towards the handler's time limit. */
  async withoutTimeout<T>(work: () => Promise<T>): Promise<T> {
    this.#cells[CURRENT] = IDLE;
    try {
      return await work();
    } finally {
      this.#cells[CURRENT] = this.#current;
    }
  }

  /** No more events are to be handed to handlers. */
  stop(): void {
    this.#cells[STOPPED] = 1;
  }

  get stopped(): boolean {
    return this.#cells[STOPPED] === 1;
  }

  advance(events: number, reached: Position): void {
    this.#cells[EVENTS_HANDLED] = (this.#cells[EVENTS_HANDLED] ?? 0) + events;
    this.#cells[REACHED] = reached;
  }

  /** Number of events handled so far, and the position up to which all have been. */
  progress(): { readonly events: number; readonly reached: Position } {
    return { events: this.#cells[EVENTS_HANDLED] ?? 0, reached: this.#cells[REACHED] ?? 0 };
  }

  /** What the module is executing; null between two events, and during `withoutTimeout`. */
  current(): CurrentWork | null {
    const position = this.#cells[CURRENT] ?? IDLE;
    if (position === LOADING) return { kind: 'loading' };
    if (position === IDLE) return null;
    const type = this.#text.toString('utf8', 0, this.#cells[TYPE_BYTES]);
    const stream = this.#text.toString('utf8', MAX_TYPE_BYTES, MAX_TYPE_BYTES + (this.#cells[STREAM_BYTES] ?? 0));
    return { kind: 'event', position, type, stream };
  }

  #setCurrent(current: number): void {
    this.#current = current;
    this.#cells[CURRENT] = current;
  }
}
