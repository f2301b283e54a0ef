import { memo } from '../shared/hooks.ts';
import { showClock, t } from '../shared/page.ts';
import { LapTime, SectorMarks } from '../live/ranked-time.tsx';
import { lapRank, sectorRanks, type Rank } from '../live/sectors.ts';
import type { LiveLap } from '../live/messages.ts';
import { newestOnRigs, type BoardState } from '../live/state.ts';
import say from '../texts/board.json' with { type: 'json' };
import live from '../texts/live.json' with { type: 'json' };

const SHOWN_LAPS = 10;

export function NewestLaps({ state }: { readonly state: BoardState }) {
  const laps = state.laps.slice(0, SHOWN_LAPS);
  if (laps.length === 0) return null;
  const rows = new Map(state.rows.map((row) => [row.participantId, row]));
  return (
    <section class="newest panel">
      <h2>{t(say.newestLaps)}</h2>
      <ol>
        {laps.map((lap) => (
          <NewestLap
            key={lap.lapId}
            lap={lap}
            rank={lapRank(lap, rows.get(lap.participantId), state)}
            ranks={sectorRanks(lap.sectors, rows.get(lap.participantId), state)}
          />
        ))}
      </ol>
    </section>
  );
}

interface LapProperties {
  readonly lap: LiveLap;
  readonly rank: Rank;
  readonly ranks: readonly Rank[];
}

const NewestLap = memo(({ lap, rank, ranks }: LapProperties) => (
  <li class={lap.valid ? '' : 'invalid'}>
    <div class="line">
      <bdi class="name">{lap.participantName}</bdi>
      <LapTime lap={lap} rank={rank} />
    </div>
    <div class="line">
      <span class="detail">
        <time dateTime={lap.drivenAt}>{showClock(lap.drivenAt)}</time>
        <bdi>{lap.rigName ?? t(say.rigWithoutName)}</bdi>
      </span>
      {lap.valid ? <SectorMarks ranks={ranks} /> : <span class="tag">{t(live.invalid)}</span>}
    </div>
  </li>
));

export function OnRigs({ state }: { readonly state: BoardState }) {
  const rigs = newestOnRigs(state);
  if (rigs.size === 0) return null;
  const sorted = [...rigs.values()].sort((a, b) => (a.rigName ?? '').localeCompare(b.rigName ?? ''));
  return (
    <section class="rigs panel">
      <h2>{t(say.onRigs)}</h2>
      <dl>
        {sorted.map(({ rigId, rigName, participantName }) => (
          <div key={rigId}>
            <dt>
              <bdi>{rigName ?? t(say.rigWithoutName)}</bdi>
            </dt>
            <dd>
              <bdi>{participantName}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
