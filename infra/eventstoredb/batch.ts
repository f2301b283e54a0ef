import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { AppendResult, Revision } from '../../src/kernel/ports/event-store.ts';
import { openBatchAppend, type BatchAppendCall, type Connection, type Handle } from './connection.ts';
import { revisionOf, safe, uuidOf, type Proposal } from './events.ts';

/** An append under way. */
export interface Request {
  readonly stream: string;
  readonly proposals: readonly Proposal[];
  readonly expected: Revision | 'no_stream' | 'any';
}

/** What became of an append: done, or surely not: the stream is elsewhere, or another reason. */
export type Answer = AppendResult | 'wrong revision' | { readonly failed: string };

/** Refusals after which nothing will be appended. All other errors leave the outcome open. */
const REFUSALS: Readonly<Record<string, string>> = {
  'event_store.client.StreamDeleted': 'the stream was deleted',
  'event_store.client.AccessDenied': 'access denied',
  'event_store.client.MaximumAppendSizeExceeded': 'larger than the server takes',
};
const WRONG_REVISION = 'event_store.client.WrongExpectedVersion';

/** The client's protobuf library cannot be imported, so its `Empty` is read off the wire: field 4 of the options. */
const EMPTY = streams.BatchAppendReq.Options.deserializeBinary(Uint8Array.of(0x22, 0)).getAny();

interface Pending {
  readonly resolve: (answer: Answer) => void;
  /** The server said that something else is wrong, or that it ran out of time. */
  readonly reject: (error: Error) => void;
  /** The call ended. */
  readonly lost: (error: Error) => void;
}

/**
 * Appends over one batch-append call of the client's connection. The client's own `appendToStream` is not used: its
 * clients share the list of appends under way, so that an error on one rejects those of another and the late answer
 * then ends the process, and a call that breaks while writes wait for the socket ends the process too (its promise
 * executor rejects unheard). It also bounds no append in time.
 */
export class BatchAppends {
  readonly #connection: Connection;
  readonly #timeoutMs: number;
  #call: Promise<Call> | null = null;
  #lease: Handle | null = null;
  /** When the call last brought an answer, on the monotonic clock. */
  #heard = 0;

  constructor(connection: Connection, timeoutMs: number) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Sends the append and waits for its answer.
   * @throws {StoreUnavailable} when the outcome is unknown: no answer in time, connection lost, the server in trouble.
   */
  async append(request: Request): Promise<Answer> {
    const { lease } = this.#connection;
    if (lease !== this.#lease) this.#open(lease);
    const sent = performance.now();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        timer = setTimeout(() => reject(this.#late(lease, sent)), this.#timeoutMs);
        const lost = (cause: unknown): void => {
          this.#connection.retire(lease);
          if (neverSent(cause)) resolve({ failed: 'it cannot be reached' });
          reject(new StoreUnavailable('the connection to the event store was lost during an append', { cause }));
        };
        const noCall = (error: unknown): void => lost(new Unreachable('no node was found', { cause: error }));
        this.#call?.then((call) => call.send(request, { resolve, reject, lost }), noCall);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #open(lease: Handle): void {
    this.#lease = lease;
    this.#heard = 0;
    this.#call = openBatchAppend(lease.client).then((call) => new Call(call, () => (this.#heard = performance.now())));
  }

  /** Where nothing was heard since, the connection is dead or the server is: a new one loses nothing. */
  #late(lease: Handle, sent: number): StoreUnavailable {
    if (this.#heard < sent) this.#connection.retire(lease);
    return new StoreUnavailable(`the event store did not answer an append within ${this.#timeoutMs} ms`);
  }
}

/** No call could be opened. */
class Unreachable extends Error {}

/** grpc-js says so where it never had a connection for the call; a test watches over its words. */
function neverSent(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof Error && error.message.includes('No connection established');
}

/** One open call. After its end every append on it is lost. */
class Call {
  readonly #call: BatchAppendCall;
  readonly #pending = new Map<string, Pending>();
  #ended: Error | null = null;

  constructor(call: BatchAppendCall, onAnswer: () => void) {
    this.#call = call;
    call.on('data', (response: BatchAppendResp) => {
      onAnswer();
      this.#take(response);
    });
    call.on('error', (error) => this.#end(error));
    call.on('end', () => this.#end(new Error('the server ended the call')));
  }

  send(request: Request, pending: Pending): void {
    if (this.#ended !== null) {
      pending.lost(this.#ended);
      return;
    }
    const id = randomUUID();
    this.#pending.set(id, pending);
    // Waiting for the socket would gain nothing: what is under way is bounded by those who wait for it.
    this.#call.write(messageOf(id, request));
  }

  #take(response: BatchAppendResp): void {
    const id = uuidOf(response.getCorrelationId());
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    try {
      pending.resolve(answerOf(response));
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      pending.reject(new StoreUnavailable('the event store could not append', { cause }));
    }
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const pending of this.#pending.values()) pending.lost(error);
    this.#pending.clear();
  }
}

/** No deadline goes along: it would be a time of day on the server's clock. The server bounds itself without one. */
function messageOf(id: string, { stream, proposals, expected }: Request): BatchAppendReq {
  const options = new streams.BatchAppendReq.Options().setStreamIdentifier(
    new shared.StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8')),
  );
  if (expected === 'no_stream') options.setNoStream(EMPTY);
  else if (expected === 'any') options.setAny(EMPTY);
  else options.setStreamPosition(String(expected));
  return new streams.BatchAppendReq()
    .setCorrelationId(new shared.UUID().setString(id))
    .setOptions(options)
    .setProposedMessagesList(proposals.map(proposedOf))
    .setIsFinal(true);
}

function proposedOf({ id, type, data, metadata }: Proposal): BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(id))
    .setData(data)
    .setCustomMetadata(metadata);
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
}

function answerOf(response: BatchAppendResp): Answer {
  const success = response.getSuccess();
  if (success === undefined) return refusalOf(response.getError());
  const position = success.getPosition();
  if (position === undefined) throw new Error('the server did not say where it appended');
  return { revision: revisionOf(success.getCurrentRevision()), position: safe(position.getCommitPosition()) };
}

function refusalOf(error: Status | undefined): Answer {
  const kind = error?.getDetails()?.getTypeName() ?? '';
  if (kind === WRONG_REVISION) return 'wrong revision';
  const failed = REFUSALS[kind];
  if (failed !== undefined) return { failed };
  throw new Error(`the server answered: ${error?.getMessage() ?? 'nothing'}`);
}
