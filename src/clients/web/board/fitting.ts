/** The columns of a board, as they are named in its style sheet; `sector`: one for each sector. */
export type ColumnName = 'position' | 'driver' | 'best' | 'gap' | 'sector' | 'sectors' | 'last' | 'laps';

/** The columns that fit on a screen, and their widths. */
export interface Fit {
  /** From left to right. */
  readonly columns: readonly ColumnName[];
  /** Widths as `grid-template-columns` takes them. */
  readonly template: string;
}

/** Least widths of the column of names, in em: that which other columns leave to it, and that which a phone has. */
const NAME = 10;
const NARROW_NAME = 5.5;

/** Columns from the most that a board can have to the fewest: what has no room goes, the least important first. */
const CHOICES: readonly { readonly columns: readonly ColumnName[]; readonly name: number }[] = [
  { columns: ['position', 'driver', 'best', 'gap', 'sector', 'last', 'laps'], name: NAME },
  { columns: ['position', 'driver', 'best', 'gap', 'sectors', 'last', 'laps'], name: NAME },
  { columns: ['position', 'driver', 'best', 'gap', 'last', 'laps'], name: NAME },
  { columns: ['position', 'driver', 'best', 'gap', 'last'], name: NAME },
  { columns: ['position', 'driver', 'best', 'gap'], name: NARROW_NAME },
];

/** The fewest: the gap is below the best lap. */
const FEWEST: readonly ColumnName[] = ['position', 'driver', 'best'];

/** What there is to be shown. */
interface Shown {
  /** Number of columns of sectors; 0: there are none, or more than have a column each. */
  readonly sectorColumns: number;
  readonly hasMarks: boolean;
  /** Widths that columns need, in em. */
  readonly widths: ReadonlyMap<string, number>;
  /** The width that there is, in em. */
  readonly available: number;
}

/** The columns that fit. */
export function fitColumns({ sectorColumns, hasMarks, widths, available }: Shown): Fit {
  const widthOf = (column: ColumnName): number => widths.get(column) ?? 0;
  const neededBy = (columns: readonly ColumnName[]): number =>
    columns.reduce((sum, column) => {
      if (column === 'driver') return sum;
      return sum + widthOf(column) * (column === 'sector' ? sectorColumns : 1);
    }, 0);
  const isThere = (columns: readonly ColumnName[]): boolean =>
    (sectorColumns > 0 || !columns.includes('sector')) && (hasMarks || !columns.includes('sectors'));
  const fitting = CHOICES.find(({ columns, name }) => isThere(columns) && neededBy(columns) + name <= available);
  const columns = fitting?.columns ?? FEWEST;
  const template = columns.map((column) => {
    if (column === 'driver') return 'minmax(0, 1fr)';
    const width = `${widthOf(column).toFixed(1)}em`;
    return column === 'sector' ? `repeat(${sectorColumns}, ${width})` : width;
  });
  return { columns, template: template.join(' ') };
}
