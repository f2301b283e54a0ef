import { t } from '../shared/page.ts';
import type { Text } from '../shared/language.ts';
import { lapTime } from '../shared/times.ts';
import live from '../texts/live.json' with { type: 'json' };
import type { Row } from './messages.ts';
import { isNews, lapRank, sectorRanks, type Rank } from './sectors.ts';
import type { BoardState } from './state.ts';

const NAMES: { readonly [R in Rank]: Text | null } = {
  purple: live.bestOfAll,
  green: live.ownBest,
  yellow: live.noBest,
  faded: null,
  none: null,
};

/** Signs beside the best times, for people who do not see the colours. */
const SIGNS: { readonly [R in Rank]: string } = { purple: '◆', green: '▲', yellow: '', faded: '', none: '' };

/** What a table shows of a driver. */
export type RankedRow = Readonly<ReturnType<typeof rankedRow>>;

/** @param now the moment that the board shows, ms */
export function rankedRow(row: Row, state: BoardState, now: number) {
  const { bestLap, lastLap } = row;
  const isBestNew = isNews(bestLap.createdAt, row, now);
  const isLastNew = lastLap.lapId === bestLap.lapId ? isBestNew : isNews(lastLap.drivenAt, row, now);
  return {
    row,
    /** Those of the sectors of the best lap. */
    ranks: sectorRanks(bestLap.sectors, row, state, isBestNew),
    lastRank: lapRank(lastLap, row, state, isLastNew),
  };
}

/** A time (ms) in the colour of its rank, with a sign, and a text for screen readers. */
export function RankedTime({ ms, rank }: { readonly ms: number; readonly rank: Rank }) {
  const name = NAMES[rank];
  return (
    <span class={`time ${rank}`}>
      {SIGNS[rank] !== '' && (
        <span class="sign" aria-hidden="true">
          {SIGNS[rank]}
        </span>
      )}
      {lapTime(ms)}
      {name !== null && rank !== 'yellow' && <span class="hidden-but-read"> {t(name)}</span>}
    </span>
  );
}

/** Most sectors that have a mark each; of more, the best ones are counted. */
const MOST_MARKS = 16;

/** The sectors of a lap as a row of marks, if there is no room for their times; of many sectors, the sums. */
export function SectorMarks({ ranks }: { readonly ranks: readonly Rank[] }) {
  const names = ranks.flatMap((rank) => NAMES[rank] ?? []).map((name) => t(name));
  if (ranks.length > MOST_MARKS) {
    const countOf = (wanted: Rank): number => ranks.filter((rank) => rank === wanted).length;
    return <SectorSums purple={countOf('purple')} green={countOf('green')} />;
  }
  if (names.length === 0) return null;
  return (
    <span class="marks" role="img" aria-label={names.join(', ')} style={{ '--marks': ranks.length }}>
      {ranks.map((rank, n) => (
        <i key={n} class={rank} />
      ))}
    </span>
  );
}

/** Numbers of overall bests and of personal bests among the sectors of a lap. */
export function SectorSums({ purple, green }: { readonly purple: number; readonly green: number }) {
  const sums = [['purple', purple] as const, ['green', green] as const].filter(([, count]) => count > 0);
  return (
    <span class="sums">
      {sums.map(([rank, count]) => (
        <span key={rank} class={rank}>
          <span class="sign" aria-hidden="true">
            {SIGNS[rank]}
          </span>
          {count}
          <span class="hidden-but-read"> {t(NAMES[rank] ?? live.noBest)}</span>
        </span>
      ))}
    </span>
  );
}

export function LapTime({ lap, rank }: { readonly lap: Row['lastLap']; readonly rank: Rank }) {
  if (lap.valid) return <RankedTime ms={lap.totalTime} rank={rank} />;
  return (
    <s class="time invalid">
      {lapTime(lap.totalTime)}
      <span class="hidden-but-read"> {t(live.invalid)}</span>
    </s>
  );
}

export function Legend() {
  const ranks: readonly Rank[] = ['purple', 'green'];
  return (
    <p class="legend" aria-hidden="true">
      {ranks.map((rank) => (
        <span key={rank}>
          <span class={rank}>{SIGNS[rank]}</span> {NAMES[rank] !== null && t(NAMES[rank])}
        </span>
      ))}
    </p>
  );
}
