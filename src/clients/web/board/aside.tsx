import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { tellApart } from '../shared/apart.ts';
import { memo, useNow } from '../shared/hooks.ts';
import { showClock, showTime, t } from '../shared/page.ts';
import { LapTime, SectorMarks } from '../live/ranked-time.tsx';
import { isNews, lapRank, sectorRanks, type Rank } from '../live/sectors.ts';
import type { LiveLap, Seat } from '../live/messages.ts';
import { driversApart } from '../live/ranking.tsx';
import { Named, Who } from '../live/who.tsx';
import { emOf } from '../live/widest.ts';
import { newestOnRigs, type BoardState } from '../live/state.ts';
import { PhoneCode } from './phone-code.tsx';
import say from '../texts/board.json' with { type: 'json' };
import live from '../texts/live.json' with { type: 'json' };

const SHOWN_LAPS = 10;

/** Most people who are shown waiting. */
const SHOWN_WAITING = 12;

/** The least height of the newest laps on a wall, in em: four of them. */
const LEAST_NEWEST = 14;

/** The height of the heading of a panel with the space around, in em. */
const AROUND = 3.5;

/** How long, in ms, each half of what has no room at once is shown on a wall. */
const TURN_MS = 10_000;

interface AsideProps {
  readonly state: BoardState;
  /** The rigs of the event, in its order. */
  readonly rigIds: readonly string[];
}

/** A rig, and the name that it may have. */
type NamedRig = Pick<LiveLap, 'rigId' | 'rigName'>;

/** The name of a rig; one that has none is shown by its number: its place in the event, and then by its id. */
function rigNames({ laps, seats }: BoardState, rigIds: readonly string[]): (rig: NamedRig) => string {
  const known = [...laps, ...seats].map(({ rigId }) => rigId);
  const others = new Set(known.filter((id) => !rigIds.includes(id)));
  const all = [...rigIds, ...[...others].sort()];
  return ({ rigId, rigName }) => rigName ?? t(say.rigWithoutName, { number: all.indexOf(rigId) + 1 });
}

interface WholeAsideProps extends AsideProps {
  readonly eventId: string;
  /** The moment that the board shows, ms. */
  readonly now: number;
  readonly isWall: boolean;
}

/** What is beside the standings. A wall without room for all of it shows the laps and the people in turn. */
export function Aside({ eventId, state, rigIds, now, isWall }: WholeAsideProps) {
  const box = useRef<HTMLDivElement>(null);
  const turn = Math.floor(useNow(TURN_MS) / TURN_MS);
  const isTurning = useLackOfRoom(box, isWall, `${turn} ${state.seats.length} ${state.queue.length}`);
  const areLapsShown = turn % 2 === 0;
  const classOf = (isShown: boolean): string => (isTurning && !isShown ? 'group elsewhere' : 'group');
  return (
    <div class="aside" ref={box}>
      <div class={classOf(areLapsShown)}>
        <NewestLaps state={state} rigIds={rigIds} now={now} />
        <PhoneCode eventId={eventId} />
      </div>
      <div class={classOf(!areLapsShown)}>
        <OnRigs state={state} rigIds={rigIds} />
        <NextUp state={state} />
      </div>
    </div>
  );
}

/**
 * Whether a wall has no room for all that is beside the standings; measured before it is painted.
 * @param what another text when it is to be measured again: not with each lap, because that would lay out the page
 */
function useLackOfRoom(box: RefObject<HTMLDivElement | null>, isWall: boolean, what: string): boolean {
  const [isLacking, setLacking] = useState(false);
  useLayoutEffect(() => {
    const { current: element } = box;
    if (element === null || !isWall) return;
    const em = emOf(element);
    let needed = LEAST_NEWEST * em;
    for (const panel of element.querySelectorAll('.panel:not(.newest)')) {
      // Of a list that has less room, the rows still have their heights.
      const rows = panel.querySelectorAll('dl > div, li');
      needed += AROUND * em;
      if (rows.length === 0) needed += panel.getBoundingClientRect().height;
      for (const row of rows) needed += row.getBoundingClientRect().height;
    }
    setLacking(needed > element.clientHeight);
  }, [isWall, what]);
  return isWall && isLacking;
}

/** `now`: the moment that the board shows, ms. */
function NewestLaps({ state, rigIds, now }: AsideProps & { readonly now: number }) {
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
    <Who name={lap.participantName} apart={apart} />
    <div class="line">
      <LapTime lap={lap} rank={rank} />
      <span class="detail">
        <time dateTime={lap.drivenAt}>{showClock(lap.drivenAt)}</time>
        <bdi>{rigName}</bdi>
      </span>
      {lap.valid ? <SectorMarks ranks={ranks} /> : <span class="tag">{t(live.invalid)}</span>}
    </div>
  </li>
));

/** Somebody on a rig, and since when they sit there (ISO 8601); null: they have driven there, and no seat says more. */
interface OnRig extends NamedRig, Pick<LiveLap, 'participantId' | 'participantName'> {
  readonly from: string | null;
}

function onSeat({ rigId, rigName, participantId, participantName, from }: Seat): readonly OnRig[] {
  return participantId === null ? [] : [{ rigId, rigName, participantId, participantName, from }];
}

/** Who sits on the rigs; where no seats are taken, who has driven there last. */
function OnRigs({ state, rigIds }: AsideProps) {
  const seats = state.seats.flatMap(onSeat);
  const rigs = seats.length > 0 ? seats : [...newestOnRigs(state).values()].map((lap) => ({ ...lap, from: null }));
  if (rigs.length === 0) return null;
  const nameOf = rigNames(state, rigIds);
  const inOrder = new Intl.Collator(undefined, { numeric: true });
  const sorted = [...rigs].sort((a, b) => inOrder.compare(nameOf(a), nameOf(b)));
  const apart = driversApart(sorted);
  const ofRigs = tellApart(sorted.map((rig) => ({ id: rig.rigId, name: nameOf(rig) })));
  return (
    <section class="rigs panel">
      <h2>{t(seats.length > 0 ? say.onRigs : say.lastOnRigs)}</h2>
      <dl>
        {sorted.map((rig) => (
          <div key={rig.rigId}>
            <dt>
              <Named name={nameOf(rig)} apart={ofRigs.get(rig.rigId)} />
            </dt>
            <dd>
              <Who name={rig.participantName} apart={apart.get(rig.participantId)} />
              {rig.from !== null && <Since at={rig.from} />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Since when somebody sits or waits (ISO 8601). */
function Since({ at }: { readonly at: string }) {
  return (
    <time class="since numbers" dateTime={at}>
      {showTime(at)}
    </time>
  );
}

/** Who waits for a seat, the next one first. */
function NextUp({ state: { queue } }: Pick<AsideProps, 'state'>) {
  if (queue.length === 0) return null;
  const apart = driversApart(queue);
  return (
    <section class="next-up panel">
      <h2>{t(say.nextUp, { number: queue.length })}</h2>
      <ol>
        {queue.slice(0, SHOWN_WAITING).map(({ participantId, participantName, since }) => (
          <li key={participantId}>
            <Who name={participantName} apart={apart.get(participantId)} />
            <Since at={since} />
          </li>
        ))}
      </ol>
    </section>
  );
}
