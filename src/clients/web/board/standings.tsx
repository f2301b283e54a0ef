import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ClassBadge } from '../live/class-badge.tsx';
import { placesInClass, type ClassesOfCars } from '../live/car-classes.ts';
import { LapTime, Legend, RankedTime, SectorMarks, SectorSums } from '../live/ranked-time.tsx';
import { Ranking, type Column, type PagedRows, type RowNotes, type ShownRow } from '../live/ranking.tsx';
import type { Row } from '../live/messages.ts';
import type { BoardState } from '../live/state.ts';
import { Who } from '../live/who.tsx';
import { emOf, widestOf, widthsIn, type Widest } from '../live/widest.ts';
import { t } from '../shared/page.ts';
import { gap as gapText, lapTime } from '../shared/times.ts';
import say from '../texts/board.json' with { type: 'json' };
import live from '../texts/live.json' with { type: 'json' };
import type { GapTo } from './choices.ts';
import { lapsText } from './driver-card.tsx';
import { fitColumns, type ColumnName, type Fit } from './fitting.ts';
import { firstOf, pagingOf, placeOn, type Paging } from '../live/paging.ts';
import { useTurning } from '../live/use-turning.ts';

/** Sectors whose times have a column each; more are shown as marks. */
const MOST_COLUMNS = 4;

const GAPS: { readonly [G in GapTo]: (row: Row) => number | null } = {
  leader: ({ gapToLeader }) => gapToLeader,
  next: ({ gapToNext }) => gapToNext,
};

const OTHER: { readonly [G in GapTo]: GapTo } = { leader: 'next', next: 'leader' };

const GAP_HEADINGS = { leader: live.gap, next: live.interval };

/** @param onDriver takes the id of a driver whose name was tapped; null: names are no buttons */
function columnsFor(
  names: readonly ColumnName[],
  sectorCount: number,
  gapTo: GapTo,
  onDriver: ((participantId: string) => void) | null,
): readonly Column[] {
  return names.flatMap((name): readonly Column[] => {
    if (name === 'sector') return sectorColumns(sectorCount);
    const heading = headingOf(name, gapTo);
    if (name === 'best') return [{ name, heading, cell: bestCell(names.includes('gap') ? null : GAPS[gapTo]) }];
    if (name === 'gap') return [{ name, heading, cell: ({ row }) => gapText(GAPS[gapTo](row)) }];
    if (name === 'driver') return [{ name, heading, cell: (row) => <DriverCell {...row} onDriver={onDriver} /> }];
    if (name === 'other') return [{ name, heading, cell: ({ row }) => gapText(GAPS[OTHER[gapTo]](row)) }];
    return [{ name, heading, cell: CELLS[name] }];
  });
}

function headingOf(name: Exclude<ColumnName, 'sector'>, gapTo: GapTo): string {
  if (name === 'gap') return t(GAP_HEADINGS[gapTo]);
  return t(name === 'other' ? GAP_HEADINGS[OTHER[gapTo]] : live[name]);
}

const CELLS: { readonly [C in Exclude<ColumnName, 'driver' | 'best' | 'gap' | 'other' | 'sector'>]: Column['cell'] } = {
  position: ({ row, won }) => (
    <>
      {row.position}
      {won > 0 && (
        <span class="won">
          <span aria-hidden="true">▲{won}</span>
          <span class="hidden-but-read"> {t(say.placesWon, { count: won })}</span>
        </span>
      )}
    </>
  ),
  sectors: ({ ranks }) => <SectorMarks ranks={ranks} />,
  last: ({ row, lastRank }) => <LapTime lap={row.lastLap} rank={lastRank} />,
  laps: ({ row }) => (
    <span title={lapsText(row)}>{row.laps === row.validLaps ? row.laps : `${row.validLaps}/${row.laps}`}</span>
  ),
};

function DriverCell({ onDriver, ...row }: ShownRow & { readonly onDriver: ((participantId: string) => void) | null }) {
  const { participantId, participantName: name } = row.row;
  const who = <Who name={name} apart={row.apart} />;
  return (
    <>
      {onDriver === null ? (
        who
      ) : (
        <button type="button" class="opener" title={t(say.showLaps, { name })} onClick={() => onDriver(participantId)}>
          {who}
        </button>
      )}
      <CarLine {...row} />
    </>
  );
}

function CarLine({ row: { bestLap }, carApart, carClass, classPlace }: ShownRow) {
  return (
    <span class="who car">
      {carClass !== undefined && <ClassBadge carClass={carClass} place={classPlace} />}
      <bdi>
        {bestLap.carBrandDisplayName} {bestLap.carDisplayName}
      </bdi>
      {carApart !== undefined && <span class="apart">{carApart}</span>}
    </span>
  );
}

/** The cell of the best lap, with its number below it; where the gap has no column, it is there instead. */
function bestCell(gapOf: ((row: Row) => number | null) | null): Column['cell'] {
  return ({ row }) => {
    const { position, bestLap, bestLapNumber: number } = row;
    return (
      <>
        <span class={position === 1 ? 'purple' : ''}>{lapTime(bestLap.totalTime)}</span>
        {gapOf !== null && <span class="below-best">{gapText(gapOf(row))}</span>}
        {gapOf === null && number !== null && <span class="below-best"> {t(live.lapNumber, { number })}</span>}
      </>
    );
  };
}

function sectorColumns(count: number): readonly Column[] {
  return Array.from({ length: count }, (_, n) => ({
    name: 'sector',
    heading: t(live.sector, { number: n + 1 }),
    cell: ({ row, ranks }) => <RankedTime ms={row.bestLap.sectors[n] ?? 0} rank={ranks[n] ?? 'none'} />,
  }));
}

interface StandingsProps {
  readonly state: BoardState;
  readonly gapTo: GapTo;
  /** Whether rows are shown by pages, as high as the screen. */
  readonly isWall: boolean;
  /** The moment that the board shows, ms. */
  readonly now: number;
  /** The classes of cars; null: they are not shown. */
  readonly classes: ClassesOfCars | null;
  /** Places that drivers have won lately, by their ids. */
  readonly won: ReadonlyMap<string, number>;
  /** Id of the driver whose row stays on top; null: nobody's does. */
  readonly driver?: string | null;
  /** Whether a driver is searched, by the name; left out: all are. */
  readonly isSearched?: (name: string) => boolean;
  /** Takes the id of a driver whose name was tapped; keep its identity with `useCallback`; left out: names are no buttons. */
  readonly onDriver?: (participantId: string) => void;
  /** Called when all pages have been shown; keep its identity with `useCallback`; null: it does not matter. */
  readonly onEnd: (() => void) | null;
}

export function Standings({
  state,
  gapTo,
  isWall,
  now,
  classes,
  won,
  driver = null,
  isSearched = () => true,
  onDriver,
  onEnd,
}: StandingsProps) {
  const { rows } = state;
  const count = state.head?.bestSectors.length ?? 0;
  const widest = useMemo(() => widestOf(rows, ({ gapToLeader }) => gapToLeader), [rows]);
  const box = useRef<HTMLDivElement>(null);
  const { fit, down } = useFit(box, { sectorCount: count, total: rows.length, isWall, key: JSON.stringify(widest) });
  const columns = useMemo(() => columnsFor(fit.columns, count, gapTo, onDriver ?? null), [fit, count, gapTo, onDriver]);
  const paging = useMemo(
    () => pagingOf(rows.length, down === null ? rows.length : fit.across * down),
    [rows.length, fit, down],
  );
  const page = useTurning(paging, onEnd);
  const paged = useMemo(
    () => (down === null ? undefined : pagedRows(paging, page, rows.length, { across: fit.across, down })),
    [paging, page, rows.length, fit, down],
  );
  const places = useMemo(() => placesInClass(rows, classes ?? NO_CLASSES), [rows, classes]);
  const notesOf = ({ participantId, participantName, bestLap }: Row): RowNotes => ({
    carClass: classes?.get(bestLap.car),
    classPlace: places.get(participantId),
    won: won.get(participantId) ?? 0,
    code: '',
    isChosen: participantId === driver,
    isFound: isSearched(participantName),
  });
  const style = { '--columns': fit.template, '--across': fit.across, '--down': paged?.down ?? 'none' };
  return (
    <div class="table" ref={box}>
      <Sizing widest={widest} sectorCount={count} />
      <Ranking
        class={driver === null ? 'standings' : 'standings following'}
        {...{ state, columns, now, paged, notesOf, style }}
      />
      <div class="below">
        {paging.pages > 1 && <Pager {...{ paging, page }} total={rows.length} />}
        {count > 0 && <Legend />}
      </div>
    </div>
  );
}

const NO_CLASSES: ClassesOfCars = new Map();

/** What the rows of a page are laid out by. */
function pagedRows(
  paging: Paging,
  page: number,
  total: number,
  { across, down }: Pick<PagedRows, 'across' | 'down'>,
): PagedRows {
  const placeOf = (index: number): number | null => placeOn(paging, page, total, index);
  const first = firstOf(paging, page, total);
  return {
    across,
    down: Math.min(down, total),
    placeOf,
    classOf: (index) => {
      if (placeOf(index) === null) return 'elsewhere';
      return paging.pages > 1 && index === first ? 'turning' : '';
    },
  };
}

interface PagerProps {
  readonly paging: Paging;
  readonly page: number;
  readonly total: number;
}

/** Says which rows are shown; screen readers have all of them. */
function Pager({ paging, page, total }: PagerProps) {
  const first = firstOf(paging, page, total);
  return (
    <p class="pager" aria-hidden="true">
      {Array.from({ length: paging.pages }, (_, n) => (
        <i key={n} class={n === page ? 'current' : ''} />
      ))}
      <span class="numbers">{t(say.rowsOf, { from: first + 1, to: first + paging.turning, total })}</span>
    </p>
  );
}

/** A board before anything is known of the screen: the columns, and no pages. */
const UNKNOWN: Layout = {
  fit: { columns: ['position', 'driver', 'best', 'gap'], template: '2.2em minmax(0, 1fr) 5.5em 4.4em', across: 1 },
  down: null,
};

interface Layout {
  readonly fit: Fit;
  /** How many rows fit below each other; null: all are shown, however many there are. */
  readonly down: number | null;
}

interface Fitted {
  readonly sectorCount: number;
  /** Number of rows. */
  readonly total: number;
  readonly isWall: boolean;
  /** Another one for other texts that are the widest. */
  readonly key: string;
}

/** The columns that fit, and the rows, measured before anything is painted, whenever what they depend on changes. */
function useFit(box: RefObject<HTMLDivElement | null>, { sectorCount, total, isWall, key }: Fitted): Layout {
  const [layout, setLayout] = useState(UNKNOWN);
  const measured = useRef('');
  const measure = (): void => {
    const { current: element } = box;
    const { width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
    const what = `${width} ${isWall ? height : ''} ${sectorCount} ${total} ${isWall} ${key}`;
    // A board that is not shown yet has no width.
    if (element === null || width === 0 || what === measured.current) return;
    measured.current = what;
    const sizing = element.querySelector<HTMLElement>('.sizing') ?? element;
    const down = isWall ? rowsWithin(element, height) : null;
    const fit = fitColumns({
      sectorColumns: sectorCount > MOST_COLUMNS ? 0 : sectorCount,
      hasMarks: sectorCount > 0,
      widths: widthsIn(sizing),
      available: width / emOf(element),
      isWall,
      areMore: down !== null && total > down,
    });
    setLayout((before) => (isSame(before, { fit, down }) ? before : { fit, down }));
  };
  const newest = useRef(measure);
  newest.current = measure;
  // After each render, because another part of the page may have shown the board.
  useLayoutEffect(measure);
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(() => newest.current());
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return layout;
}

function isSame(a: Layout, b: Layout): boolean {
  return a.down === b.down && a.fit.template === b.fit.template && a.fit.columns.join() === b.fit.columns.join();
}

/** How many rows fit below each other between the headings of a table and what is below it. */
function rowsWithin(element: HTMLElement, height: number): number {
  const around = [...element.querySelectorAll('thead tr:first-child, .below')];
  const used = around.reduce((sum, part) => sum + part.getBoundingClientRect().height, 0);
  const row = Number.parseFloat(getComputedStyle(element).getPropertyValue('--row')) * emOf(element);
  return Math.max(1, Math.floor((height - used - LINES) / row));
}

/** Space, in px, for the line below the headings, and for what browsers round. */
const LINES = 2;

interface SizingProps {
  readonly widest: Widest;
  readonly sectorCount: number;
}

/** The widest texts of each column, laid out invisibly as they are in rows, to be measured. */
function Sizing({ widest, sectorCount }: SizingProps) {
  const { position, best, gap, last, sector, lapNumber, laps } = widest;
  const headings: readonly (keyof typeof live & ColumnName)[] = ['position', 'best', 'sectors', 'last', 'laps'];
  return (
    <div class="sizing" aria-hidden="true">
      {headings.map((name) => (
        <span key={name} class={`heading ${name}`} data-column={name}>
          {t(live[name])}
        </span>
      ))}
      {(['gap', 'other'] as const).map((name) => (
        <>
          <span class={`heading ${name}`} data-column={name}>
            {t(live.gap)}
          </span>
          <span class={`heading ${name}`} data-column={name}>
            {t(live.interval)}
          </span>
          <span class={`value ${name}`} data-column={name}>
            {gapText(gap)}
          </span>
        </>
      ))}
      <span class="value position" data-column="position">
        {'0'.repeat(position)}
      </span>
      <span class="value best" data-column="best">
        {lapTime(best)}
        <span class="below-best">{gapText(gap)}</span>
        <span class="below-best">{t(live.lapNumber, { number: lapNumber })}</span>
      </span>
      <span class="value sector" data-column="sector">
        <RankedTime ms={sector} rank="purple" />
      </span>
      <span class="value sectors" data-column="sectors">
        <SectorMarks ranks={Array<'yellow'>(sectorCount).fill('yellow')} />
        <SectorSums purple={sectorCount} green={sectorCount} />
      </span>
      <span class="value last" data-column="last">
        <RankedTime ms={last} rank="purple" />
      </span>
      <span class="value laps" data-column="laps">
        {laps}
      </span>
    </div>
  );
}
