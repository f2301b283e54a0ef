import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable, WrongExpectedRevision } from '../../src/kernel/ports/errors.ts';
import type { AppendResult, ExpectedRevision, NewEvent } from '../../src/kernel/ports/event-store.ts';
import type { BatchAppendRequest, BatchAppendResult } from './append-messages.ts';
import type { createBatchAppend } from './batch-append.ts';
import { proposalsOf } from './events.ts';
import type { EventReader } from './event-reader.ts';
import { NO_RIGHT_TO_APPEND, NO_RIGHT_TO_METADATA, refusalOf } from './refusals.ts';
import type { RunningTime } from './running-time.ts';

/** Share of the time limit that the append itself may take; the rest is for finding out its outcome. */
export const APPEND_TIME_SHARE = 0.6;

/** Longest pause, in ms, between two searches for an append whose outcome is unknown; the shortest is half of it. */
const RETRY_PAUSE_MS = 100;

/** Number of the newest events of a stream that are searched for an append without an expected revision. */
const LOOK_BACK_EVENTS = 256;

/** The error of an append that the server refused; for a missing right, its message addresses the operator. */
function notAppended(text: string, reason: string): StoreUnavailable {
  const isRight = reason === NO_RIGHT_TO_APPEND || reason === NO_RIGHT_TO_METADATA;
  return new StoreUnavailable(`${text}: ${reason}`, { refusal: isRight ? reason : null });
}

interface AppenderOptions {
  /** The clock by which the time limit is counted. */
  readonly runningTime: Pick<RunningTime, 'now'>;
  readonly batchAppend: ReturnType<typeof createBatchAppend>;
  readonly reads: Pick<EventReader, 'streamPage' | 'streamTail'>;
  readonly timeoutMs: number;
  readonly onRetry: () => void;
  readonly isClosed: () => boolean;
}

/** Creates what appends events, and finds out the outcome of an append whose response was lost. */
export function createAppender(options: AppenderOptions) {
  const { runningTime, batchAppend, reads, timeoutMs, onRetry, isClosed } = options;
  /** Streams known to this process to have metadata that keeps only their newest event. */
  const newestOnly = new Set<string>();
  /** Writes the metadata that keeps only the newest event of a stream. No other metadata is ever written. */
  const keepNewestOnly = async (stream: string): Promise<void> => {
    if (newestOnly.has(stream)) return;
    const data = Buffer.from(JSON.stringify({ $maxCount: 1 }));
    const metadata = Buffer.alloc(0);
    const proposals = [{ id: randomUUID(), type: '$metadata', data, metadata }];
    const result = await batchAppend({ stream: `$$${stream}`, proposals, expected: 'no_stream' });
    if (result !== 'wrong revision' && 'failed' in result) {
      const reason = result.failed === NO_RIGHT_TO_APPEND ? NO_RIGHT_TO_METADATA : result.failed;
      throw notAppended('the event store did not take the metadata of a stream', reason);
    }
    newestOnly.add(stream);
  };
  /** Searches for the events until the store answers or the time is up. */
  const findAfterFailure = async (request: BatchAppendRequest, deadline: number, failure: unknown) => {
    while (runningTime.now() < deadline && !isClosed()) {
      onRetry();
      try {
        const found = await find(reads, request, deadline - runningTime.now());
        if (found !== null) return found;
        // Not there now, but the append may still arrive.
        throw failure;
      } catch (error) {
        if (error === failure || !(error instanceof StoreUnavailable) || refusalOf(error) !== null) throw error;
        const left = deadline - runningTime.now();
        await pause(Math.max(0, Math.min(left, (RETRY_PAUSE_MS * (1 + Math.random())) / 2)));
      }
    }
    throw failure;
  };
  /**
   * @throws {TypeError} when the store cannot hold these events.
   * @throws {WrongExpectedRevision} when the stream is at another revision and these events are not in it.
   * @throws {StoreUnavailable} when the outcome is unknown; the append may still arrive.
   */
  return async (stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> => {
    const proposals = proposalsOf(events);
    const deadline = runningTime.now() + timeoutMs;
    if (expected === 'newest_only') await keepNewestOnly(stream);
    const request: BatchAppendRequest = { stream, proposals, expected: expected === 'newest_only' ? 'any' : expected };
    let result: BatchAppendResult | null;
    try {
      result = await batchAppend(request);
    } catch (error) {
      return findAfterFailure(request, deadline, error);
    }
    // The stream may be past the expected revision because an earlier attempt succeeded.
    if (result === 'wrong revision') result = await find(reads, request, timeoutMs);
    if (result === null) throw new WrongExpectedRevision(stream, expected);
    if ('failed' in result) throw notAppended('the event store did not append', result.failed);
    return result;
  };
}

/** Searches for the last event of a request, in `ms`: an append is atomic. */
async function find(
  reads: AppenderOptions['reads'],
  { stream, proposals, expected }: BatchAppendRequest,
  ms: number,
): Promise<AppendResult | null> {
  const id = proposals.at(-1)?.id.toLowerCase();
  const count = proposals.length;
  const events =
    typeof expected === 'number' || expected === 'no_stream'
      ? await reads.streamPage(stream, { from: expected === 'no_stream' ? 0 : expected + 1, count, ms })
      : await reads.streamTail(stream, { count: count + LOOK_BACK_EVENTS, ms });
  const last = events.find((event) => event.id.toLowerCase() === id);
  return last === undefined ? null : { revision: last.revision, position: last.position };
}
