/**
 * Server-sent events that resume. `better-sse` and `express-sse` write to each reader whatever it takes: they have no bound
 * for what waits for slow ones, no places of replays, and no drain.
 */
import type { Response } from 'express';
import type { EventSource } from './event-source.ts';
import type { EndpointResponse } from './endpoint.ts';
import { clientName } from './client-address.ts';
import { tooManyProblem, unavailableProblem } from './problems.ts';
import { STALL_TIMEOUT_MS } from './messages.ts';
import { sendProblem, type RequestLog } from './problem-responses.ts';
import { addContentHeaders } from './responses/buffered.ts';
import { abandon } from './waiting.ts';

const EVENT_STREAM_TYPE = 'text/event-stream';

/** Most bytes that may wait for a reader. A reader that falls further behind is disconnected and reconnects. */
export const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** Size from which on a single write does not count towards that bound: a whole board may be larger. */
const LARGE_BYTES = 65_536;

/** Time, in ms, after which readers reconnect when a stream ends: not all at the same moment. */
const RETRY_MS = { least: 1_000, most: 3_000 } as const;

/** That time for a replay whose place a newer one of its address has taken. Readers who have left do not come back. */
const REPLACED_RETRY_MS = { least: 10_000, most: 20_000 } as const;

export interface EventStreamLimits {
  /** Replays at a time; 0: no limit. */
  readonly maxReplays: number;
  /** Bytes that may wait for all readers together; beyond that the slowest are disconnected. */
  readonly liveBufferBytes: number;
}

export class EventStreams {
  readonly #limits: EventStreamLimits;
  readonly #log: RequestLog;
  readonly #open = new Set<EventStream>();
  /** The readers that have not taken everything, and the bytes that waited for each when it was last sent something. */
  readonly #waiting = new Map<EventStream, number>();
  #waitingBytes = 0;
  /** The replays by client address, the oldest first; those included that have not begun to be sent. */
  readonly #replays = new Map<string, Set<Response>>();
  #replayCount = 0;
  #isEnding = false;
  /** Readers that were cut off because they did not take what they were sent. */
  dropped = 0;

  constructor(limits: EventStreamLimits, log: RequestLog) {
    this.#limits = limits;
    this.#log = log;
  }

  /**
   * Counts a request for a stream until it closes.
   * @throws {Problem} 429 when its client has too many, 503 when others have all places of replays
   */
  begin(res: Response, isReplay: boolean): void {
    const problem = res.client?.takeSlot('clientLiveReaders', res) ?? null;
    if (problem !== null) throw problem;
    res.replays = { take: () => this.#takeReplay(res) };
    if (isReplay) this.#takeReplay(res);
  }

  send(res: Response, { source }: Extract<EndpointResponse, { kind: 'events' }>): void {
    if (res.settled) {
      source.end();
      return;
    }
    res.settled = true;
    res.dueAt = Infinity;
    res.streamingSince = performance.now();
    res.shouldKeepAlive = false;
    // The end of the connection is the end of the stream: without chunks, what all readers get is the same bytes.
    res.removeHeader('Transfer-Encoding');
    const headers = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };
    addContentHeaders(res, EVENT_STREAM_TYPE, headers);
    res.writeHead(200);
    if (res.req.method === 'HEAD') {
      res.end();
      source.end();
      return;
    }
    res.flushHeaders();
    const stream = eventStream(res, this, source);
    this.#open.add(stream);
    res.once('close', () => {
      this.#open.delete(stream);
      this.countWaiting(stream, 0);
      stream.endSource();
    });
    source.start(stream);
    if (this.#isEnding) stream.end();
  }

  /** Ends all streams, those that begin from now on too. */
  endAll(): void {
    this.#isEnding = true;
    for (const stream of this.#open) stream.end();
  }

  /** Counts the bytes that wait for a reader; those of the slowest readers are freed when they are too many. */
  countWaiting(stream: EventStream, bytes: number): void {
    this.#waitingBytes += bytes - (this.#waiting.get(stream) ?? 0);
    if (bytes > 0) this.#waiting.set(stream, bytes);
    else this.#waiting.delete(stream);
    if (this.#waitingBytes > this.#limits.liveBufferBytes) this.#freeBytes();
  }

  drop({ res }: EventStream): void {
    this.dropped += 1;
    const { requestId, endpoint, remoteAddress, writableLength: waiting } = res;
    this.#log.info(
      { requestId, route: endpoint?.name, remoteAddress, waiting },
      'A reader of a stream of events was cut off: it did not take what it was sent',
    );
    res.req.socket.destroy();
  }

  /**
   * Takes a place for a replay, until it is given back or the request closes. A newer replay ends the oldest one of the
   * same address: somebody who jumps about in the past opens one with each jump, and a proxy may tell late that the reader
   * of the one before has left.
   * @throws {Problem} 503 when others have all places
   */
  #takeReplay(res: Response): () => void {
    const address = clientName(res.remoteAddress);
    const own = this.#replays.get(address) ?? new Set();
    const leave = (): void => this.#leaveReplay(res, address);
    if (own.has(res)) return leave;
    const [oldest] = own;
    const isFull = this.#replayCount >= (this.#limits.maxReplays || Infinity);
    if (oldest === undefined && isFull) throw unavailableProblem('Too many replays are being sent at the moment.');
    if (oldest !== undefined && (isFull || own.size >= (res.client?.mostReplays ?? Infinity))) {
      this.#leaveReplay(oldest, address);
      this.#endReplaced(oldest);
    }
    this.#replays.set(address, own.add(res));
    this.#replayCount += 1;
    res.once('close', leave);
    return leave;
  }

  #leaveReplay(res: Response, address: string): void {
    const own = this.#replays.get(address);
    if (own?.delete(res) !== true) return;
    this.#replayCount -= 1;
    if (own.size === 0) this.#replays.delete(address);
  }

  #endReplaced(res: Response): void {
    for (const stream of this.#open) {
      if (stream.res !== res) continue;
      stream.endSource();
      stream.end(REPLACED_RETRY_MS);
      return;
    }
    // Its board is being made.
    sendProblem(res, tooManyProblem('A newer replay of this address has taken its place.', REPLACED_RETRY_MS.least));
    abandon(res);
  }

  #freeBytes(): void {
    // Readers may have taken something since they were last sent something.
    const streams = [...this.#waiting.keys()].sort((a, b) => a.waiting - b.waiting);
    this.#waiting.clear();
    this.#waitingBytes = 0;
    for (const stream of streams) {
      if (this.#waitingBytes + stream.waiting > this.#limits.liveBufferBytes) this.drop(stream);
      else this.countWaiting(stream, stream.waiting);
    }
  }
}

type EventStream = ReturnType<typeof eventStream>;

function eventStream(res: Response, streams: EventStreams, source: EventSource) {
  /** Bytes of large events that the reader may not have taken yet. */
  let large = 0;
  let hasEnded = false;
  const stream = {
    res,
    get waiting(): number {
      return res.writableLength;
    },
    write(bytes: Uint8Array): void {
      if (res.destroyed || res.writableEnded) return;
      if (res.writableLength === 0) large = 0;
      if (bytes.length >= LARGE_BYTES) large += bytes.length;
      res.bytes += bytes.length;
      res.write(bytes);
      const { writableLength: waiting } = res;
      if (waiting - large > MAX_WAITING_BYTES) streams.drop(stream);
      else streams.countWaiting(stream, waiting);
    },
    onTaken(listener: () => void): void {
      if (res.writableNeedDrain) res.once('drain', listener);
      else setImmediate(listener);
    },
    endSource(): void {
      if (!hasEnded) source.end();
      hasEnded = true;
    },
    /** Ends the stream, and tells the reader when to reconnect. Who does not take the rest in time is cut off. */
    end({ least, most }: Readonly<Record<'least' | 'most', number>> = RETRY_MS): void {
      if (res.writableEnded) return;
      res.dueAt = performance.now() + STALL_TIMEOUT_MS;
      res.end(`retry: ${Math.round(least + Math.random() * (most - least))}\n\n`);
    },
  };
  return stream;
}
