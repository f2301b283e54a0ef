import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { z } from 'zod';

const Row = z.looseObject({ participantId: z.string() });
export type Row = z.output<typeof Row>;

/** An event of a live board, as it came. */
export interface LiveEvent {
  readonly event: string;
  /** Position of the change that it is the last event of. */
  readonly id: number | null;
  readonly data: unknown;
  /** What it says in ms, where it is a `retry`. */
  readonly retry: number | null;
}

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
  /** Position of the last change that was complete. */
  lastEventId: number | null = null;

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
      if (event !== undefined && event.event !== 'heartbeat') return event;
      if (event !== undefined) continue;
      if (this.#hasEnded) return null;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
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
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function parseBlock(block: string): LiveEvent {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  const number = (name: string): number | null => (fields.has(name) ? Number(fields.get(name)) : null);
  const data: unknown = JSON.parse(fields.get('data') ?? 'null');
  return { event: fields.get('event') ?? '', id: number('id'), data, retry: number('retry') };
}

const Board = z.object({
  head: z.looseObject({}),
  rows: z.array(Row),
  at: z.string().nullable(),
  position: z.number(),
});
const Rows = z.object({ rows: z.array(Row) });

/** A board as a client builds it from the events. */
export class ClientBoard {
  head: Readonly<Record<string, unknown>> = {};
  readonly #rows = new Map<string, Row>();

  take({ event, data }: LiveEvent): void {
    if (event === 'board') {
      const board = Board.parse(data);
      this.head = board.head;
      this.#rows.clear();
      for (const row of board.rows) this.#rows.set(row.participantId, row);
    }
    if (event === 'heads') this.head = { ...this.head, ...z.looseObject({}).parse(data) };
    if (event === 'rows') for (const row of Rows.parse(data).rows) this.#merge(row);
  }

  /** In order: by position, and those who share one as boards do. */
  get rows(): readonly Row[] {
    return [...this.#rows.values()].sort(
      (a, b) => Number(a['position']) - Number(b['position']) || (orderOf(a) < orderOf(b) ? -1 : 1),
    );
  }

  #merge(row: Row): void {
    if (row['position'] === null) this.#rows.delete(row.participantId);
    else this.#rows.set(row.participantId, { ...this.#rows.get(row.participantId), ...row });
  }
}

const Timed = z.looseObject({ bestLap: z.looseObject({ drivenAt: z.string(), createdAt: z.string() }) });

function orderOf(row: Row): string {
  const { drivenAt, createdAt } = Timed.parse(row).bestLap;
  return `${drivenAt} ${createdAt} ${row.participantId}`;
}
