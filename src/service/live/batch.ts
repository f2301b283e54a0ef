import type { EventSink } from '../domain/event-source.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import type { LiveBoard } from './live-board.ts';
import type { SharedYielder } from './shared-yielder.ts';

export interface Reader {
  readonly sink: EventSink;
  /** Name of the client's address. */
  readonly address: string;
  /** Position up to which the reader has all changes, as far as the broadcast needs to know. */
  after: Position;
}

/** From then on a batch is full. */
const BATCH_BYTES = 65_536;

/** The events of successive changes that are due at once: a reader gets them in one write. */
export class Batch {
  readonly #frames: { readonly position: Position; readonly frame: Buffer }[] = [];
  #bytes = 0;
  #whole: Buffer | null = null;

  static async of(board: LiveBoard, yielder: SharedYielder, isDue: () => boolean): Promise<Batch> {
    const batch = new Batch();
    while (batch.#bytes < BATCH_BYTES && isDue()) {
      const others = yielder.step();
      if (others !== null) await others;
      if (!(await batch.#take(board))) break;
    }
    return batch;
  }

  sendTo({ sink, after }: Reader): void {
    const [first] = this.#frames;
    if (first === undefined) return;
    if (after < first.position) {
      this.#whole ??= this.#frames.length === 1 ? first.frame : Buffer.concat(this.#frames.map(({ frame }) => frame));
      sink.write(this.#whole);
      return;
    }
    for (const { position, frame } of this.#frames) if (after < position) sink.write(frame);
  }

  /** Takes the next change; false: it cannot be computed now, and what was taken before is to be sent. */
  async #take(board: LiveBoard): Promise<boolean> {
    const { next } = board;
    if (next === undefined) return false;
    try {
      const frame = await board.advance(next);
      if (frame === null) return true;
      this.#frames.push({ position: next.position, frame });
      this.#bytes += frame.length;
      return true;
    } catch (error) {
      // It is thrown again with the next batch.
      if (this.#frames.length === 0) throw error;
      return false;
    }
  }
}
