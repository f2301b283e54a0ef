import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable, WrongExpectedRevision } from '../../src/kernel/ports/errors.ts';
import type { Appended, ExpectedRevision, NewEvent } from '../../src/kernel/ports/event-store.ts';
import type { BatchAppendResult, BatchAppendClient, BatchAppendRequest } from './batch-append.ts';
import { proposalsOf } from './events.ts';
import type { EventReader } from './event-reader.ts';

/** Share of the time limit that an append may take; the rest is for finding out what became of it. */
const APPEND_TIME_SHARE = 0.6;

/** Pause between two looks for an append whose outcome is unknown, in ms: from half of this to all of it. */
const RETRY_PAUSE_MS = 100;

/** How many of a stream's newest events are looked at for an append without an expected revision. */
const LOOK_BACK_EVENTS = 256;

/** How long one attempt to append may take, in ms, of a limit for the whole operation. */
export function appendTimeoutMs(timeoutMs: number): number {
  return Math.ceil(timeoutMs * APPEND_TIME_SHARE);
}

export interface AppenderOptions {
  readonly batch: Pick<BatchAppendClient, 'append'>;
  readonly reads: Pick<EventReader, 'streamPage' | 'streamTail'>;
  readonly timeoutMs: number;
  readonly onRetry: () => void;
  readonly isClosed: () => boolean;
}

/** Appends, and finds out what became of an append whose answer was lost. */
export class Appender {
  readonly #options: AppenderOptions;
  /** Streams that keep only their newest event, as far as this process has seen to it. */
  readonly #newestOnly = new Set<string>();

  constructor(options: AppenderOptions) {
    this.#options = options;
  }

  /**
   * @throws {TypeError} when the store cannot hold these events.
   * @throws {WrongExpectedRevision} when the stream is elsewhere and does not hold these very events there.
   * @throws {StoreUnavailable} when the outcome is unknown; the append may still arrive.
   */
  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended> {
    const proposals = proposalsOf(events);
    const deadline = performance.now() + this.#options.timeoutMs;
    if (expected === 'newest_only') await this.#keepNewestOnly(stream);
    const request: BatchAppendRequest = { stream, proposals, expected: expected === 'newest_only' ? 'any' : expected };
    let result: BatchAppendResult;
    try {
      result = await this.#options.batch.append(request);
    } catch (error) {
      return this.#findAfterFailure(request, deadline, error);
    }
    if (result === 'wrong revision') return this.#earlierAttempt(request, expected);
    if ('failed' in result) throw new StoreUnavailable(`the event store did not append: ${result.failed}`);
    return result;
  }

  /** The stream's metadata is written once: a stream that has some already has this. */
  async #keepNewestOnly(stream: string): Promise<void> {
    if (this.#newestOnly.has(stream)) return;
    const data = Buffer.from(JSON.stringify({ $maxCount: 1 }));
    const metadata = Buffer.alloc(0);
    const proposals = [{ id: randomUUID(), type: '$metadata', data, metadata }];
    const result = await this.#options.batch.append({ stream: `$$${stream}`, proposals, expected: 'no_stream' });
    if (result !== 'wrong revision' && 'failed' in result) {
      throw new StoreUnavailable(`the event store did not take the metadata of a stream: ${result.failed}`);
    }
    this.#newestOnly.add(stream);
  }

  /** The stream has moved on: by an earlier attempt with these events, which is a success, or by others. */
  async #earlierAttempt(request: BatchAppendRequest, expected: ExpectedRevision): Promise<Appended> {
    const found = await this.#find(request);
    if (found === null) throw new WrongExpectedRevision(request.stream, expected);
    return found;
  }

  /** Looks for the events until the store answers or time is up. */
  async #findAfterFailure(request: BatchAppendRequest, deadline: number, failure: unknown): Promise<Appended> {
    while (performance.now() < deadline && !this.#options.isClosed()) {
      this.#options.onRetry();
      try {
        const found = await this.#find(request, deadline - performance.now());
        if (found !== null) return found;
        // Not there now, but what is under way may still arrive.
        throw failure;
      } catch (error) {
        if (error === failure || !(error instanceof StoreUnavailable)) throw error;
        const left = deadline - performance.now();
        await pause(Math.max(0, Math.min(left, (RETRY_PAUSE_MS * (1 + Math.random())) / 2)));
      }
    }
    throw failure;
  }

  /** An append is there whole or not at all, so its last event tells. */
  async #find(
    { stream, proposals, expected }: BatchAppendRequest,
    ms = this.#options.timeoutMs,
  ): Promise<Appended | null> {
    const id = proposals.at(-1)?.id.toLowerCase();
    const count = proposals.length;
    const events =
      typeof expected === 'number' || expected === 'no_stream'
        ? await this.#options.reads.streamPage(stream, { from: expected === 'no_stream' ? 0 : expected + 1, count, ms })
        : await this.#options.reads.streamTail(stream, { count: count + LOOK_BACK_EVENTS, ms });
    const last = events.find((event) => event.id.toLowerCase() === id);
    return last === undefined ? null : { revision: last.revision, position: last.position };
  }
}
