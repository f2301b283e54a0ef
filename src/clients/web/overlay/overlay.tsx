import type { ComponentChild } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { LapTime, RankedTime, type RankedRow } from '../live/ranked-time.tsx';
import { Ranking } from '../live/ranking.tsx';
import { newBest, type BoardState } from '../live/state.ts';
import { boardOf } from '../live/stream.ts';
import { useLive } from '../live/use-live.ts';
import { t } from '../shared/page.ts';
import { gap as gapText, lapTime } from '../shared/times.ts';
import live from '../texts/live.json' with { type: 'json' };
import type { Column, OverlayOptions } from './options.ts';

/** How long, in ms, a new best lap is announced. */
const ANNOUNCED_MS = 8_000;

const NAMES = { ...live, name: live.driver };

export function Overlay({ eventId, options }: { readonly eventId: string; readonly options: OverlayOptions }) {
  const { rows, columns, look, layout, carClass, delay, lowerThird, scale } = options;
  const stream = useMemo(() => ({ ...boardOf(eventId, layout, carClass), delaySeconds: delay }), [eventId, options]);
  const { state, facts } = useLive(stream);
  const shownColumns = useMemo(
    () => columns.map((name) => ({ name, heading: t(NAMES[name]), cell: CELLS[name] })),
    [columns],
  );
  const shown = useMemo(() => ({ ...state, rows: state.rows.slice(0, rows) }), [state, rows]);
  return (
    <main class={`look ${look}`} style={{ fontSize: `${scale * 1.25}rem` }}>
      <h1 class="hidden-but-read">{state.head?.eventName}</h1>
      {shown.rows.length > 0 && (
        <Ranking class="ranking" headClass="hidden-but-read" state={shown} columns={shownColumns} />
      )}
      {facts.phase === 'missing' && <p class="no-event">{t(live.noEvent)}</p>}
      {lowerThird && <LowerThird state={state} />}
    </main>
  );
}

const CELLS: { readonly [C in Column]: (row: RankedRow) => ComponentChild } = {
  position: ({ row }) => row.position,
  name: ({ row }) => <bdi>{row.participantName}</bdi>,
  gap: ({ row }) => gapText(row.gapToLeader),
  best: ({ row }) => lapTime(row.bestLap.totalTime),
  last: ({ row, lastRank }) => <LapTime lap={row.lastLap} rank={lastRank} />,
  sectors: ({ row, ranks }) =>
    ranks.map((rank, n) => <RankedTime key={n} ms={row.bestLap.sectors[n] ?? 0} rank={rank} />),
};

function LowerThird({ state }: { readonly state: BoardState }) {
  const before = useRef(state);
  const [best, announce] = useState<ReturnType<typeof newBest>>(null);
  const [isShown, show] = useState(false);
  useEffect(() => {
    const found = newBest(before.current, state);
    before.current = state;
    if (found === null) return;
    announce(found);
    show(true);
  }, [state]);
  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(() => show(false), ANNOUNCED_MS);
    return () => clearTimeout(timer);
  }, [best, isShown]);
  return (
    <aside class={isShown ? 'lower-third shown' : 'lower-third'} aria-hidden={!isShown} aria-label={t(live.newBestLap)}>
      {best !== null && (
        <>
          <p class="what">{t(live.newBestLap)}</p>
          <p class="who">
            <bdi>{best.row.participantName}</bdi>
          </p>
          <p class="how">
            <strong>{lapTime(best.row.bestLap.totalTime)}</strong>
            {best.by !== null && <span>{t(live.fasterBy, { seconds: lapTime(best.by) })}</span>}
            <bdi>
              {best.row.bestLap.carBrandDisplayName} {best.row.bestLap.carDisplayName}
            </bdi>
          </p>
        </>
      )}
    </aside>
  );
}
