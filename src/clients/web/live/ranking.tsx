import type { ComponentChild, ComponentProps, RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { tellApart } from '../shared/apart.ts';
import { memo } from '../shared/hooks.ts';
import { t } from '../shared/page.ts';
import live from '../texts/live.json' with { type: 'json' };
import type { Row } from './messages.ts';
import { rankedRow, type RankedRow } from './ranked-time.tsx';
import type { BoardState } from './state.ts';

/** A column of a ranking; its name is the class of its cells. */
export interface Column {
  readonly name: string;
  readonly heading: string;
  readonly cell: (row: ShownRow) => ComponentChild;
}

/** What a row shows of a driver; with what tells names apart that others on the board have, too. */
export interface ShownRow extends RankedRow {
  readonly apart: string | undefined;
  readonly carApart: string | undefined;
}

/** What tells drivers of one name apart, by their ids. */
export function driversApart(
  drivers: Iterable<Pick<Row, 'participantId' | 'participantName'>>,
): ReadonlyMap<string, string> {
  return tellApart(Array.from(drivers, ({ participantId: id, participantName: name }) => ({ id, name })));
}

/** What tells cars of one name apart, by their ids. */
function carsApart(rows: readonly Row[]): ReadonlyMap<string, string> {
  return tellApart(
    rows.map(({ bestLap: { car: id, carBrandDisplayName: brand, carDisplayName: model } }) => ({
      id,
      name: `${brand} ${model}`,
    })),
  );
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
  const apart = useMemo(() => driversApart(state.rows), [state.rows]);
  const ofCars = useMemo(() => carsApart(state.rows), [state.rows]);
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
          <RankingRow
            key={row.participantId}
            {...rankedRow(row, state)}
            apart={apart.get(row.participantId)}
            carApart={ofCars.get(row.bestLap.car)}
            columns={columns}
          />
        ))}
      </tbody>
    </table>
  );
}

const RankingRow = memo(({ columns, ...row }: ShownRow & Pick<RankingProps, 'columns'>) => (
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

const MOVE: KeyframeAnimationOptions = { duration: 700, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)', composite: 'add' };
const FLASH_MS = 1_600;

const BEYOND = 2;

const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** Moves rows to their new places, and flashes new best laps. Places follow from indexes: all rows are equally high. */
function useMoves(body: RefObject<HTMLTableSectionElement | null>, { boards, rows }: BoardState): void {
  const shown = useRef({ boards, rows });
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { boards, rows };
    if (body.current === null || before.rows === rows || before.boards !== boards || calm.matches) return;
    animate(body.current, before.rows, rows);
  }, [boards, rows]);
}

function animate(body: HTMLTableSectionElement, before: BoardState['rows'], now: BoardState['rows']): void {
  const known = new Map(
    before.map(({ participantId, bestLap: { lapId } }, index) => [participantId, { index, lapId }] as const),
  );
  const changed = now.flatMap(({ participantId, bestLap: { lapId } }, index) => {
    const was = known.get(participantId);
    const same = was?.index === index && was.lapId === lapId;
    return same ? [] : [{ index, from: was?.index ?? before.length, better: was?.lapId !== lapId }];
  });
  if (changed.length === 0) return;
  const { first, last, height } = inSight(body);
  const within = (index: number): number => Math.min(Math.max(index, first), last);
  for (const { index, from, better } of changed) {
    const row = body.children[index];
    const start = within(from);
    const end = within(index);
    if (row === undefined || (end !== index && start !== from)) continue;
    if (start !== end) {
      row.animate([{ transform: `translateY(${(start - end) * height}px)` }, { transform: 'none' }], MOVE);
    }
    if (better) row.animate([{ backgroundColor: 'var(--flash)' }, {}], FLASH_MS);
  }
}

function inSight(body: HTMLTableSectionElement) {
  const { top, height: whole } = body.getBoundingClientRect();
  const height = whole / Math.max(body.children.length, 1);
  const first = Math.floor(-top / Math.max(height, 1)) - BEYOND;
  return { first, last: first + Math.ceil(innerHeight / Math.max(height, 1)) + 2 * BEYOND, height };
}
