/**
 * The columns of a board, as they are named in its style sheet; `gap`: the chosen one, `other`: the other one; `sector`:
 * one for each sector.
 */
export type ColumnName = 'position' | 'driver' | 'best' | 'gap' | 'other' | 'sector' | 'sectors' | 'last' | 'laps';

/** The columns that fit on a screen, and their widths. */
export interface Fit {
  /** From left to right. */
  readonly columns: readonly ColumnName[];
  /** Widths as `grid-template-columns` takes them. */
  readonly template: string;
  /** How many rows are beside each other. */
  readonly across: number;
}

/**
 * Least widths of the column of names, in em: that which other columns leave to it, that which they leave on a wall, where
 * thirty letters have room in it, and that which a phone has.
 */
const NAME = 10;
const WALL_NAME = 20.5;
const NARROW_NAME = 5.5;

/** Columns from the most that a board can have to the fewest: what has no room goes, the least important first. */
const CHOICES: readonly (readonly ColumnName[])[] = [
  ['position', 'driver', 'best', 'gap', 'other', 'sector', 'last', 'laps'],
  ['position', 'driver', 'best', 'gap', 'other', 'sectors', 'last', 'laps'],
  ['position', 'driver', 'best', 'gap', 'other', 'last', 'laps'],
  ['position', 'driver', 'best', 'gap', 'other', 'last'],
  ['position', 'driver', 'best', 'gap', 'last'],
];

/** The same on a narrow screen. */
const NARROW: readonly ColumnName[] = ['position', 'driver', 'best', 'gap'];

/** The fewest: the gap is below the best lap. */
const FEWEST: readonly ColumnName[] = ['position', 'driver', 'best'];

/** The fewest of which two rows are beside each other. */
const BESIDE: readonly ColumnName[] = ['position', 'driver', 'best', 'gap', 'other'];

/** Space between two rows that are beside each other, in em. */
export const SPACE_BETWEEN = 1;

/** What there is to be shown. */
interface Shown {
  /** Number of columns of sectors; 0: there are none, or more than have a column each. */
  readonly sectorColumns: number;
  readonly hasMarks: boolean;
  /** Widths that columns need, in em. */
  readonly widths: ReadonlyMap<string, number>;
  /** The width that there is, in em. */
  readonly available: number;
  /** Whether rows are shown by pages on a wall. */
  readonly isWall: boolean;
  /** Whether there are more rows than fit below each other. */
  readonly areMore: boolean;
}

/** The columns that fit. */
export function fitColumns(shown: Shown): Fit {
  const half = (shown.available - SPACE_BETWEEN) / 2;
  const areBeside = shown.isWall && shown.areMore && neededBy(BESIDE, shown) + WALL_NAME <= half;
  const available = areBeside ? half : shown.available;
  const columns = columnsWithin(available, shown);
  return { columns, template: templateOf(columns, shown), across: areBeside ? 2 : 1 };
}

function columnsWithin(available: number, shown: Shown): readonly ColumnName[] {
  const names = shown.isWall ? [WALL_NAME, NAME] : [NAME];
  const isThere = (columns: readonly ColumnName[]): boolean =>
    (shown.sectorColumns > 0 || !columns.includes('sector')) && (shown.hasMarks || !columns.includes('sectors'));
  for (const name of names) {
    const most = CHOICES.find((columns) => isThere(columns) && neededBy(columns, shown) + name <= available);
    if (most !== undefined) return most;
  }
  return neededBy(NARROW, shown) + NARROW_NAME <= available ? NARROW : FEWEST;
}

/** The width of columns besides that of names, in em. */
function neededBy(columns: readonly ColumnName[], { widths, sectorColumns }: Shown): number {
  let sum = 0;
  for (const column of columns) {
    if (column === 'driver') continue;
    sum += (widths.get(column) ?? 0) * (column === 'sector' ? sectorColumns : 1);
  }
  return sum;
}

function templateOf(columns: readonly ColumnName[], { widths, sectorColumns }: Shown): string {
  const template = columns.map((column) => {
    if (column === 'driver') return 'minmax(0, 1fr)';
    const width = `${(widths.get(column) ?? 0).toFixed(1)}em`;
    return column === 'sector' ? `repeat(${sectorColumns}, ${width})` : width;
  });
  return template.join(' ');
}
