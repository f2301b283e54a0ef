import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { appendMessage, correlationOf, resultOf } from './append-messages.ts';
import type { BatchAppendRequest, BatchAppendResult } from './append-messages.ts';
import { openBatchAppend, type BatchAppendCall, type Connection, type Handle } from './connection.ts';
import { reasonOf, refusalOf, unavailable } from './refusals.ts';

interface Pending {
  readonly resolve: (result: BatchAppendResult) => void;
  /** The server reported an error that leaves the outcome unknown. */
  readonly reject: (error: Error) => void;
  readonly connectionLost: (error: Error) => void;
}

/**
 * Appends over one batch-append call of the client's connection. The client's own `appendToStream` is not used: all
 * clients share one list of pending appends, so that an error on one rejects those of another, whose late response then
 * ends the process; and a call that breaks while writes wait for the socket ends the process too (an unhandled rejection
 * in its promise executor). It also has no time limit for an append.
 */
export function createBatchAppend(connection: Connection, timeoutMs: number) {
  let open: OpenCall | null = null;
  /** The call of a client: the one that is open, or a new one where there is none or it has ended. */
  const callOn = (handle: Handle): OpenCall => {
    if (open?.handle === handle) return open;
    const opening: OpenCall = {
      handle,
      lastResponseAt: 0,
      sender: openBatchAppend(handle.client).then((call) =>
        senderOver(call, {
          onResponse: () => {
            opening.lastResponseAt = performance.now();
            handle.lastHeardAt = opening.lastResponseAt;
          },
          onEnd: () => forget(opening),
        }),
      ),
    };
    open = opening;
    // Its appends fail with the reason.
    opening.sender.catch(() => forget(opening));
    return opening;
  };
  const forget = (ended: OpenCall): void => {
    if (open === ended) open = null;
  };
  /** Discards the connection if this call received nothing since the append was sent: it, or the server, is dead. */
  const lateError = ({ handle, lastResponseAt }: OpenCall, sentAt: number): StoreUnavailable => {
    const late = new StoreUnavailable(`the event store did not answer an append within ${timeoutMs} ms`);
    if (lastResponseAt < sentAt) connection.discard(handle, late);
    return late;
  };
  /**
   * Sends the append and waits for the response.
   * @throws {StoreUnavailable} when the outcome is unknown: no response in time, connection lost, or a server error.
   */
  return async (request: BatchAppendRequest): Promise<BatchAppendResult> => {
    const { handle, runningTime } = connection;
    const call = callOn(handle);
    const sentAt = performance.now();
    let endWait: () => void = () => undefined;
    try {
      return await new Promise((resolve, reject) => {
        endWait = runningTime.after(timeoutMs, () => reject(lateError(call, sentAt)));
        const connectionLost = (cause: Error): void => {
          connection.discard(handle, cause);
          const reason = refusalOf(cause) === null ? (handle.lostBecause ?? cause) : cause;
          if (wasNeverSent(cause)) resolve({ failed: reasonOf(reason) ?? 'it cannot be reached' });
          reject(unavailable('the connection to the event store was lost during an append', reason));
        };
        const notOpened = (error: unknown): void =>
          connectionLost(new Unreachable('no node was found', { cause: error }));
        call.sender.then((send) => send(request, { resolve, reject, connectionLost }), notOpened);
      });
    } finally {
      endWait();
    }
  };
}

/** A call on a client, with its sender of appends. */
interface OpenCall {
  readonly handle: Handle;
  readonly sender: Promise<SendAppend>;
  /** When it last received a response, on the monotonic clock; 0 for never. */
  lastResponseAt: number;
}

/** Thrown when no call could be opened. */
class Unreachable extends Error {}

/** Whether the call never had a connection, by the error text of grpc-js; a test checks that text. */
function wasNeverSent(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof Error && error.message.includes('No connection established');
}

type SendAppend = ReturnType<typeof senderOver>;

/** A function that sends appends over a call. When the call ends, its pending appends fail. */
function senderOver(
  call: BatchAppendCall,
  { onResponse, onEnd }: { readonly onResponse: () => void; readonly onEnd: () => void },
) {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let ended: Error | null = null;
  const end = (error: Error): void => {
    ended ??= error;
    onEnd();
    for (const append of pending.values()) append.connectionLost(error);
    pending.clear();
  };
  call.on('data', (response: BatchAppendResp) => {
    onResponse();
    const id = correlationOf(response);
    const append = pending.get(id);
    pending.delete(id);
    try {
      append?.resolve(resultOf(response));
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      append?.reject(new StoreUnavailable('the event store could not append', { cause }));
    }
  });
  call.on('error', end);
  call.on('end', () => end(new Error('the server ended the call')));
  return (request: BatchAppendRequest, append: Pending): void => {
    if (ended !== null) {
      append.connectionLost(ended);
      return;
    }
    lastId += 1;
    pending.set(lastId, append);
    // No need to wait until the socket drains: each pending append has a caller that waits for it.
    call.write(appendMessage(lastId, request));
  };
}
