import { readMessage, type Head, type Row } from '../../../src/clients/web/live/messages.ts';
import { applyMessage, EMPTY } from '../../../src/clients/web/live/state.ts';

/** An event of a live board, as it came. */
export interface LiveEvent {
  readonly event: string;
  /** Position of the change that it is the last event of. */
  readonly id: number | null;
  /** The whole id, with its mark; absent where there is none. */
  readonly lastEventId?: string;
  readonly data: unknown;
  /** What it says in ms, where it is a `retry`. */
  readonly retry: number | null;
}

/** The event of a block of lines. */
export function parseBlock(block: string): LiveEvent {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  const number = (name: string): number | null => (fields.has(name) ? Number(fields.get(name)) : null);
  const data: unknown = JSON.parse(fields.get('data') ?? 'null');
  const lastEventId = fields.get('id');
  const id = lastEventId === undefined ? null : Number.parseInt(lastEventId, 10);
  const event = fields.get('event') ?? '';
  const parsed = { event, id, data, retry: number('retry') };
  return lastEventId === undefined ? parsed : { ...parsed, lastEventId };
}

/** A board as the pages build it from the events. */
export class ClientBoard {
  #state = EMPTY;

  get head(): Partial<Head> {
    return this.#state.head ?? {};
  }

  get rows(): readonly Row[] {
    return this.#state.rows;
  }

  take({ event, data }: LiveEvent): void {
    const message = readMessage(event, JSON.stringify(data));
    if (message !== null) this.#state = applyMessage(this.#state, message);
  }
}
