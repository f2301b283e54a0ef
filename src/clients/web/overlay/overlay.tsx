import type { ComponentChild, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { LapTime, RankedTime, SectorMarks } from '../live/ranked-time.tsx';
import { driversApart, Ranking, type ShownRow } from '../live/ranking.tsx';
import { newBest, type BoardState } from '../live/state.ts';
import { presentOf } from '../live/status.ts';
import { boardOf } from '../live/stream.ts';
import { useLive } from '../live/use-live.ts';
import { Who } from '../live/who.tsx';
import { widestOf, widthsIn } from '../live/widest.ts';
import { useNow } from '../shared/hooks.ts';
import { t } from '../shared/page.ts';
import { gap as gapText, lapTime } from '../shared/times.ts';
import live from '../texts/live.json' with { type: 'json' };
import { fitAnnouncement, fitRanking } from './fitting.ts';
import type { Column, OverlayOptions } from './options.ts';

/** How often, in ms, what was news is looked through for what is no longer. */
const NEWS_MS = 5_000;

/** How long, in ms, a new best lap is announced. */
const ANNOUNCED_MS = 8_000;

/** Sectors whose times are shown; of more, marks are. */
const MOST_TIMES = 4;

const NAMES = { ...live, name: live.driver };

export function Overlay({ eventId, options }: { readonly eventId: string; readonly options: OverlayOptions }) {
  const { rows, columns, look, layout, carClass, delay, lowerThird, scale } = options;
  const stream = useMemo(() => ({ ...boardOf(eventId, layout, carClass), delaySeconds: delay }), [eventId, options]);
  const { state, facts } = useLive(stream);
  const now = presentOf(facts, delay, useNow(NEWS_MS));
  const shownColumns = useMemo(
    () => columns.map((name) => ({ name, heading: t(NAMES[name]), cell: CELLS[name] })),
    [columns],
  );
  const shown = useMemo(() => ({ ...state, rows: state.rows.slice(0, rows) }), [state, rows]);
  const announcement = useAnnouncement(lowerThird ? state : null);
  const frame = useRef<HTMLDivElement>(null);
  const third = useRef<HTMLElement>(null);
  useFit(frame, third, shown, announcement.isShown);
  const apart = useMemo(() => driversApart(state.rows), [state.rows]);
  const widest = widestOf(shown.rows, ({ gapToLeader }) => gapToLeader);
  return (
    <main class={`look ${look}`} style={{ fontSize: `${scale * 1.25}rem` }}>
      <h1 class="hidden-but-read">{state.head?.eventName}</h1>
      {shown.rows.length > 0 && (
        <div class="frame" ref={frame}>
          <div class="sizing" aria-hidden="true">
            <span data-column="sector">
              <RankedTime ms={widest.sector} rank="purple" />
            </span>
          </div>
          <Ranking class="ranking" headClass="hidden-but-read" state={shown} columns={shownColumns} now={now} />
        </div>
      )}
      {facts.phase === 'missing' && <p class="no-event">{t(live.noEvent)}</p>}
      {facts.phase === 'refused' && <p class="no-event">{t(live.refused)}</p>}
      {lowerThird && <LowerThird of={third} apart={apart} {...announcement} />}
    </main>
  );
}

const CELLS: { readonly [C in Column]: (row: ShownRow) => ComponentChild } = {
  position: ({ row }) => row.position,
  name: ({ row, apart }) => <Who name={row.participantName} apart={apart} />,
  gap: ({ row }) => gapText(row.gapToLeader),
  best: ({ row }) => lapTime(row.bestLap.totalTime),
  last: ({ row, lastRank }) => <LapTime lap={row.lastLap} rank={lastRank} />,
  sectors: ({ row, ranks }) =>
    ranks.length > MOST_TIMES ? (
      <SectorMarks ranks={ranks} />
    ) : (
      ranks.map((rank, n) => <RankedTime key={n} ms={row.bestLap.sectors[n] ?? 0} rank={rank} />)
    ),
};

/** The overlay of an address that names no event. */
export function NoId({ options: { look, scale } }: { readonly options: OverlayOptions }) {
  return (
    <main class={`look ${look}`} style={{ fontSize: `${scale * 1.25}rem` }}>
      <p class="no-event">{t(live.noId)}</p>
    </main>
  );
}

/** Fits the overlay into its window before it is painted, after each change of either. */
function useFit(
  frame: RefObject<HTMLElement | null>,
  third: RefObject<HTMLElement | null>,
  shown: BoardState,
  isAnnouncing: boolean,
): void {
  const [size, setSize] = useState('');
  useEffect(() => {
    const resized = (): void => setSize(`${innerWidth} ${innerHeight}`);
    addEventListener('resize', resized);
    return () => removeEventListener('resize', resized);
  }, []);
  useLayoutEffect(() => {
    const { current: ranking } = frame;
    if (third.current !== null) fitAnnouncement(third.current);
    if (ranking === null) return;
    const sizing = ranking.querySelector<HTMLElement>('.sizing');
    const sector = sizing === null ? undefined : widthsIn(sizing).get('sector');
    ranking.style.setProperty('--sector', `${sector ?? 0}em`);
    // Nothing lies over the announcement.
    const bottom = isAnnouncing ? third.current?.getBoundingClientRect().top : undefined;
    fitRanking(ranking, Math.min(bottom ?? innerHeight, innerHeight));
  }, [shown, isAnnouncing, size]);
}

/** The newest best lap of a board, and whether it is announced; null: none is. */
function useAnnouncement(state: BoardState | null) {
  const before = useRef(state);
  const [best, announce] = useState<ReturnType<typeof newBest>>(null);
  const [isShown, show] = useState(false);
  useEffect(() => {
    const found = before.current === null || state === null ? null : newBest(before.current, state);
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
  return { best, isShown };
}

interface LowerThirdProps extends ReturnType<typeof useAnnouncement> {
  readonly of: RefObject<HTMLElement | null>;
  readonly apart: ReadonlyMap<string, string>;
}

function LowerThird({ of, apart, best, isShown }: LowerThirdProps) {
  const shown = isShown ? ' shown' : '';
  return (
    <aside ref={of} class={`lower-third${shown}`} aria-hidden={!isShown} aria-label={t(live.newBestLap)}>
      {best !== null && (
        <>
          <p class="what">{t(live.newBestLap)}</p>
          <p class="who">
            <Who name={best.row.participantName} apart={apart.get(best.row.participantId)} />
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
