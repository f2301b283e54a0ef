import { useMemo } from 'preact/hooks';
import { LapTime, Legend, RankedTime, SectorMarks } from '../live/ranked-time.tsx';
import { Ranking, type Column } from '../live/ranking.tsx';
import type { BoardState } from '../live/state.ts';
import { t } from '../shared/page.ts';
import { gap as gapText, lapTime } from '../shared/times.ts';
import live from '../texts/live.json' with { type: 'json' };
import type { GapTo } from './choices.ts';

/** Sectors whose times have a column each; more are shown as marks. */
const MOST_COLUMNS = 4;

function columnsFor(sectorCount: number, gapTo: GapTo): readonly Column[] {
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
    {
      name: 'best',
      heading: t(live.best),
      cell: ({ row: { position, bestLap } }) => (
        <span class={position === 1 ? 'purple' : ''}>{lapTime(bestLap.totalTime)}</span>
      ),
    },
    {
      name: 'gap',
      heading: t(live.gap),
      cell: ({ row }) => gapText(gapTo === 'leader' ? row.gapToLeader : row.gapToNext),
    },
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
  const count = state.head?.bestSectors.length ?? 0;
  const columns = useMemo(() => columnsFor(count, gapTo), [count, gapTo]);
  const style = { '--sectors': '5em '.repeat(count > MOST_COLUMNS ? 1 : count) };
  return (
    <div>
      <Ranking class="standings" state={state} columns={columns} style={style} />
      {count > 0 && <Legend />}
    </div>
  );
}
