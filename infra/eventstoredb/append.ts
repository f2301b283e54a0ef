import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable, WrongExpectedRevision } from '../../src/kernel/ports/errors.ts';
import type { AppendResult, ExpectedRevision, NewEvent } from '../../src/kernel/ports/event-store.ts';
import type { Answer, BatchAppends, Request } from './batch.ts';
import { proposalsOf } from './events.ts';
import type { Reads } from './reads.ts';

/** Share of the time limit that an append may take; the rest is for finding out what became of it. */
const APPEND_SHARE = 0.6;

/** Pause between two looks for an append whose outcome is unknown, in ms: from half of this to all of it. */
const LOOK_AGAIN_MS = 100;

/** How many of a stream's newest events are looked at for an append without an expected revision. */
const LOOK_BACK_EVENTS = 256;

/** How long one attempt to append may take, in ms, of a limit for the whole operation. */
export function attemptMs(timeoutMs: number): number {
  return Math.ceil(timeoutMs * APPEND_SHARE);
}

export interface AppenderParts {
  readonly batch: Pick<BatchAppends, 'append'>;
  readonly reads: Pick<Reads, 'streamPage' | 'streamTail'>;
  readonly timeoutMs: number;
  readonly onRetry: () => void;
  readonly isClosed: () => boolean;
}

/** Appends, and finds out what became of an append whose answer was lost. */
export class Appender {
  readonly #parts: AppenderParts;
  /** Streams that keep only their newest event, as far as this process has seen to it. */
  readonly #newestOnly = new Set<string>();

  constructor(parts: AppenderParts) {
    this.#parts = parts;
  }

  /**
   * @throws {TypeError} when the store cannot hold these events.
   * @throws {WrongExpectedRevision} when the stream is elsewhere and does not hold these very events there.
   * @throws {StoreUnavailable} when the outcome is unknown; the append may still arrive.
   */
  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const proposals = proposalsOf(events);
    const deadline = performance.now() + this.#parts.timeoutMs;
    if (expected === 'newest_only') await this.#keepNewestOnly(stream);
    const request: Request = { stream, proposals, expected: expected === 'newest_only' ? 'any' : expected };
    let answer: Answer;
    try {
      answer = await this.#parts.batch.append(request);
    } catch (error) {
      return this.#settle(request, deadline, error);
    }
    if (answer === 'wrong revision') return this.#earlier(request, expected);
    if ('failed' in answer) throw new StoreUnavailable(`the event store did not append: ${answer.failed}`);
    return answer;
  }

  /** The stream's metadata is written once: a stream that has some already has this. */
  async #keepNewestOnly(stream: string): Promise<void> {
    if (this.#newestOnly.has(stream)) return;
    const data = Buffer.from(JSON.stringify({ $maxCount: 1 }));
    const metadata = Buffer.alloc(0);
    const proposals = [{ id: randomUUID(), type: '$metadata', data, metadata }];
    const answer = await this.#parts.batch.append({ stream: `$$${stream}`, proposals, expected: 'no_stream' });
    if (answer !== 'wrong revision' && 'failed' in answer) {
      throw new StoreUnavailable(`the event store did not take the metadata of a stream: ${answer.failed}`);
    }
    this.#newestOnly.add(stream);
  }

  /** The stream has moved on: by an earlier attempt with these events, which is a success, or by others. */
  async #earlier(request: Request, expected: ExpectedRevision): Promise<AppendResult> {
    const found = await this.#find(request);
    if (found === null) throw new WrongExpectedRevision(request.stream, expected);
    return found;
  }

  /** Looks for the events until the store answers or time is up. */
  async #settle(request: Request, deadline: number, failure: unknown): Promise<AppendResult> {
    while (performance.now() < deadline && !this.#parts.isClosed()) {
      this.#parts.onRetry();
      try {
        const found = await this.#find(request, deadline - performance.now());
        if (found !== null) return found;
        // Not there now, but what is under way may still arrive.
        throw failure;
      } catch (error) {
        if (error === failure || !(error instanceof StoreUnavailable)) throw error;
        const left = deadline - performance.now();
        await pause(Math.max(0, Math.min(left, (LOOK_AGAIN_MS * (1 + Math.random())) / 2)));
      }
    }
    throw failure;
  }

  /** An append is there whole or not at all, so its last event tells. */
  async #find({ stream, proposals, expected }: Request, ms = this.#parts.timeoutMs): Promise<AppendResult | null> {
    const id = proposals.at(-1)?.id.toLowerCase();
    const count = proposals.length;
    const events =
      typeof expected === 'number' || expected === 'no_stream'
        ? await this.#parts.reads.streamPage(stream, { from: expected === 'no_stream' ? 0 : expected + 1, count, ms })
        : await this.#parts.reads.streamTail(stream, { count: count + LOOK_BACK_EVENTS, ms });
    const last = events.find((event) => event.id.toLowerCase() === id);
    return last === undefined ? null : { revision: last.revision, position: last.position };
  }
}
