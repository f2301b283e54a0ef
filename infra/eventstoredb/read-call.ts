import { convertToCommandError } from '@eventstore/db-client';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Handle, ReadStream } from './connection.ts';
import { decodeReadResponse, type ReadResponse, type Wanted } from './read-response.ts';

/** Callbacks of a ReadCall: responses, then its end or its failure, once. */
export interface ReadCallListener {
  /** Which events to decode; unset: all of this service. */
  readonly wanted?: Wanted | undefined;
  readonly onResponse: (response: ReadResponse) => void;
  readonly onEnd: () => void;
  readonly onFailed: (error: Error) => void;
}

/**
 * A read or subscription under way. It takes the bytes off the client's connection and decodes them itself: the client's
 * own streams take three times as long for an event.
 */
export class ReadCall {
  readonly #listener: ReadCallListener;
  readonly #handle: Handle;
  readonly #lost = (error: Error): void => this.#fail(error);
  readonly #call: Promise<ReadStream>;
  #stream: ReadStream | null = null;
  #isPaused = false;
  #hasEnded = false;

  constructor(handle: Handle, request: ReadReq, listener: ReadCallListener) {
    this.#listener = listener;
    this.#handle = handle;
    handle.onLost.add(this.#lost);
    this.#call = handle.openRead(request);
    this.#call.then(
      (stream) => this.#listen(stream),
      (error: unknown) => this.#fail(error),
    );
  }

  /** No more responses until `resume`: the server is slowed down by backpressure. */
  pause(): void {
    this.#isPaused = true;
    this.#stream?.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#stream?.resume();
  }

  /** Ends it; the listener hears nothing more. */
  cancel(): void {
    if (this.#settle()) this.#cancelCall();
  }

  #listen(stream: ReadStream): void {
    this.#stream = stream;
    // Listeners are never removed: an error event without one would end the process.
    stream.on('error', (error) => this.#fail(error));
    stream.on('end', () => {
      if (this.#settle()) this.#listener.onEnd();
    });
    stream.on('close', () => this.#fail(new Error('the call was closed')));
    stream.on('data', (bytes: Buffer) => this.#take(bytes));
    if (this.#isPaused) stream.pause();
  }

  #take(bytes: Buffer): void {
    if (this.#hasEnded) return;
    try {
      this.#listener.onResponse(decodeReadResponse(bytes, this.#listener.wanted));
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(cause: unknown): void {
    if (!this.#settle()) return;
    this.#cancelCall();
    const error = cause instanceof Error ? cause : new Error(String(cause));
    this.#listener.onFailed(convertToCommandError(error));
  }

  /** Whether it had not ended before. */
  #settle(): boolean {
    if (this.#hasEnded) return false;
    this.#hasEnded = true;
    this.#handle.onLost.delete(this.#lost);
    return true;
  }

  /** In a turn of its own: within a callback of the call, grpc-js would go on with what it has cancelled. */
  #cancelCall(): void {
    this.#call.then(
      (stream) => setImmediate(() => stream.cancel()),
      // It was never opened.
      () => undefined,
    );
  }
}
