import { tellApart } from '../shared/apart.ts';
import { memo } from '../shared/hooks.ts';
import { showClock, t } from '../shared/page.ts';
import { LapTime, SectorMarks } from '../live/ranked-time.tsx';
import { isNews, lapRank, sectorRanks, type Rank } from '../live/sectors.ts';
import type { LiveLap } from '../live/messages.ts';
import { driversApart } from '../live/ranking.tsx';
import { Named, Who } from '../live/who.tsx';
import { newestOnRigs, type BoardState } from '../live/state.ts';
import say from '../texts/board.json' with { type: 'json' };
import live from '../texts/live.json' with { type: 'json' };

const SHOWN_LAPS = 10;

interface AsideProps {
  readonly state: BoardState;
  /** The rigs of the event, in its order. */
  readonly rigIds: readonly string[];
}

/** The name of a rig; one that has none is shown by its number: its place in the event, and then by its id. */
function rigNames(state: BoardState, rigIds: readonly string[]): (lap: Pick<LiveLap, 'rigId' | 'rigName'>) => string {
  const others = new Set(state.laps.map(({ rigId }) => rigId).filter((id) => !rigIds.includes(id)));
  const all = [...rigIds, ...[...others].sort()];
  return ({ rigId, rigName }) => rigName ?? t(say.rigWithoutName, { number: all.indexOf(rigId) + 1 });
}

/** `now`: the moment that the board shows, ms. */
export function NewestLaps({ state, rigIds, now }: AsideProps & { readonly now: number }) {
  const laps = state.laps.slice(0, SHOWN_LAPS);
  if (laps.length === 0) return null;
  const rows = new Map(state.rows.map((row) => [row.participantId, row]));
  const apart = driversApart([...state.rows, ...laps]);
  const nameOf = rigNames(state, rigIds);
  return (
    <section class="newest panel">
      <h2>{t(say.newestLaps)}</h2>
      <ol>
        {laps.map((lap) => {
          const own = rows.get(lap.participantId);
          const isNew = isNews(lap.createdAt, own, now);
          return (
            <NewestLap
              key={lap.lapId}
              lap={lap}
              apart={apart.get(lap.participantId)}
              rigName={nameOf(lap)}
              rank={lapRank(lap, own, state, isNew)}
              ranks={sectorRanks(lap.sectors, own, state, isNew)}
            />
          );
        })}
      </ol>
    </section>
  );
}

interface LapProperties {
  readonly lap: LiveLap;
  readonly apart: string | undefined;
  readonly rigName: string;
  readonly rank: Rank;
  readonly ranks: readonly Rank[];
}

const NewestLap = memo(({ lap, apart, rigName, rank, ranks }: LapProperties) => (
  <li class={lap.valid ? '' : 'invalid'}>
    <div class="line">
      <Who name={lap.participantName} apart={apart} />
      <LapTime lap={lap} rank={rank} />
    </div>
    <div class="line">
      <span class="detail">
        <time dateTime={lap.drivenAt}>{showClock(lap.drivenAt)}</time>
        <bdi>{rigName}</bdi>
      </span>
      {lap.valid ? <SectorMarks ranks={ranks} /> : <span class="tag">{t(live.invalid)}</span>}
    </div>
  </li>
));

export function OnRigs({ state, rigIds }: AsideProps) {
  const rigs = newestOnRigs(state);
  if (rigs.size === 0) return null;
  const nameOf = rigNames(state, rigIds);
  const inOrder = new Intl.Collator(undefined, { numeric: true });
  const sorted = [...rigs.values()].sort((a, b) => inOrder.compare(nameOf(a), nameOf(b)));
  const apart = driversApart(sorted);
  const ofRigs = tellApart(sorted.map((lap) => ({ id: lap.rigId, name: nameOf(lap) })));
  return (
    <section class="rigs panel">
      <h2>{t(say.onRigs)}</h2>
      <dl>
        {sorted.map((lap) => (
          <div key={lap.rigId}>
            <dt>
              <Named name={nameOf(lap)} apart={ofRigs.get(lap.rigId)} />
            </dt>
            <dd>
              <Who name={lap.participantName} apart={apart.get(lap.participantId)} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
