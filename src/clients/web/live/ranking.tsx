import type { ComponentChild, ComponentProps } from 'preact';
import { useRef } from 'preact/hooks';
import { memo } from '../shared/hooks.ts';
import { t } from '../shared/page.ts';
import live from '../texts/live.json' with { type: 'json' };
import { rankedRow, type RankedRow } from './ranked-time.tsx';
import type { BoardState } from './state.ts';
import { useMoves } from './use-moves.ts';

/** A column of a ranking; its name is the class of its cells. */
export interface Column {
  readonly name: string;
  readonly heading: string;
  readonly cell: (row: RankedRow) => ComponentChild;
}

interface RankingProps {
  readonly state: BoardState;
  /** Keep their identity with `useMemo`. */
  readonly columns: readonly Column[];
  readonly class: string;
  readonly headClass?: string;
  readonly style?: ComponentProps<'table'>['style'];
}

/** The rows of a board as a table. It says its roles, for browsers forget them where a style sheet lays it out. */
export function Ranking({ state, columns, headClass = '', ...rest }: RankingProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  useMoves(body, state);
  return (
    <table role="table" {...rest}>
      <caption class="hidden-but-read">{t(live.standings)}</caption>
      <thead role="rowgroup" class={headClass}>
        <tr role="row">
          {columns.map(({ name, heading }, n) => (
            <th key={n} role="columnheader" scope="col" class={name}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body} role="rowgroup">
        {state.rows.map((row) => (
          <RankingRow key={row.participantId} {...rankedRow(row, state)} columns={columns} />
        ))}
      </tbody>
    </table>
  );
}

const RankingRow = memo(({ columns, ...row }: RankedRow & Pick<RankingProps, 'columns'>) => (
  <tr role="row">
    {columns.map(({ name, cell }, n) =>
      name === 'driver' ? (
        <th key={n} role="rowheader" scope="row" class={name}>
          {cell(row)}
        </th>
      ) : (
        <td key={n} role="cell" class={name}>
          {cell(row)}
        </td>
      ),
    )}
  </tr>
));
