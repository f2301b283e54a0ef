import { useRef } from 'preact/hooks';
import { memo } from '../shared/memo.ts';
import { t } from '../shared/page.ts';
import { gap as gapText, lapTime } from '../shared/times.ts';
import { Legend, LapTime, RankedTime, SectorMarks } from '../live/ranked-time.tsx';
import { lapRank, ranksIn, sectorRanks, type Rank } from '../live/sectors.ts';
import type { LiveLap, Row } from '../live/messages.ts';
import type { BoardState } from '../live/state.ts';
import { useMoves } from '../live/use-moves.ts';
import { best, driver, gap, laps, last, position, sector, sectors, standings } from '../texts/live.ts';
import type { GapTo } from './choices.ts';

/** Sectors whose times have a column each; more are shown as marks. */
const MOST_COLUMNS = 4;

interface Properties {
  readonly state: BoardState;
  readonly gapTo: GapTo;
}

/** The table of a board. */
export function Standings({ state, gapTo }: Properties) {
  const body = useRef<HTMLTableSectionElement>(null);
  useMoves(body, state);
  const count = state.head?.bestSectors.length ?? 0;
  const columns = count <= MOST_COLUMNS ? count : 0;
  return (
    <div>
      <table class="standings">
        <caption class="hidden-but-read">{t(standings)}</caption>
        <Heads columns={columns} marks={count > MOST_COLUMNS} />
        <tbody ref={body}>
          {state.rows.map((row) => {
            const lap = state.lastLaps.get(row.participantId);
            return (
              <StandingsRow
                key={row.participantId}
                row={row}
                gapMs={gapTo === 'leader' ? row.gapToLeader : row.gapToNext}
                ranks={sectorRanks(row.bestLap.sectors, row, state).join(' ')}
                lastLap={lap}
                lastRank={lap === undefined ? 'none' : lapRank(lap, row, state)}
                columns={columns}
                marks={count > MOST_COLUMNS}
              />
            );
          })}
        </tbody>
      </table>
      {count > 0 && <Legend />}
    </div>
  );
}

interface HeadsProperties {
  readonly columns: number;
  readonly marks: boolean;
}

const Heads = memo(({ columns, marks }: HeadsProperties) => (
  <thead>
    <tr>
      <th scope="col" class="position">
        {t(position)}
      </th>
      <th scope="col" class="driver">
        {t(driver)}
      </th>
      <th scope="col" class="best">
        {t(best)}
      </th>
      <th scope="col" class="gap">
        {t(gap)}
      </th>
      {Array.from({ length: columns }, (_, n) => (
        <th key={n} scope="col" class="sector">
          {t(sector, { number: n + 1 })}
        </th>
      ))}
      {marks && (
        <th scope="col" class="sectors">
          {t(sectors)}
        </th>
      )}
      <th scope="col" class="last">
        {t(last)}
      </th>
      <th scope="col" class="laps">
        {t(laps)}
      </th>
    </tr>
  </thead>
));

interface RowProperties extends HeadsProperties {
  readonly row: Row;
  readonly gapMs: number | null;
  /** Ranks of the sectors of the best lap, with blanks between them: one value, so that it is compared as one. */
  readonly ranks: string;
  readonly lastLap: LiveLap | undefined;
  readonly lastRank: Rank;
}

const StandingsRow = memo(({ row, gapMs, ranks, lastLap, lastRank, columns, marks }: RowProperties) => {
  const { position: place, participantName, bestLap, validLaps, laps: driven } = row;
  const ranked = ranksIn(ranks);
  return (
    <tr>
      <td class="position">{place}</td>
      <th scope="row" class="driver">
        <bdi class="name">{participantName}</bdi>
        <bdi class="car">{bestLap.carDisplayName}</bdi>
      </th>
      <td class={place === 1 ? 'best purple' : 'best'}>{lapTime(bestLap.totalTime)}</td>
      <td class="gap">{gapText(gapMs)}</td>
      {Array.from({ length: columns }, (_, n) => (
        <td key={n} class="sector">
          <RankedTime ms={bestLap.sectors[n] ?? 0} rank={ranked[n] ?? 'none'} />
        </td>
      ))}
      {marks && (
        <td class="sectors">
          <SectorMarks ranks={ranks} />
        </td>
      )}
      <td class="last">{lastLap !== undefined && <LapTime lap={lastLap} rank={lastRank} />}</td>
      <td class="laps">{driven === validLaps ? driven : `${validLaps}/${driven}`}</td>
    </tr>
  );
});
