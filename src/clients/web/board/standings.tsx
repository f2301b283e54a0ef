import type { ComponentChild } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { LapTime, Legend, RankedTime, rankedRow, SectorMarks, type RankedRow } from '../live/ranked-time.tsx';
import type { BoardState } from '../live/state.ts';
import { useMoves } from '../live/use-moves.ts';
import { memo } from '../shared/hooks.ts';
import { t } from '../shared/page.ts';
import { gap as gapText, lapTime } from '../shared/times.ts';
import live from '../texts/live.json' with { type: 'json' };
import type { GapTo } from './choices.ts';

/** Sectors whose times have a column each; more are shown as marks. */
const MOST_COLUMNS = 4;

interface RowProperties extends RankedRow {
  readonly columns: readonly Column[];
  readonly gapMs: number | null;
}

interface Column {
  /** Its class. */
  readonly name: string;
  readonly heading: string;
  readonly cell: (row: RowProperties) => ComponentChild;
}

function columnsFor(sectorCount: number): readonly Column[] {
  return [
    { name: 'position', heading: t(live.position), cell: ({ row }) => row.position },
    {
      name: 'driver',
      heading: t(live.driver),
      cell: ({ row: { participantName, bestLap } }) => (
        <>
          <bdi class="name">{participantName}</bdi>
          <bdi class="car">
            {bestLap.carBrandDisplayName} {bestLap.carDisplayName}
          </bdi>
        </>
      ),
    },
    { name: 'best', heading: t(live.best), cell: ({ row }) => lapTime(row.bestLap.totalTime) },
    { name: 'gap', heading: t(live.gap), cell: ({ gapMs }) => gapText(gapMs) },
    ...sectorColumns(sectorCount),
    { name: 'last', heading: t(live.last), cell: ({ row, lastRank }) => <LapTime lap={row.lastLap} rank={lastRank} /> },
    {
      name: 'laps',
      heading: t(live.laps),
      cell: ({ row: { validLaps, laps: driven } }) => (driven === validLaps ? driven : `${validLaps}/${driven}`),
    },
  ];
}

function sectorColumns(count: number): readonly Column[] {
  if (count > MOST_COLUMNS) {
    return [{ name: 'sectors', heading: t(live.sectors), cell: ({ ranks }) => <SectorMarks ranks={ranks} /> }];
  }
  return Array.from({ length: count }, (_, n) => ({
    name: 'sector',
    heading: t(live.sector, { number: n + 1 }),
    cell: ({ row, ranks }) => <RankedTime ms={row.bestLap.sectors[n] ?? 0} rank={ranks[n] ?? 'none'} />,
  }));
}

export function Standings({ state, gapTo }: { readonly state: BoardState; readonly gapTo: GapTo }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useMoves(body, state);
  const count = state.head?.bestSectors.length ?? 0;
  const columns = useMemo(() => columnsFor(count), [count]);
  return (
    <div>
      <table class="standings" role="table" style={{ '--sectors': '5em '.repeat(count > MOST_COLUMNS ? 1 : count) }}>
        <caption class="hidden-but-read">{t(live.standings)}</caption>
        <thead role="rowgroup">
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
            <StandingsRow
              key={row.participantId}
              {...rankedRow(row, state)}
              columns={columns}
              gapMs={gapTo === 'leader' ? row.gapToLeader : row.gapToNext}
            />
          ))}
        </tbody>
      </table>
      {count > 0 && <Legend />}
    </div>
  );
}

const StandingsRow = memo((properties: RowProperties) => (
  <tr role="row">
    {properties.columns.map(({ name, cell }, n) =>
      name === 'driver' ? (
        <th key={n} role="rowheader" scope="row" class="driver">
          {cell(properties)}
        </th>
      ) : (
        <td key={n} role="cell" class={name === 'best' && properties.row.position === 1 ? 'best purple' : name}>
          {cell(properties)}
        </td>
      ),
    )}
  </tr>
));
