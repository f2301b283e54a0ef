import type { EndpointResponse } from './endpoint.ts';
import { unavailableProblem, type Problem } from './problems.ts';
import { contentHeaders, type Exchange, type RequestLog } from './respond.ts';

const EVENT_STREAM_TYPE = 'text/event-stream';

/** Most bytes that may wait for a reader. A reader that falls further behind is disconnected and reconnects. */
export const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** What is sent at once does not count towards that from this size on: a whole board may be larger. */
const LARGE_BYTES = 65_536;

/** Time, in ms, after which readers reconnect when a stream ends: not all at the same moment. */
const RETRY_MS = { least: 1_000, most: 3_000 } as const;

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
  #replays = 0;
  #isEnding = false;
  /** Readers that were cut off because they did not take what they were sent. */
  dropped = 0;

  constructor(limits: EventStreamLimits, log: RequestLog) {
    this.#limits = limits;
    this.#log = log;
  }

  /**
   * Counts a request for a stream until it closes.
   * @throws {Problem} 429 when its client has too many, 503 when there are too many replays
   */
  begin(exchange: Exchange, isReplay: boolean): void {
    const { client } = exchange;
    const problem = client?.takeSlot('clientLiveReaders', exchange) ?? (isReplay ? this.#takeReplay(exchange) : null);
    if (problem !== null) throw problem;
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
    const stream = eventStream(exchange, this);
    this.#open.add(stream);
    exchange.once('close', () => {
      this.#open.delete(stream);
      this.countWaiting(stream, 0);
      source.end();
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

  #takeReplay(exchange: Exchange): Problem | null {
    if (this.#replays >= (this.#limits.maxReplays || Infinity))
      return unavailableProblem('Too many replays are being sent at the moment.');
    this.#replays += 1;
    exchange.once('close', () => {
      this.#replays -= 1;
    });
    return exchange.client?.takeSlot('clientReplays', exchange) ?? null;
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

function eventStream(exchange: Exchange, streams: EventStreams) {
  /** Bytes of large events that the reader may not have taken yet. */
  let large = 0;
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
    /** Ends the stream, and tells the reader when to reconnect. */
    end(): void {
      if (exchange.writableEnded) return;
      const ms = RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least);
      exchange.end(`retry: ${Math.round(ms)}\n\n`);
    },
  };
  return stream;
}
