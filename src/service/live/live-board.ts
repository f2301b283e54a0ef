import type { Lap } from '../../../projections/leaderboards/best-laps.ts';
import type { LapFacts } from '../../../projections/laps.ts';
import type { RacingEventDocument } from '../../../projections/racing-events.ts';
import { isBefore, type SectorBest } from '../../../queries/leaderboards/boards.ts';
import { LapBoard, type LapFilter } from '../../../queries/leaderboards/lap-board.ts';
import { countLap, layoutIdsOf } from '../../../queries/leaderboards/layouts.ts';
import { headOf, shownRow, type LeaderboardRow } from '../../../queries/leaderboards/leaderboards.ts';
import type { Nameable, Names } from '../../../queries/leaderboards/names.ts';
import { positionRows, type RowPosition, type PositionedRow } from '../../../queries/leaderboards/positions.ts';
import { sameJson, type JsonObject } from '../kernel/json.ts';
import type { LapChange } from './changes.ts';

/** The fields of a row that changed; `position: null` means that the participant left the board. */
export type RowDifference = Partial<Omit<LeaderboardRow, 'position'>> & {
  readonly participantId: string;
  readonly position?: number | null;
};

export interface BoardDifference {
  /** In the order of the board; participants that have left it come last. */
  readonly rows: readonly RowDifference[];
  /** Whether the best sectors have other holders or times. */
  readonly hasOtherSectors: boolean;
}

/** A board with the rows of `GET …/leaderboard`. `apply` and `sort` bring it to a moment; `update` goes on. */
export class LiveBoard {
  readonly trackLayoutId: string | null;
  /** When the newest change that it shows happened, epoch ms; null: it shows none. */
  changedAt: number | null = null;
  readonly #event: RacingEventDocument;
  readonly #board: LapBoard;
  /** By participant: the laps on the board, to find the next best or last one when that leaves. */
  readonly #laps = new Map<string, Map<Lap, LapFacts>>();
  /** The rows as they were shown last, by participant. */
  #shown = new Map<string, PositionedRow>();

  constructor(event: RacingEventDocument, filter: LapFilter, minimum: number) {
    this.trackLayoutId = filter.trackLayoutId;
    this.#event = event;
    this.#board = new LapBoard(filter, minimum);
  }

  /** Applies a change, and returns the participants whose rows it may change. */
  apply({ lap, before, after, at }: LapChange): ReadonlySet<string> {
    const touched = new Set<string>();
    if (before === null) this.#board.add(lap, after);
    else {
      const own = this.#laps.get(before.participantId) ?? new Map<Lap, LapFacts>();
      if (own.delete(lap)) touched.add(before.participantId);
      this.#board.change(lap, [before, after], () => own);
      if (own.size === 0) this.#laps.delete(before.participantId);
    }
    if (this.#board.shows(after)) {
      const { participantId } = after;
      const laps = this.#laps.get(participantId) ?? new Map<Lap, LapFacts>();
      this.#laps.set(participantId, laps.set(lap, after));
      touched.add(participantId);
    }
    if (touched.size > 0) this.changedAt = at;
    return touched;
  }

  sort(): void {
    this.#shown = new Map(this.#positioned().map((row) => [row.ranked.participantId, row]));
  }

  update(change: LapChange, names: Names): BoardDifference | null {
    const { sectors } = this.#board;
    const touched = this.apply(change);
    if (touched.size === 0) return null;
    const rows = this.#rowDifferences([...touched], names);
    return { rows, hasOtherSectors: !sameSectors(sectors, this.#board.sectors) };
  }

  shows(facts: LapFacts): boolean {
    return this.#board.shows(facts);
  }

  rename(participantId: string, names: Names): BoardDifference {
    const rows = this.#shown.has(participantId) ? [{ participantId, participantName: names.of(participantId) }] : [];
    return { rows, hasOtherSectors: this.#board.sectors.some((best) => best.participantId === participantId) };
  }

  rows(names: Names): readonly LeaderboardRow[] {
    return this.#positioned().map((row) => shownRow(row, names));
  }

  head(names: Names) {
    const laps = this.#board.lapsByLayout;
    const layouts = layoutIdsOf(this.#event, laps).map((id) => ({ trackLayoutId: id, laps: laps.get(id) ?? 0 }));
    const { trackLayoutId } = this;
    return headOf({ event: this.#event, board: this.#board, trackLayoutId, layouts }, { asOf: null, names });
  }

  *named(): Iterable<Nameable> {
    for (const { participantId, lap } of this.#board.rows()) {
      yield { kind: 'participant', id: participantId };
      yield { kind: 'car', id: lap.car };
    }
    for (const id of layoutIdsOf(this.#event, this.#board.lapsByLayout)) yield { kind: 'trackLayout', id };
    if (this.trackLayoutId !== null) yield { kind: 'trackLayout', id: this.trackLayoutId };
  }

  firstLayoutAfter({ before, after }: LapChange): string | null {
    const laps = new Map(this.#board.lapsByLayout);
    const { id: eventId } = this.#event;
    if (before !== null) countLap(laps, before, { eventId, by: -1 });
    countLap(laps, after, { eventId, by: 1 });
    return layoutIdsOf(this.#event, laps)[0] ?? null;
  }

  #positioned(): readonly PositionedRow[] {
    const rows = this.#board.rows();
    return positionRows(rows, { offset: 0, leader: rows[0]?.lap.totalTime, before: null });
  }

  #rowDifferences(touched: readonly string[], names: Names): readonly RowDifference[] {
    const hasMoved = touched.some((id) => this.#board.row(id)?.rank !== this.#shown.get(id)?.ranked.rank);
    const rows = (hasMoved ? this.#positioned() : this.#inPlace(touched)).flatMap((row) => this.#show(row, names));
    const left = touched.filter((id) => this.#board.row(id) === null && this.#shown.delete(id));
    return [...rows, ...left.map((participantId) => ({ participantId, position: null }))];
  }

  /** The rows of participants whose positions have not changed, in order. */
  #inPlace(participantIds: readonly string[]): readonly PositionedRow[] {
    const rows = participantIds.flatMap((id) => {
      const [before, ranked] = [this.#shown.get(id), this.#board.row(id)];
      return before === undefined || ranked === null ? [] : [{ ...before, ranked }];
    });
    return rows.sort((a, b) => (isBefore(a.ranked, b.ranked) ? -1 : 1));
  }

  /** Remembers a row as shown, and returns its difference, if there is one. */
  #show(row: PositionedRow, names: Names): readonly RowDifference[] {
    const { participantId } = row.ranked;
    const before = this.#shown.get(participantId);
    // Most rows have not changed, or only in their position: comparing all fields would take longer than all the rest.
    const isSame = before?.ranked === row.ranked;
    if (isSame && isSamePosition(before, row)) return [];
    this.#shown.set(participantId, row);
    if (before === undefined) return [shownRow(row, names)];
    const changed = isSame
      ? differences(positionIn(before), positionIn(row))
      : differences<LeaderboardRow>(shownRow(before, names), shownRow(row, names));
    return Object.keys(changed).length === 0 ? [] : [{ participantId, ...changed }];
  }
}

function isSamePosition(a: RowPosition, b: RowPosition): boolean {
  return a.position === b.position && a.gapToLeader === b.gapToLeader && a.gapToNext === b.gapToNext;
}

function positionIn({ position, gapToLeader, gapToNext }: RowPosition) {
  return { position, gapToLeader, gapToNext };
}

function sameSectors(some: readonly SectorBest[], others: readonly SectorBest[]): boolean {
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
