import type { EndpointResponse, EventSink } from './endpoint.ts';
import { contentHeaders, type Exchange, type RequestLog } from './respond.ts';

const EVENT_STREAM_TYPE = 'text/event-stream';

/** Most bytes that may wait for a reader. A reader that falls further behind is disconnected and reconnects. */
export const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/** What is sent at once does not count towards that from this size on: a whole board may be larger. */
const LARGE_BYTES = 65_536;

/** Time, in ms, after which readers reconnect when a stream ends: not all at the same moment. */
const RETRY_MS = { least: 1_000, most: 3_000 } as const;

/** The streams of events that a server sends. */
export class EventStreams {
  readonly #open = new Set<EventStream>();
  #isEnding = false;
  /** Readers that were cut off because they did not take what they were sent. */
  dropped = 0;

  /** Sends a stream, until one side ends it. */
  send(exchange: Exchange, { source }: Extract<EndpointResponse, { kind: 'events' }>, log: RequestLog): void {
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
    const stream = new EventStream(exchange, log, this);
    this.#open.add(stream);
    exchange.once('close', () => {
      this.#open.delete(stream);
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
}

/** A stream of events to one reader. */
class EventStream implements EventSink {
  readonly #exchange: Exchange;
  readonly #log: RequestLog;
  readonly #streams: EventStreams;
  /** Bytes of large events that the reader may not have taken yet. */
  #large = 0;

  constructor(exchange: Exchange, log: RequestLog, streams: EventStreams) {
    this.#exchange = exchange;
    this.#log = log;
    this.#streams = streams;
  }

  /** Bytes that the reader has not taken yet. */
  get waiting(): number {
    return this.#exchange.writableLength;
  }

  /** Sends bytes; does nothing when the reader has gone. */
  write(bytes: Uint8Array): void {
    const exchange = this.#exchange;
    if (exchange.destroyed || exchange.writableEnded) return;
    if (exchange.writableLength === 0) this.#large = 0;
    if (bytes.length >= LARGE_BYTES) this.#large += bytes.length;
    exchange.bytes += bytes.length;
    exchange.write(bytes);
    if (exchange.writableLength - this.#large > MAX_WAITING_BYTES) this.#drop();
  }

  /** Calls `listener` once when the reader has taken all that was sent. */
  onTaken(listener: () => void): void {
    if (this.#exchange.writableNeedDrain) this.#exchange.once('drain', listener);
    else setImmediate(listener);
  }

  /** Ends the stream, and tells the reader when to reconnect. */
  end(): void {
    if (this.#exchange.writableEnded) return;
    const ms = RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least);
    this.#exchange.end(`retry: ${Math.round(ms)}\n\n`);
  }

  #drop(): void {
    this.#streams.dropped += 1;
    const { requestId, route, remoteAddress, writableLength: waiting } = this.#exchange;
    this.#log.info(
      { requestId, route, remoteAddress, waiting },
      'A reader of a stream of events was cut off: it did not take what it was sent',
    );
    this.#exchange.req.socket.destroy();
  }
}
