import { racingEvents } from '../../projections/racing-events.ts';
import { readOne } from '../../src/domain/documents.ts';
import type { ReadModels } from '../../src/kernel/ports/read-store.ts';
import { boardFinder, findBoard, type BoardRequest, type FoundBoard } from './find-board.ts';
import { nameIn, namesFor, type Names } from './board-names.ts';
import { positionedRows, type PositionedRow } from './positions.ts';
import type { BoardSources } from './sources.ts';

/** The columns of a printed board; the ids at their end tell drivers, and cars, of the same name apart. */
export const RESULT_COLUMNS = [
  'position',
  'driver',
  'car',
  'time',
  'gap',
  'laps',
  'maker',
  'participantId',
  'carId',
] as const;

/** Stands for all layouts of an event, in its order, in place of the id of one; further columns then name the layouts. */
export const ALL_LAYOUTS = 'all';

/** A printed board: a row has a value for each column. */
export interface Results {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** Name for a file with the results of an event, without its ending; null when there is no such event. */
export async function resultsName(eventId: string, models: ReadModels): Promise<string | null> {
  const event = await readOne(models, racingEvents, eventId);
  return event === null ? null : `results-${event.slug}`;
}

/** Rows that are made at a time. They are not all made at once, as a document takes far more memory than its row. */
const ROWS = 1_000;

/**
 * Every row of a board, or of those of all layouts, as a venue prints it; null when there is no such event.
 * @throws {OverBudget} and the reason of the allowance's signal
 */
export async function resultsOf(request: BoardRequest, sources: BoardSources): Promise<Results | null> {
  if (request.trackLayoutId !== ALL_LAYOUTS) {
    const found = await findBoard(request, sources);
    return found && { columns: RESULT_COLUMNS, rows: await rowsOf(found, sources) };
  }
  const find = await boardFinder(request, sources);
  const first = find && (await find());
  if (first === null) return null;
  const rows: Results['rows'][number][] = [];
  for (const { trackLayoutId } of first.layouts) {
    const found = trackLayoutId === first.trackLayoutId ? first : await find?.(trackLayoutId);
    if (!found) continue;
    const layout = await nameIn(sources.models, { kind: 'trackLayout', id: trackLayoutId });
    for (const row of await rowsOf(found, sources)) rows.push([layout?.name ?? null, ...row, trackLayoutId]);
  }
  return { columns: ['layout', ...RESULT_COLUMNS, 'trackLayoutId'], rows };
}

async function rowsOf(found: FoundBoard, { models, allowance }: BoardSources): Promise<Results['rows']> {
  const rows: Results['rows'][number][] = [];
  for (let page = 0; page * ROWS < found.board.total; page += 1) {
    const positioned = await positionedRows(found.board, { page, size: ROWS });
    allowance.spend(positioned.length);
    const names = await namesFor(models, positioned, found);
    rows.push(...positioned.map((row) => printedRow(row, names)));
  }
  return rows;
}

function printedRow({ ranked, position, gapToLeader }: PositionedRow, names: Names): Results['rows'][number] {
  const { participantId, participantName, lap, laps } = ranked;
  const driver = participantName ?? names.of(participantId);
  const gap = gapToLeader === null ? null : clockTime(gapToLeader);
  const time = clockTime(lap.totalTime);
  return [position, driver, names.of(lap.car), time, gap, laps, names.brandOf(lap.car), participantId, lap.car];
}

/** A time in ms as `m:ss.mmm`; minutes may have more digits. */
export function clockTime(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const seconds = Math.floor((ms % 60_000) / 1_000);
  return `${minutes}:${String(seconds).padStart(2, '0')}.${String(ms % 1_000).padStart(3, '0')}`;
}
