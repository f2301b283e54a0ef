import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { bounded } from '../processes/waits.ts';
import { parseBlock, type LiveEvent } from './events.ts';

/** How a live board is asked for. */
export interface Watching {
  /** `?delaySeconds=10` */
  readonly query?: string;
  readonly lastEventId?: number | string;
}

/** A reader of a live board. */
export class LiveReader {
  readonly response: IncomingMessage;
  readonly #events: LiveEvent[] = [];
  #rest = '';
  #waiting: (() => void)[] = [];
  #hasEnded = false;
  /** Position of the last change that was complete, and when it had come, epoch ms. */
  lastEventId: number | null = null;
  /** Its whole id, with its mark. */
  lastId: string | null = null;
  arrivedAt = 0;
  readonly #arrivals: number[] = [];

  private constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8').on('data', (text: string) => {
      this.#take(text);
    });
    response.on('error', () => undefined); // It was cut off, which `close` says too.
    response.on('close', () => {
      this.#hasEnded = true;
      this.#wake();
    });
  }

  /** Resolves when the response has begun. */
  static async open(baseUrl: string, eventId: string, { query = '', lastEventId }: Watching = {}): Promise<LiveReader> {
    const headers = lastEventId === undefined ? {} : { 'Last-Event-ID': String(lastEventId) };
    const request = get(`${baseUrl}/api/v1/events/${eventId}/live${query}`, { headers, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return new LiveReader(response);
  }

  /** The next event that is no heartbeat; null at the end of the stream. */
  async next(): Promise<LiveEvent | null> {
    for (;;) {
      const event = this.#events.shift();
      this.arrivedAt = this.#arrivals.shift() ?? this.arrivedAt;
      if (event !== undefined && event.event !== 'heartbeat') return event;
      if (event !== undefined) continue;
      if (this.#hasEnded) return null;
      const more = new Promise<void>((resolve) => this.#waiting.push(resolve));
      await bounded(more, () => `an event of a live board after ${String(this.lastEventId)}`);
    }
  }

  /** The events of the next change, the board included; null at the end of the stream. */
  async change(): Promise<readonly LiveEvent[] | null> {
    const events: LiveEvent[] = [];
    for (;;) {
      const event = await this.next();
      if (event === null || event.retry !== null) return null;
      events.push(event);
      if (event.id === null) continue;
      this.lastEventId = event.id;
      this.lastId = event.lastEventId ?? null;
      return events;
    }
  }

  close(): void {
    this.response.destroy();
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    this.#events.push(...blocks.map(parseBlock));
    this.#arrivals.push(...blocks.map(() => Date.now()));
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
