import type { handleBidiStreamingCall, ServerDuplexStream } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Expected } from './commit-check.ts';
import type { Proposal } from './entry.ts';
import {
  accessDenied,
  badRequest,
  batchAnswer,
  notReady,
  streamNameOf,
  structured,
  timedOut,
  tooLarge,
} from './messages.ts';
import { expectedOf, proposalOf, sizeOf, uuidOf } from './proposals.ts';
import { notLeaderError, passwordRefusal, REASONS, store, type World } from './world.ts';

type BatchCall = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

/** An append whose last part has not arrived. */
interface Pending {
  readonly identifier: StreamIdentifier;
  readonly stream: string;
  readonly expected: Expected;
  readonly timeoutMs: number;
  readonly proposals: Proposal[];
  bytes: number;
  timer?: NodeJS.Timeout;
}

/** `Streams.BatchAppend`: one call carries any number of appends, told apart by correlation id. */
export function batchAppendHandler(world: World): handleBidiStreamingCall<BatchAppendReq, BatchAppendResp> {
  return (call) => {
    const refusal = passwordRefusal(world) ?? notLeaderError(world, call);
    if (refusal !== null) {
      call.emit('error', refusal);
      return;
    }
    const batch = new BatchAppend(world, call);
    call.on('data', (request: BatchAppendReq) => batch.take(request));
    call.on('end', () => call.end());
    call.on('cancelled', () => batch.forget());
  };
}

class BatchAppend {
  readonly #world: World;
  readonly #call: BatchCall;
  readonly #pending = new Map<string, Pending>();

  constructor(world: World, call: BatchCall) {
    this.#world = world;
    this.#call = call;
  }

  /** A request that is wrong is answered and yet stays pending, to be answered again when its time is up. */
  take(request: BatchAppendReq): void {
    try {
      this.#take(request);
    } catch (error) {
      const problem = badRequest(error instanceof Error ? error.message : String(error));
      this.#refuse(request.getCorrelationId(), request.getOptions()?.getStreamIdentifier(), problem);
    }
  }

  forget(): void {
    for (const { timer } of this.#pending.values()) clearTimeout(timer);
    this.#pending.clear();
  }

  #take(request: BatchAppendReq): void {
    const id = uuidOf(request.getCorrelationId());
    const options = request.getOptions();
    if (options !== undefined && !this.#begin(id, options)) return;
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    const proposals = request.getProposedMessagesList().map(proposalOf);
    pending.proposals.push(...proposals);
    pending.bytes += proposals.reduce((sum, proposal) => sum + sizeOf(proposal), 0);
    const { maxAppendBytes } = this.#world.limits;
    if (pending.bytes > maxAppendBytes) {
      this.#end(id);
      this.#refuse(structured(id), pending.identifier, tooLarge(maxAppendBytes));
    } else if (request.getIsFinal()) {
      this.#end(id);
      this.#commit(id, pending);
    }
  }

  /** Opens an append; false when it was refused at once. */
  #begin(id: string, options: BatchAppendReq.Options): boolean {
    const identifier = options.getStreamIdentifier();
    const correlation = structured(id);
    if (identifier === undefined) {
      this.#refuse(correlation, identifier, badRequest('Required field StreamIdentifier not set.'));
      return false;
    }
    const { commitTimeoutMs } = this.#world.limits;
    const deadline = options.getDeadline()?.toDate().getTime() ?? Infinity;
    const timeoutMs = Math.min(commitTimeoutMs, deadline - Date.now());
    if (timeoutMs <= 0) {
      this.#refuse(correlation, identifier, timedOut());
      return false;
    }
    const expected = expectedOf(options, options.getStreamPosition());
    const stream = streamNameOf(identifier);
    const pending: Pending = { identifier, stream, expected, timeoutMs, proposals: [], bytes: 0 };
    pending.timer = setTimeout(() => this.#expire(id), timeoutMs).unref();
    this.#pending.set(id, pending);
    return true;
  }

  #expire(id: string): void {
    const pending = this.#end(id);
    if (pending !== undefined) this.#refuse(structured(id), pending.identifier, timedOut());
  }

  #end(id: string): Pending | undefined {
    const pending = this.#pending.get(id);
    clearTimeout(pending?.timer);
    this.#pending.delete(id);
    return pending;
  }

  #commit(id: string, { stream, proposals, expected, identifier }: Pending): void {
    const { gate } = this.#world;
    if (gate.notReady !== null || gate.denied === 'append') {
      const problem = gate.notReady === null ? accessDenied() : notReady(REASONS[gate.notReady]);
      this.#refuse(structured(id), identifier, problem);
      return;
    }
    const outcome = store(this.#world, { stream, proposals, expected });
    if (outcome === 'answer lost') return;
    this.#answer(batchAnswer(outcome, expected).setCorrelationId(structured(id)).setStreamIdentifier(identifier));
  }

  #refuse(correlation: UUID | undefined, identifier: StreamIdentifier | undefined, problem: Status): void {
    const answer = new streams.BatchAppendResp().setError(problem);
    this.#answer(answer.setCorrelationId(correlation).setStreamIdentifier(identifier));
  }

  #answer(answer: BatchAppendResp): void {
    this.#world.gate.answer(() => {
      if (!this.#call.cancelled) this.#call.write(answer);
    });
  }
}
