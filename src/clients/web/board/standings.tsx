import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { LapTime, Legend, RankedTime, SectorMarks, SectorSums } from '../live/ranked-time.tsx';
import { Ranking, type Column } from '../live/ranking.tsx';
import type { Row } from '../live/messages.ts';
import type { BoardState } from '../live/state.ts';
import { Who } from '../live/who.tsx';
import { emOf, widestOf, widthsIn, type Widest } from '../live/widest.ts';
import { t } from '../shared/page.ts';
import { gap as gapText, lapTime } from '../shared/times.ts';
import live from '../texts/live.json' with { type: 'json' };
import type { GapTo } from './choices.ts';
import { fitColumns, type ColumnName, type Fit } from './fitting.ts';

/** Sectors whose times have a column each; more are shown as marks. */
const MOST_COLUMNS = 4;

const GAPS: { readonly [G in GapTo]: (row: Row) => number | null } = {
  leader: ({ gapToLeader }) => gapToLeader,
  next: ({ gapToNext }) => gapToNext,
};

function columnsFor(names: readonly ColumnName[], sectorCount: number, gapTo: GapTo): readonly Column[] {
  return names.flatMap((name): readonly Column[] => {
    if (name === 'sector') return sectorColumns(sectorCount);
    const heading = t(HEADINGS[name]);
    if (name === 'best') return [{ name, heading, cell: bestCell(names.includes('gap') ? null : GAPS[gapTo]) }];
    if (name === 'gap') return [{ name, heading, cell: ({ row }) => gapText(GAPS[gapTo](row)) }];
    return [{ name, heading, cell: CELLS[name] }];
  });
}

const HEADINGS = { ...live, sector: live.sectors };

const CELLS: { readonly [C in Exclude<ColumnName, 'best' | 'gap' | 'sector'>]: Column['cell'] } = {
  position: ({ row }) => row.position,
  driver: ({ row: { participantName, bestLap }, apart, carApart }) => (
    <>
      <Who name={participantName} apart={apart} />
      <span class="who">
        <bdi class="car">
          {bestLap.carBrandDisplayName} {bestLap.carDisplayName}
        </bdi>
        {carApart !== undefined && <span class="apart">{carApart}</span>}
      </span>
    </>
  ),
  sectors: ({ ranks }) => <SectorMarks ranks={ranks} />,
  last: ({ row, lastRank }) => <LapTime lap={row.lastLap} rank={lastRank} />,
  laps: ({ row: { validLaps, laps: driven } }) => (driven === validLaps ? driven : `${validLaps}/${driven}`),
};

/** The cell of the best lap; where the gap has no column, it is below it. */
function bestCell(gapOf: ((row: Row) => number | null) | null): Column['cell'] {
  return ({ row }) => {
    const { position, bestLap } = row;
    return (
      <>
        <span class={position === 1 ? 'purple' : ''}>{lapTime(bestLap.totalTime)}</span>
        {gapOf !== null && <span class="gap-below">{gapText(gapOf(row))}</span>}
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

export function Standings({ state, gapTo }: { readonly state: BoardState; readonly gapTo: GapTo }) {
  const count = state.head?.bestSectors.length ?? 0;
  const widest = useMemo(() => widestOf(state.rows, GAPS[gapTo]), [state.rows, gapTo]);
  const sizing = useRef<HTMLDivElement>(null);
  const fit = useFit(sizing, count, JSON.stringify(widest));
  const columns = useMemo(() => columnsFor(fit.columns, count, gapTo), [fit, count, gapTo]);
  return (
    <div>
      <Sizing of={sizing} widest={widest} sectorCount={count} />
      <Ranking class="standings" state={state} columns={columns} style={{ '--columns': fit.template }} />
      {count > 0 && <Legend />}
    </div>
  );
}

/** The columns of a board before anything is known of the screen. */
const UNKNOWN: Fit = { columns: ['position', 'driver', 'best', 'gap'], template: '2.2em minmax(0, 1fr) 5.5em 4.4em' };

/**
 * The columns that fit, measured before anything is painted, whenever another text is the widest (`key`), or the screen
 * has another width.
 */
function useFit(sizing: RefObject<HTMLDivElement | null>, sectorCount: number, key: string): Fit {
  const [fit, setFit] = useState(UNKNOWN);
  const measured = useRef('');
  const measure = (): void => {
    const { current: element } = sizing;
    const width = element?.getBoundingClientRect().width ?? 0;
    const what = `${width} ${sectorCount} ${key}`;
    // A board that is not shown yet has no width.
    if (element === null || width === 0 || what === measured.current) return;
    measured.current = what;
    const next = fitColumns({
      sectorColumns: sectorCount > MOST_COLUMNS ? 0 : sectorCount,
      hasMarks: sectorCount > 0,
      widths: widthsIn(element),
      available: width / emOf(element),
    });
    const isSame = (before: Fit): boolean =>
      before.template === next.template && before.columns.join() === next.columns.join();
    setFit((before) => (isSame(before) ? before : next));
  };
  const newest = useRef(measure);
  newest.current = measure;
  // After each render, because another part of the page may have shown the board.
  useLayoutEffect(measure);
  useEffect(() => {
    if (sizing.current === null) return;
    const observer = new ResizeObserver(() => newest.current());
    observer.observe(sizing.current);
    return () => observer.disconnect();
  }, []);
  return fit;
}

interface SizingProps {
  readonly of: RefObject<HTMLDivElement | null>;
  readonly widest: Widest;
  readonly sectorCount: number;
}

/** The widest texts of each column, laid out invisibly as they are in rows, to be measured. */
function Sizing({ of, widest, sectorCount }: SizingProps) {
  const { position, best, gap, last, sector, laps } = widest;
  const headings: readonly ColumnName[] = ['position', 'best', 'gap', 'sectors', 'last', 'laps'];
  return (
    <div class="sizing" ref={of} aria-hidden="true">
      {headings.map((name) => (
        <span key={name} class={`heading ${name}`} data-column={name}>
          {t(HEADINGS[name])}
        </span>
      ))}
      <span class="value position" data-column="position">
        {'0'.repeat(position)}
      </span>
      <span class="value best" data-column="best">
        {lapTime(best)}
        <span class="gap-below">{gapText(gap)}</span>
      </span>
      <span class="value gap" data-column="gap">
        {gapText(gap)}
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
