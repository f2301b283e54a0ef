import type { Position, RecordedEvent } from '../kernel/ports/event-store.ts';

/** Cells of numbers, and behind them the text. */
const HANDLING = 0;
const EVENTS = 1;
const REACHED = 2;
const TYPE_BYTES = 3;
const STREAM_BYTES = 4;
const STOPPED = 5;
const CELLS = 6;
const CELLS_BYTES = CELLS * Float64Array.BYTES_PER_ELEMENT;
/** Longer names of types and streams are cut. */
const TYPE_ROOM = 256;
const STREAM_ROOM = 2_048;

/** No event has a negative position. */
const NOTHING = -1;
const LOADING = -2;

/** What the worker of a replay is busy with. */
export type Busy =
  | { readonly kind: 'loading' }
  | { readonly kind: 'event'; readonly position: Position; readonly type: string; readonly stream: string };

/**
 * Where a replay is, in memory that the command and its worker share: a handler that loops for ever says nothing, but
 * what it was given can be read here.
 */
export class Place {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: Float64Array;
  readonly #text: Buffer;
  #type = '';
  /** What the analyst's code is at, be it that it waits for us. */
  #handling = NOTHING;

  /** @param shared what another thread's place is in; left out: a place of its own, at nothing. */
  constructor(shared: SharedArrayBuffer | null = null) {
    const buffer = shared ?? new SharedArrayBuffer(CELLS_BYTES + TYPE_ROOM + STREAM_ROOM);
    this.buffer = buffer;
    this.#cells = new Float64Array(buffer, 0, CELLS);
    this.#text = Buffer.from(buffer, CELLS_BYTES);
    if (shared === null) this.leave();
  }

  /** The module itself begins to run. */
  load(): void {
    this.#begin(LOADING);
  }

  /** An event is handed to a handler. */
  enter({ position, type, stream }: RecordedEvent): void {
    if (type !== this.#type) {
      this.#type = type;
      this.#cells[TYPE_BYTES] = this.#text.write(type, 0, TYPE_ROOM, 'utf8');
    }
    this.#cells[STREAM_BYTES] = this.#text.write(stream, TYPE_ROOM, STREAM_ROOM, 'utf8');
    this.#begin(position);
  }

  /** Nothing of the analyst's runs. */
  leave(): void {
    this.#begin(NOTHING);
  }

  /** Does something of ours that a handler waits for: however long it takes, it is not the handler's fault. */
  async away<T>(work: () => Promise<T>): Promise<T> {
    this.#cells[HANDLING] = NOTHING;
    try {
      return await work();
    } finally {
      this.#cells[HANDLING] = this.#handling;
    }
  }

  /** Nothing more is to be handed to handlers. */
  stop(): void {
    this.#cells[STOPPED] = 1;
  }

  get stopped(): boolean {
    return this.#cells[STOPPED] === 1;
  }

  advance(events: number, reached: Position): void {
    this.#cells[EVENTS] = (this.#cells[EVENTS] ?? 0) + events;
    this.#cells[REACHED] = reached;
  }

  /** Events handled so far, and the position up to which there are no more. */
  progress(): { readonly events: number; readonly reached: Position } {
    return { events: this.#cells[EVENTS] ?? 0, reached: this.#cells[REACHED] ?? 0 };
  }

  /** What the analyst's code is at; null between two things, and while it waits for us. */
  busy(): Busy | null {
    const position = this.#cells[HANDLING] ?? NOTHING;
    if (position === LOADING) return { kind: 'loading' };
    if (position === NOTHING) return null;
    const type = this.#text.toString('utf8', 0, this.#cells[TYPE_BYTES]);
    const stream = this.#text.toString('utf8', TYPE_ROOM, TYPE_ROOM + (this.#cells[STREAM_BYTES] ?? 0));
    return { kind: 'event', position, type, stream };
  }

  #begin(handling: number): void {
    this.#handling = handling;
    this.#cells[HANDLING] = handling;
  }
}
