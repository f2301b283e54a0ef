import type { Position } from '../kernel/ports/event-store.ts';

export interface LiveSink {
  /** Sends bytes; does nothing when the reader has gone. */
  write(bytes: Uint8Array): void;
  /** Bytes that the reader has not taken yet. */
  readonly waiting: number;
  /** Calls `listener` once when the reader has taken all of them. */
  onTaken(listener: () => void): void;
}

export interface Reader {
  readonly sink: LiveSink;
  /** Name of the client's address. */
  readonly address: string;
  /** Position up to which the reader has all changes, as far as the broadcast needs to know. */
  after: Position;
}
