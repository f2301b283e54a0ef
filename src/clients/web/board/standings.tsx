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
  const marks = count > MOST_COLUMNS;
  const columns = marks ? 0 : count;
  return (
    <div>
      <table class="standings" role="table" style={{ '--sectors': columns + (marks ? 1 : 0) }}>
        <caption class="hidden-but-read">{t(standings)}</caption>
        <Heads columns={columns} marks={marks} />
        <tbody ref={body} role="rowgroup">
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
                marks={marks}
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
  <thead role="rowgroup">
    <tr role="row">
      <th role="columnheader" scope="col" class="position">
        {t(position)}
      </th>
      <th role="columnheader" scope="col" class="driver">
        {t(driver)}
      </th>
      <th role="columnheader" scope="col" class="best">
        {t(best)}
      </th>
      <th role="columnheader" scope="col" class="gap">
        {t(gap)}
      </th>
      {Array.from({ length: columns }, (_, n) => (
        <th key={n} role="columnheader" scope="col" class="sector">
          {t(sector, { number: n + 1 })}
        </th>
      ))}
      {marks && (
        <th role="columnheader" scope="col" class="sectors">
          {t(sectors)}
        </th>
      )}
      <th role="columnheader" scope="col" class="last">
        {t(last)}
      </th>
      <th role="columnheader" scope="col" class="laps">
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
    <tr role="row">
      <td role="cell" class="position">
        {place}
      </td>
      <th role="rowheader" scope="row" class="driver">
        <bdi class="name">{participantName}</bdi>
        <bdi class="car">{bestLap.carDisplayName}</bdi>
      </th>
      <td role="cell" class={place === 1 ? 'best purple' : 'best'}>
        {lapTime(bestLap.totalTime)}
      </td>
      <td role="cell" class="gap">
        {gapText(gapMs)}
      </td>
      {Array.from({ length: columns }, (_, n) => (
        <td key={n} role="cell" class="sector">
          <RankedTime ms={bestLap.sectors[n] ?? 0} rank={ranked[n] ?? 'none'} />
        </td>
      ))}
      {marks && (
        <td role="cell" class="sectors">
          <SectorMarks ranks={ranks} />
        </td>
      )}
      <td role="cell" class="last">
        {lastLap !== undefined && <LapTime lap={lastLap} rank={lastRank} />}
      </td>
      <td role="cell" class="laps">
        {driven === validLaps ? driven : `${validLaps}/${driven}`}
      </td>
    </tr>
  );
});
