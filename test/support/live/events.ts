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
