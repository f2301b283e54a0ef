/** A stream of server-sent events for one reader. */
export interface EventSource {
  start(sink: EventSink): void;
  /** Called once: when the stream has ended, or was never begun. */
  end(): void;
}

export interface EventSink {
  /** Sends bytes: whole events. Does nothing when the reader has gone. */
  write(bytes: Uint8Array): void;
  /** Bytes that the reader has not taken yet. */
  readonly waiting: number;
  /** Calls `listener` once when the reader has taken all that was sent. */
  onTaken(listener: () => void): void;
}
