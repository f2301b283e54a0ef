import type { ComponentChild, RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { placesInClass, readClassesOfCars, type ClassesOfCars } from '../live/car-classes.ts';
import { ClassBadge } from '../live/class-badge.tsx';
import { layoutName, tracksOf } from '../live/layout-names.ts';
import type { Head, Row } from '../live/messages.ts';
import { pagingOf } from '../live/paging.ts';
import { LapTime, RankedTime, SectorMarks } from '../live/ranked-time.tsx';
import { driversApart, Ranking, type RowNotes, type ShownRow } from '../live/ranking.tsx';
import { newBest, type BoardState } from '../live/state.ts';
import { presentOf, type StreamFacts } from '../live/status.ts';
import { boardOf } from '../live/stream.ts';
import { useLive } from '../live/use-live.ts';
import { useTurning } from '../live/use-turning.ts';
import { Who } from '../live/who.tsx';
import { widestOf, widthsIn } from '../live/widest.ts';
import { eventStateAt } from '../shared/event-state.ts';
import { useNow, useRetried } from '../shared/hooks.ts';
import { t } from '../shared/page.ts';
import { gap as gapText, lapTime } from '../shared/times.ts';
import live from '../texts/live.json' with { type: 'json' };
import { codesOf } from './codes.ts';
import { fitAnnouncement, fitRanking } from './fitting.ts';
import type { Column, OverlayOptions } from './options.ts';
import { rowsAround, rowsOfPage } from './shown-rows.ts';

/** How often, in ms, what was news is looked through for what is no longer. */
const NEWS_MS = 5_000;

/** How long, in ms, a new best lap is announced. */
const ANNOUNCED_MS = 8_000;

/** Sectors whose times are shown; of more, marks are. */
const MOST_TIMES = 4;

const NAMES = { ...live, name: live.driver };

/** Distance between the numbers of two boards, so that each page of rows counts as a board of its own. */
const PAGES_OF_BOARD = 1_000;

export function Overlay({ eventId, options }: { readonly eventId: string; readonly options: OverlayOptions }) {
  const { columns, look, layout, carClass, delay, lowerThird, scale, driver, header } = options;
  const stream = useMemo(() => ({ ...boardOf(eventId, layout, carClass), delaySeconds: delay }), [eventId, options]);
  const { state, facts } = useLive(stream);
  const now = presentOf(facts, delay, useNow(NEWS_MS));
  const shownColumns = useMemo(
    () => columns.map((name) => ({ name, heading: t(NAMES[name]), cell: CELLS[name] })),
    [columns],
  );
  const [room, setRoom] = useState(options.rows);
  const isPart = options.pages || driver !== null;
  const shown = useShownRows(state, isPart ? Math.min(options.rows, room) : options.rows, options);
  const announcement = useAnnouncement(lowerThird ? state : null);
  const frame = useRef<HTMLDivElement>(null);
  const third = useRef<HTMLElement>(null);
  const names = useNames(state, columns, header);
  useFit(frame, third, shown, { isAnnouncing: announcement.isShown, names, setRoom });
  const apart = useMemo(() => driversApart(state.rows), [state.rows]);
  const codes = useMemo(() => codesOf(state.rows), [state.rows]);
  const places = useMemo(() => placesInClass(state.rows, names.classes), [state.rows, names.classes]);
  const notesOf = ({ participantId, bestLap }: Row): RowNotes => ({
    carClass: names.classes.get(bestLap.car),
    classPlace: carClass === null ? places.get(participantId) : undefined,
    code: codes.get(participantId) ?? '',
    won: 0,
    isChosen: participantId === driver,
    isFound: true,
  });
  const widest = widestOf(shown.rows, ({ gapToLeader }) => gapToLeader);
  const headClass = header ? 'headings' : 'hidden-but-read';
  return (
    <main class={`look ${look}`} style={{ fontSize: `${scale * 1.25}rem` }}>
      {!header && <h1 class="hidden-but-read">{state.head?.eventName}</h1>}
      {state.head !== null && <StateOfEvent head={state.head} facts={facts} delay={delay} />}
      {shown.rows.length > 0 && (
        <div class="frame" ref={frame}>
          {header && <Header head={state.head} track={names.track} />}
          <div class="sizing" aria-hidden="true">
            <span data-column="sector">
              <RankedTime ms={widest.sector} rank="purple" />
            </span>
          </div>
          <Ranking class="ranking" state={shown} columns={shownColumns} {...{ headClass, now, notesOf }} />
        </div>
      )}
      {facts.phase === 'missing' && <p class="no-event">{t(live.noEvent)}</p>}
      {facts.phase === 'refused' && <p class="no-event">{t(live.refused)}</p>}
      {lowerThird && <LowerThird of={third} apart={apart} {...announcement} />}
    </main>
  );
}

interface StateOfEventProps extends Pick<OverlayOptions, 'delay'> {
  readonly head: Head;
  readonly facts: StreamFacts;
}

/** Says whether the event is to come, goes on or is over. */
function StateOfEvent({ head, facts, delay }: StateOfEventProps) {
  const state = eventStateAt(head, presentOf(facts, delay, useNow()));
  return (
    <p class={`state ${state}`} data-state={state}>
      {t(live[state])}
    </p>
  );
}

function Header({ head, track }: { readonly head: Head | null; readonly track: string }) {
  return (
    <header class="header">
      <h1>
        <bdi>{head?.eventName}</bdi>
      </h1>
      <bdi>{layoutName(head?.trackDisplayName ?? '', track)}</bdi>
    </header>
  );
}

/** The board with the rows that are shown: the first ones, those of a page, or those around a driver. */
function useShownRows(state: BoardState, count: number, { pages, driver }: OverlayOptions): BoardState {
  const { rows } = state;
  const paging = useMemo(() => pagingOf(pages ? rows.length : 0, count), [pages, rows.length, count]);
  const page = useTurning(paging, null);
  return useMemo(() => {
    if (driver === null && !pages) return { ...state, rows: rows.slice(0, count) };
    const shown = driver === null ? rowsOfPage(rows, paging, page) : rowsAround(rows, driver, count);
    // Rows of another page have not moved, they are others.
    return { ...state, rows: shown.rows, boards: state.boards * PAGES_OF_BOARD + shown.first };
  }, [state, count, pages, driver, paging, page]);
}

/** What a board does not say: the track of its layout, and the classes of cars, where they are shown. */
interface Names {
  readonly track: string;
  readonly classes: ClassesOfCars;
}

const NO_NAMES: Names = { track: '', classes: new Map() };

function useNames({ head }: BoardState, columns: readonly Column[], header: boolean): Names {
  const layoutId = header ? (head?.trackLayoutId ?? null) : null;
  const areClassesShown = columns.includes('class');
  const load = useCallback(
    async (signal: AbortSignal): Promise<Names> => {
      const [tracks, classes] = await Promise.all([
        layoutId === null ? NO_TRACKS : tracksOf([layoutId], signal),
        areClassesShown ? readClassesOfCars(NO_CARS, signal) : NO_NAMES.classes,
      ]);
      return { track: tracks.get(layoutId ?? '') ?? '', classes };
    },
    [layoutId, areClassesShown],
  );
  return useRetried(load).data ?? NO_NAMES;
}

const NO_TRACKS: ReadonlyMap<string, string> = new Map();
const NO_CARS = Promise.resolve([]);

const CELLS: { readonly [C in Column]: (row: ShownRow) => ComponentChild } = {
  position: ({ row }) => row.position,
  name: ({ row, apart }) => <Who name={row.participantName} apart={apart} />,
  code: ({ row, code }) => (
    <>
      <bdi aria-hidden="true">{code}</bdi>
      <span class="hidden-but-read">{row.participantName}</span>
    </>
  ),
  class: ({ carClass, classPlace }) => carClass !== undefined && <ClassBadge carClass={carClass} place={classPlace} />,
  car: ({ row: { bestLap } }) => (
    <bdi>
      {bestLap.carBrandDisplayName} {bestLap.carDisplayName}
    </bdi>
  ),
  gap: ({ row }) => gapText(row.gapToLeader),
  interval: ({ row }) => gapText(row.gapToNext),
  best: ({ row }) => lapTime(row.bestLap.totalTime),
  lap: ({ row: { bestLapNumber: number } }) => number !== null && t(live.lapNumber, { number }),
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

interface FitOptions {
  readonly isAnnouncing: boolean;
  /** What else may change widths. */
  readonly names: unknown;
  /** Takes how many rows have room. */
  readonly setRoom: (rows: number) => void;
}

/** Fits the overlay into its window before it is painted, after each change of either. */
function useFit(
  frame: RefObject<HTMLElement | null>,
  third: RefObject<HTMLElement | null>,
  shown: BoardState,
  { isAnnouncing, names, setRoom }: FitOptions,
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
    const room = fitRanking(ranking, Math.min(bottom ?? innerHeight, innerHeight));
    // Pages stay as long as something is announced.
    if (!isAnnouncing) setRoom(room);
  }, [shown, isAnnouncing, size, names]);
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
