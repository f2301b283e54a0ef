import { isBefore, type SectorBest } from '../../../queries/leaderboards/boards.ts';
import type { LapBoard } from '../../../queries/leaderboards/lap-board.ts';
import { shownRow, type LeaderboardRow } from '../../../queries/leaderboards/leaderboards.ts';
import type { Names } from '../../../queries/leaderboards/board-names.ts';
import { positionRows, type PositionedRow } from '../../../queries/leaderboards/positions.ts';
import { sameJson, type JsonObject } from '../../kernel/json.ts';

/** The fields of a row that changed; `position: null` means that the participant left the board. */
export type RowDifference = Partial<Omit<LeaderboardRow, 'position'>> & {
  readonly participantId: string;
  readonly position?: number | null;
};

export type ShownRows = ReturnType<typeof shownRows>;

/** The rows of a board as they were shown last. */
export function shownRows(board: LapBoard) {
  const shown = new Map(positioned(board).map((row) => [row.ranked.participantId, row]));
  /** Number of sectors whose best times rows show: that of the fastest lap, which may change while all keep their places. */
  let sectorCount = board.sectors.length;
  /** The rows of participants whose positions have not changed, in order. */
  function inPlace(participantIds: readonly string[]): readonly PositionedRow[] {
    const rows = participantIds.flatMap((id) => {
      const before = shown.get(id);
      const ranked = board.row(id);
      return before === undefined || ranked === null ? [] : [{ ...before, ranked }];
    });
    return rows.sort((a, b) => (isBefore(a.ranked, b.ranked) ? -1 : 1));
  }
  /** Remembers a row as shown, and returns its difference, if there is one. */
  function show(row: PositionedRow, names: Names): readonly RowDifference[] {
    const { participantId } = row.ranked;
    const before = shown.get(participantId);
    shown.set(participantId, row);
    if (before === undefined) return [shownRow(row, names)];
    // Most rows have not changed, or only in their position: comparing all fields would take longer than all the rest.
    const changed =
      before.ranked === row.ranked
        ? differences(placeOf(before), placeOf(row))
        : differences<LeaderboardRow>(shownRow(before, names), shownRow(row, names));
    return Object.keys(changed).length === 0 ? [] : [{ participantId, ...changed }];
  }
  return {
    has: (participantId: string) => shown.has(participantId),
    /**
     * Returns the differences since the rows were last shown, after changes of the laps of these participants: first in the
     * order of the board, and then the participants who have left it.
     */
    update(touched: readonly string[], names: Names): readonly RowDifference[] {
      const hasMoved = touched.some((id) => board.row(id)?.rank !== shown.get(id)?.ranked.rank);
      const hasOtherSectors = board.sectors.length !== sectorCount;
      sectorCount = board.sectors.length;
      const rows = (hasMoved || hasOtherSectors ? positioned(board) : inPlace(touched)).flatMap((row) =>
        show(row, names),
      );
      const left = touched.filter((id) => board.row(id) === null && shown.delete(id));
      return [...rows, ...left.map((participantId) => ({ participantId, position: null }))];
    },
  };
}

function placeOf({ position, gapToLeader, gapToNext }: PositionedRow) {
  return { position, gapToLeader, gapToNext };
}

export function positioned(board: LapBoard): readonly PositionedRow[] {
  return positionRows(board.rows());
}

export function sameSectors(some: readonly SectorBest[], others: readonly SectorBest[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ time, participantId }, n) => others[n]?.time === time && others[n].participantId === participantId)
  );
}

function differences<T extends JsonObject>(before: T, after: T): Partial<T> {
  const changed = Object.entries(after).filter(([field, value]) => !sameJson(before[field], value));
  // Fields of `after`, with their values.
  return Object.fromEntries(changed) as Partial<T>;
}
