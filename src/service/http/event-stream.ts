import type { EventSource } from '../../domain/event-source.ts';
import type { EndpointResponse } from './endpoint.ts';
import { clientName } from './client-address.ts';
import { tooManyProblem, unavailableProblem } from './problems.ts';
import { abandon, contentHeaders, sendProblem, STALL_TIMEOUT_MS, type Exchange, type RequestLog } from './respond.ts';

const EVENT_STREAM_TYPE = 'text/event-stream';

/** Most bytes that may wait for a reader. A reader that falls further behind is disconnected and reconnects. */
export const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** What is sent at once does not count towards that from this size on: a whole board may be larger. */
const LARGE_BYTES = 65_536;

/** Time, in ms, after which readers reconnect when a stream ends: not all at the same moment. */
const RETRY_MS = { least: 1_000, most: 3_000 } as const;

/** The same of a replay whose place a newer one of its address has taken: whoever has left does not come back anyway. */
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
  readonly #replays = new Map<string, Set<Exchange>>();
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
  begin(exchange: Exchange, isReplay: boolean): void {
    const problem = exchange.client?.takeSlot('clientLiveReaders', exchange) ?? null;
    if (problem !== null) throw problem;
    exchange.replays = { take: () => this.#takeReplay(exchange) };
    if (isReplay) this.#takeReplay(exchange);
  }

  send(exchange: Exchange, { source }: Extract<EndpointResponse, { kind: 'events' }>): void {
    if (exchange.settled) {
      source.end();
      return;
    }
    exchange.settled = true;
    exchange.dueAt = Infinity;
    exchange.streamingSince = performance.now();
    exchange.shouldKeepAlive = false;
    // The end of the connection is the end of the stream: without chunks, what all readers get is the same bytes.
    exchange.removeHeader('Transfer-Encoding');
    const headers = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };
    exchange.writeHead(200, contentHeaders(exchange, EVENT_STREAM_TYPE, headers));
    if (exchange.req.method === 'HEAD') {
      exchange.end();
      source.end();
      return;
    }
    exchange.flushHeaders();
    const stream = eventStream(exchange, this, source);
    this.#open.add(stream);
    exchange.once('close', () => {
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

  drop({ exchange }: EventStream): void {
    this.dropped += 1;
    const { requestId, route, remoteAddress, writableLength: waiting } = exchange;
    this.#log.info(
      { requestId, route, remoteAddress, waiting },
      'A reader of a stream of events was cut off: it did not take what it was sent',
    );
    exchange.req.socket.destroy();
  }

  /**
   * Takes a place for a replay, until it is given back or the request closes. A newer replay ends the oldest one of the
   * same address: somebody who jumps about in the past opens one with each jump, and a proxy may tell late that the reader
   * of the one before has left.
   * @throws {Problem} 503 when others have all places
   */
  #takeReplay(exchange: Exchange): () => void {
    const address = clientName(exchange.remoteAddress);
    const own = this.#replays.get(address) ?? new Set();
    const leave = (): void => this.#leaveReplay(exchange, address);
    if (own.has(exchange)) return leave;
    const [oldest] = own;
    const isFull = this.#replayCount >= (this.#limits.maxReplays || Infinity);
    if (oldest === undefined && isFull) throw unavailableProblem('Too many replays are being sent at the moment.');
    if (oldest !== undefined && (isFull || own.size >= (exchange.client?.mostReplays ?? Infinity))) {
      this.#leaveReplay(oldest, address);
      this.#endReplaced(oldest);
    }
    this.#replays.set(address, own.add(exchange));
    this.#replayCount += 1;
    exchange.once('close', leave);
    return leave;
  }

  #leaveReplay(exchange: Exchange, address: string): void {
    const own = this.#replays.get(address);
    if (own?.delete(exchange) !== true) return;
    this.#replayCount -= 1;
    if (own.size === 0) this.#replays.delete(address);
  }

  #endReplaced(exchange: Exchange): void {
    for (const stream of this.#open) {
      if (stream.exchange !== exchange) continue;
      stream.endSource();
      stream.end(REPLACED_RETRY_MS);
      return;
    }
    // Its board is being made.
    sendProblem(
      exchange,
      tooManyProblem('A newer replay of this address has taken its place.', REPLACED_RETRY_MS.least),
    );
    abandon(exchange);
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

function eventStream(exchange: Exchange, streams: EventStreams, source: EventSource) {
  /** Bytes of large events that the reader may not have taken yet. */
  let large = 0;
  let hasEnded = false;
  const stream = {
    exchange,
    get waiting(): number {
      return exchange.writableLength;
    },
    write(bytes: Uint8Array): void {
      if (exchange.destroyed || exchange.writableEnded) return;
      if (exchange.writableLength === 0) large = 0;
      if (bytes.length >= LARGE_BYTES) large += bytes.length;
      exchange.bytes += bytes.length;
      exchange.write(bytes);
      const { writableLength: waiting } = exchange;
      if (waiting - large > MAX_WAITING_BYTES) streams.drop(stream);
      else streams.countWaiting(stream, waiting);
    },
    onTaken(listener: () => void): void {
      if (exchange.writableNeedDrain) exchange.once('drain', listener);
      else setImmediate(listener);
    },
    endSource(): void {
      if (!hasEnded) source.end();
      hasEnded = true;
    },
    /** Ends the stream, and tells the reader when to reconnect. Who does not take the rest in time is cut off. */
    end({ least, most }: Readonly<Record<'least' | 'most', number>> = RETRY_MS): void {
      if (exchange.writableEnded) return;
      exchange.dueAt = performance.now() + STALL_TIMEOUT_MS;
      exchange.end(`retry: ${Math.round(least + Math.random() * (most - least))}\n\n`);
    },
  };
  return stream;
}
