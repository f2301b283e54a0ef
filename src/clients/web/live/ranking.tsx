import type { ComponentChild, ComponentProps, RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { tellApart } from '../shared/apart.ts';
import { memo } from '../shared/hooks.ts';
import { t } from '../shared/page.ts';
import live from '../texts/live.json' with { type: 'json' };
import type { CarClass } from './car-classes.ts';
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
export interface ShownRow extends RankedRow, RowNotes {
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

/** How rows are laid out on pages. */
export interface PagedRows {
  /** How many rows are beside each other, and below each other. */
  readonly across: number;
  readonly down: number;
  /** The place of the row at an index, from 0, below each other first; null: it is on another page. */
  readonly placeOf: (index: number) => number | null;
  /** The class of the row at an index. */
  readonly classOf: (index: number) => string;
}

/** What a row shows besides what the board has. */
export interface RowNotes {
  readonly carClass: CarClass | undefined;
  /** Place among the drivers of the class. */
  readonly classPlace: number | undefined;
  /** How many places the driver has won lately. */
  readonly won: number;
  /** Three letters for the name; empty: none are shown. */
  readonly code: string;
  /** Whether it is the driver that somebody follows. */
  readonly isChosen: boolean;
  /** Whether it is one of those that somebody searches. */
  readonly isFound: boolean;
}

interface RankingProps {
  readonly state: BoardState;
  /** Keep their identity with `useMemo`. */
  readonly columns: readonly Column[];
  /** The moment that the board shows, ms. */
  readonly now: number;
  /** Undefined: all rows are below each other. */
  readonly paged?: PagedRows | undefined;
  readonly notesOf: (row: Row) => RowNotes;
  readonly class: string;
  readonly headClass?: string;
  readonly style?: ComponentProps<'table'>['style'];
}

/** The rows of a board as a table. It says its roles, for browsers forget them where a style sheet lays it out. */
export function Ranking({ state, columns, now, paged, notesOf, headClass = '', ...rest }: RankingProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  useMoves(body, state, paged);
  const apart = useMemo(() => driversApart(state.rows), [state.rows]);
  const ofCars = useMemo(() => carsApart(state.rows), [state.rows]);
  return (
    <table role="table" {...rest}>
      <caption class="hidden-but-read">{t(live.standings)}</caption>
      <thead role="rowgroup" class={headClass}>
        <Headings columns={columns} />
        {paged?.across === 2 && <Headings columns={columns} isCopy />}
      </thead>
      <tbody ref={body} role="rowgroup">
        {state.rows.map((row, index) => (
          <RankingRow
            key={row.participantId}
            {...rankedRow(row, state, now)}
            {...notesOf(row)}
            apart={apart.get(row.participantId)}
            carApart={ofCars.get(row.bestLap.car)}
            columns={columns}
            class={paged?.classOf(index) ?? ''}
          />
        ))}
      </tbody>
    </table>
  );
}

interface HeadingsProps extends Pick<RankingProps, 'columns'> {
  /** Whether it is that of other rows beside the first, and not read again. */
  readonly isCopy?: boolean;
}

function Headings({ columns, isCopy = false }: HeadingsProps) {
  return (
    <tr role="row" aria-hidden={isCopy}>
      {columns.map(({ name, heading }, n) => (
        <th key={n} role="columnheader" scope="col" class={name}>
          {heading}
        </th>
      ))}
    </tr>
  );
}

const RankingRow = memo(({ columns, class: name, ...row }: ShownRow & Pick<RankingProps, 'columns' | 'class'>) => (
  <tr role="row" class={classOf(row, name)}>
    {columns.map((column, n) =>
      column.name === 'driver' ? (
        <th key={n} role="rowheader" scope="row" class={column.name}>
          {column.cell(row)}
        </th>
      ) : (
        <td key={n} role="cell" class={column.name}>
          {column.cell(row)}
        </td>
      ),
    )}
  </tr>
));

function classOf({ isChosen, isFound }: RowNotes, name: string): string {
  const names = [name];
  if (isChosen) names.push('chosen');
  if (!isFound) names.push('not-found');
  return names.join(' ').trim();
}

const MOVE: KeyframeAnimationOptions = { duration: 700, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)', composite: 'add' };
const FLASH_MS = 1_600;

const BEYOND = 2;

const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** Moves rows to their new places, and flashes new best laps. Places follow from indexes: all rows are equally high. */
function useMoves(
  body: RefObject<HTMLTableSectionElement | null>,
  { boards, rows }: BoardState,
  paged: PagedRows | undefined,
): void {
  const shown = useRef({ boards, rows });
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { boards, rows };
    if (body.current === null || before.rows === rows || before.boards !== boards || calm.matches) return;
    const changes = changesOf(before.rows, rows);
    if (changes.length === 0) return;
    if (paged === undefined) animateList(body.current, changes);
    else animatePage(body.current, changes, paged);
  }, [boards, rows]);
}

/** A row that is elsewhere, or has a new best lap. */
interface RowMove {
  readonly from: number;
  readonly to: number;
  readonly isBetter: boolean;
}

function changesOf(before: BoardState['rows'], now: BoardState['rows']): readonly RowMove[] {
  const known = new Map(
    before.map(({ participantId, bestLap: { lapId } }, index) => [participantId, { index, lapId }] as const),
  );
  return now.flatMap(({ participantId, bestLap: { lapId } }, index) => {
    const was = known.get(participantId);
    const isSame = was?.index === index && was.lapId === lapId;
    return isSame ? [] : [{ to: index, from: was?.index ?? before.length, isBetter: was?.lapId !== lapId }];
  });
}

function animateList(body: HTMLTableSectionElement, changes: readonly RowMove[]): void {
  const { first, last, height } = inSight(body);
  const within = (index: number): number => Math.min(Math.max(index, first), last);
  for (const { to, from, isBetter } of changes) {
    const row = body.children[to];
    const start = within(from);
    const end = within(to);
    if (row === undefined || (end !== to && start !== from)) continue;
    if (start !== end) move(row, 0, (start - end) * height);
    if (isBetter) flash(row);
  }
}

/** Only moves within the page: a row from another page is simply there. */
function animatePage(body: HTMLTableSectionElement, changes: readonly RowMove[], paged: PagedRows): void {
  const { across, down, placeOf } = paged;
  const width = body.clientWidth / across;
  for (const { to, from, isBetter } of changes) {
    const row = body.children[to];
    const end = placeOf(to);
    const start = placeOf(from);
    if (!(row instanceof HTMLElement) || end === null) continue;
    if (start !== null && start !== end) {
      const columns = Math.floor(start / down) - Math.floor(end / down);
      const rows = (start % down) - (end % down);
      move(row, columns * width, rows * row.offsetHeight);
    }
    if (isBetter) flash(row);
  }
}

/** Has a row come from where it was, in px from where it is. */
function move(row: Element, x: number, y: number): void {
  const across = x === 0 ? '' : `translateX(${x}px) `;
  row.animate([{ transform: `${across}translateY(${y}px)` }, { transform: 'none' }], MOVE);
}

function flash(row: Element): void {
  row.animate([{ backgroundColor: 'var(--flash)' }, {}], FLASH_MS);
}

function inSight(body: HTMLTableSectionElement) {
  const { top, height: whole } = body.getBoundingClientRect();
  const height = whole / Math.max(body.children.length, 1);
  const first = Math.floor(-top / Math.max(height, 1)) - BEYOND;
  return { first, last: first + Math.ceil(innerHeight / Math.max(height, 1)) + 2 * BEYOND, height };
}
