import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { StoreUnavailable } from '../../src/service/kernel/ports/errors.ts';
import {
  appendMessage,
  correlationOf,
  resultOf,
  type BatchAppendRequest,
  type BatchAppendResult,
} from './append-messages.ts';
import { openBatchAppend, type BatchAppendCall, type Connection, type Handle } from './connection.ts';
import { reasonOf, refusalOf, unavailable } from './refusals.ts';

/** An append that waits for its response. */
interface Pending {
  readonly resolve: (result: BatchAppendResult) => void;
  /** The server reported an error that leaves the outcome unknown. */
  readonly reject: (error: Error) => void;
  /** The call ended. */
  readonly connectionLost: (error: Error) => void;
}

/**
 * Appends over one batch-append call of the client's connection. The client's own `appendToStream` is not used: all
 * clients share one list of pending appends, so that an error on one rejects those of another, whose late response then
 * ends the process; and a call that breaks while writes wait for the socket ends the process too (an unhandled rejection
 * in its promise executor). It also has no time limit for an append.
 */
export class BatchAppendClient {
  readonly #connection: Connection;
  readonly #timeoutMs: number;
  #call: Promise<BatchAppendStream> | null = null;
  #handle: Handle | null = null;
  /** When the call last received a response, on the monotonic clock. */
  #lastResponseAt = 0;

  constructor(connection: Connection, timeoutMs: number) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Sends the append and waits for the response.
   * @throws {StoreUnavailable} when the outcome is unknown: no response in time, connection lost, or a server error.
   */
  async append(request: BatchAppendRequest): Promise<BatchAppendResult> {
    const { handle } = this.#connection;
    if (handle !== this.#handle) this.#open(handle);
    const sentAt = performance.now();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        timer = setTimeout(() => reject(this.#lateError(handle, sentAt)), this.#timeoutMs);
        const connectionLost = (cause: Error): void => {
          this.#connection.discard(handle, cause);
          const reason = refusalOf(cause) === null ? (handle.lostBecause ?? cause) : cause;
          if (wasNeverSent(cause)) resolve({ failed: reasonOf(reason) ?? 'it cannot be reached' });
          reject(unavailable('the connection to the event store was lost during an append', reason));
        };
        const notOpened = (error: unknown): void =>
          connectionLost(new Unreachable('no node was found', { cause: error }));
        this.#call?.then((call) => call.send(request, { resolve, reject, connectionLost }), notOpened);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #open(handle: Handle): void {
    this.#handle = handle;
    this.#lastResponseAt = 0;
    const onResponse = (): void => {
      this.#lastResponseAt = handle.lastHeardAt = performance.now();
    };
    this.#call = openBatchAppend(handle.client).then((call) => new BatchAppendStream(call, onResponse));
  }

  /** Discards the connection if nothing was received by this call since the append was sent: it, or the server, is dead. */
  #lateError(handle: Handle, sentAt: number): StoreUnavailable {
    const late = new StoreUnavailable(`the event store did not answer an append within ${this.#timeoutMs} ms`);
    if (this.#lastResponseAt < sentAt) this.#connection.discard(handle, late);
    return late;
  }
}

/** Thrown when no call could be opened. */
class Unreachable extends Error {}

/** Whether the call never had a connection, by the error text of grpc-js; a test checks that text. */
function wasNeverSent(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof Error && error.message.includes('No connection established');
}

/** An open call. When it ends, its pending appends fail. */
class BatchAppendStream {
  readonly #call: BatchAppendCall;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #ended: Error | null = null;

  constructor(call: BatchAppendCall, onResponse: () => void) {
    this.#call = call;
    call.on('data', (response: BatchAppendResp) => {
      onResponse();
      this.#receive(response);
    });
    call.on('error', (error) => this.#end(error));
    call.on('end', () => this.#end(new Error('the server ended the call')));
  }

  send(request: BatchAppendRequest, pending: Pending): void {
    if (this.#ended !== null) {
      pending.connectionLost(this.#ended);
      return;
    }
    const id = (this.#lastId += 1);
    this.#pending.set(id, pending);
    // No need to wait until the socket drains: each pending append has a caller that waits for it.
    this.#call.write(appendMessage(id, request));
  }

  #receive(response: BatchAppendResp): void {
    const id = correlationOf(response);
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    try {
      pending.resolve(resultOf(response));
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      pending.reject(new StoreUnavailable('the event store could not append', { cause }));
    }
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const pending of this.#pending.values()) pending.connectionLost(error);
    this.#pending.clear();
  }
}
