import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ClassesOfCars } from '../live/car-classes.ts';
import type { BoardState } from '../live/state.ts';
import { presentOf } from '../live/status.ts';
import { nameApart, tellApart } from '../shared/apart.ts';
import { useNow } from '../shared/hooks.ts';
import { language, linkTo, shownZone, t } from '../shared/page.ts';
import { lapTime } from '../shared/times.ts';
import say from '../texts/board.json' with { type: 'json' };
import common from '../texts/common.json' with { type: 'json' };
import live from '../texts/live.json' with { type: 'json' };
import { Aside } from './aside.tsx';
import { localName } from './brand.ts';
import { Settings, TimeBar } from './controls.tsx';
import { Countdown } from './countdown.tsx';
import { DriverCard } from './driver-card.tsx';
import { placesWon, withSnapshot, type Snapshot } from './gains.ts';
import { Search, searchOf } from './search.tsx';
import { Sponsors } from './sponsors.tsx';
import { Standings } from './standings.tsx';
import { NoEvent, StatusBadge } from './status.tsx';
import { PANEL, Tabs } from './tabs.tsx';
import { replayedAt } from './timeline.ts';
import { fullNameOf, useBoard, type BoardPage, type EventFacts } from './use-board.ts';
import { useWall } from './use-wall.ts';
import { VenueMark } from './venue-mark.tsx';

/** How often, in ms, what was news is looked through for what is no longer. */
const NEWS_MS = 5_000;

export function Board({ eventId }: { readonly eventId: string }) {
  const board = useBoard(eventId);
  const { event, state, failed, choices } = board;
  const isWall = useWall(choices.pages);
  const now = shownAt(board, useNow(NEWS_MS));
  const won = usePlacesWon(board, now);
  const showNextLayout = useNextLayout(board);
  const [searched, search] = useState('');
  const isSearched = useMemo(() => searchOf(isWall ? '' : searched), [isWall, searched]);
  const isLoading = isFrameShown(board);
  const rigIds = event?.event.rigIds ?? NO_RIGS;
  const isRefused = board.followed.facts.phase === 'refused';
  const [opened, open] = useState<string | null>(null);
  if (board.missing) return <NoEvent />;
  return (
    <div class={isWall ? 'page wall' : 'page'}>
      <header class="top">
        <Title {...board} />
        <VenueMark venue={venueOf(event)} />
        <StatusBadge {...board} />
      </header>
      {/* All there is is shown at once: what is shown first would move when the rest arrives. */}
      {/* Times that were drawn before the zone of the venue was known are drawn again. */}
      <main key={shownZone()} class={isLoading ? 'loading' : ''}>
        {isLoading && <Frame />}
        <Choosing {...board}>{!isWall && <Search {...{ board, searched, search, isSearched }} />}</Choosing>
        <p class={isLoading && !failed && !isRefused ? 'hidden-but-read' : 'message'} role="status">
          {messageOf(failed, isRefused, state)}
        </p>
        <div class="content" id={PANEL} role="tabpanel" aria-label={state.head?.trackDisplayName || t(common.loading)}>
          <Standings
            state={state}
            gapTo={choices.gapTo}
            isWall={isWall}
            now={now}
            classes={shownClasses(board)}
            won={won}
            driver={choices.driver}
            isSearched={isSearched}
            onDriver={open}
            onEnd={showNextLayout}
          />
          <Aside {...{ eventId, state, rigIds, now, isWall }} />
        </div>
        <div class="controls">
          <TimeBar {...board} />
          <Settings {...board} isWall={isWall} />
        </div>
      </main>
      <Sponsors brands={event?.brands ?? NONE} />
      <LeaderNews state={state} />
      <OpenedDriver {...board} opened={opened} now={now} close={() => open(null)} />
    </div>
  );
}

interface OpenedDriverProps extends BoardPage {
  /** Id of a driver; null: nobody is. */
  readonly opened: string | null;
  /** The moment that the board shows, ms. */
  readonly now: number;
  readonly close: () => void;
}

/** The laps of the driver whose name was tapped, as long as the driver is on the board. */
function OpenedDriver({ eventId, state, event, choices, view, opened, now, close }: OpenedDriverProps) {
  const { carClass } = choices;
  const classes = event?.classesOfCars;
  const isCarShown = useCallback(
    (car: string) => carClass === null || classes?.get(car)?.id === carClass,
    [carClass, classes],
  );
  const row = state.rows.find(({ participantId }) => participantId === opened);
  // A moment after what is shown, because the end of a period is not part of it.
  const until = useMemo(() => (view.kind === 'live' ? null : new Date(now + 1).toISOString()), [view, row]);
  const layoutId = state.head?.trackLayoutId ?? null;
  if (row === undefined || layoutId === null) return null;
  const finishedAt = state.head?.finishedAt ?? null;
  return <DriverCard key={row.participantId} {...{ eventId, layoutId, row, isCarShown, until, finishedAt, close }} />;
}

/** Whether the board, or what is known of its event, has not arrived. */
function isFrameShown({ state, event, failed }: BoardPage): boolean {
  return state.head === null || (event === null && !failed);
}

/** The classes of cars, on the board of all classes where there are several; otherwise null. */
function shownClasses({ event, choices }: BoardPage): ClassesOfCars | null {
  if (event === null || choices.carClass !== null || event.carClasses.length < 2) return null;
  return event.classesOfCars;
}

/** What the page will be like, until the board has arrived. */
function Frame() {
  return (
    <div class="frame" aria-hidden="true">
      <i class="panel" />
      <i class="panel" />
    </div>
  );
}

/** The moment that a board shows, in ms; `now`: ms of the page's clock. */
function shownAt({ view, clock, choices, followed: { facts } }: BoardPage, now: number): number {
  if (view.kind === 'past' || view.kind === 'paused') return Date.parse(view.at);
  if (clock !== null) return replayedAt(clock, now);
  return presentOf(facts, choices.delay, now);
}

/** The places that drivers have won lately, by their ids, while the board is live. */
function usePlacesWon({ state, view, choices }: BoardPage, now: number): ReadonlyMap<string, number> {
  const key = `${state.head?.trackLayoutId ?? ''} ${choices.carClass ?? ''} ${view.kind}`;
  const [seen, setSeen] = useState({ key: '', snapshots: NO_SNAPSHOTS });
  useEffect(() => {
    if (state.head === null) return;
    setSeen((before) => {
      const known = before.key === key ? before.snapshots : NO_SNAPSHOTS;
      const snapshots = withSnapshot(known, state.rows, now);
      return snapshots === before.snapshots ? before : { key, snapshots };
    });
  }, [key, now, state.head === null]);
  return useMemo(
    () => (seen.key === key && view.kind === 'live' ? placesWon(seen.snapshots, state.rows) : NONE_WON),
    [key, state.rows, seen],
  );
}

const NO_SNAPSHOTS: readonly Snapshot[] = [];
const NONE_WON: ReadonlyMap<string, number> = new Map();

/** Shows the next layout that has laps; null: the chosen one stays. */
function useNextLayout({ state: { head }, view, choices, choose }: BoardPage): (() => void) | null {
  const driven = head?.layouts.filter(({ laps }) => laps > 0).map(({ trackLayoutId }) => trackLayoutId) ?? [];
  const next = driven[(driven.indexOf(head?.trackLayoutId ?? '') + 1) % driven.length];
  const isTurning = choices.areLayoutsTurning && view.kind === 'live' && next !== undefined && driven.length > 1;
  return useMemo(() => (isTurning ? () => choose({ layout: next }) : null), [isTurning, next]);
}

const NONE: EventFacts['brands'] = [];
const NO_RIGS: readonly string[] = [];

function Title({ event, failed, followed, state: { head } }: BoardPage) {
  const isRefused = followed.facts.phase === 'refused';
  // Until all is there, the name may still change, as may the room beside the status: it would move all below it.
  const isNameKnown = (head !== null || isRefused) && (event !== null || failed);
  const localized = localName(event?.event.i18nJson ?? null, language);
  const name = isNameKnown ? (localized ?? head?.eventName ?? event?.event.name ?? '') : '';
  useEffect(() => {
    if (name !== '') document.title = name;
  }, [name]);
  return (
    <div class="title">
      <a class="back" href={linkTo('/')} aria-label={t(say.allEvents)}>
        <span aria-hidden="true">‹</span>
      </a>
      <div>
        <h1>{name === '' ? <span class="hidden-but-read">{t(common.loading)}</span> : <bdi>{name}</bdi>}</h1>
        <p class="quiet under">
          <bdi>{head !== null && fullNameOf(event, head.trackLayoutId ?? '', head.trackDisplayName)}</bdi>
          {head !== null && <Countdown {...head} />}
        </p>
        <div class="best-laps">
          {typeof head?.trackLayoutId === 'string' && (
            <a href={layoutPage(head.trackLayoutId, event)}>{t(say.bestLaps)}</a>
          )}
          {head !== null && <a href={linkTo(`/events/${head.eventId}/results`)}>{t(say.results)}</a>}
        </div>
      </div>
    </div>
  );
}

function venueOf(event: EventFacts | null): EventFacts['event']['venue'] {
  return event === null ? null : event.event.venue;
}

/** The address of the best laps of a layout at the venue of an event. */
function layoutPage(layoutId: string, event: EventFacts | null): string {
  return linkTo(`/layouts/${layoutId}`, { license: venueOf(event)?.id ?? '' });
}

function Choosing({
  event,
  state: { head },
  choices,
  choose,
  children,
}: BoardPage & { readonly children: ComponentChildren }) {
  const tracks = head?.layouts.map(({ trackLayoutId: id, trackDisplayName }) => ({
    id,
    name: fullNameOf(event, id, trackDisplayName),
  }));
  const classes = [{ id: '', name: t(say.allClasses) }, ...(event?.carClasses ?? [])];
  return (
    <nav class="choosing">
      {tracks !== undefined && tracks.length > 1 && (
        <Tabs
          label={t(say.layouts)}
          tabs={withNamesApart(tracks)}
          selected={choices.layout ?? head?.trackLayoutId ?? ''}
          onSelect={(id) => choose({ layout: id })}
        />
      )}
      {classes.length > 2 && (
        <Tabs
          label={t(say.carClasses)}
          tabs={withNamesApart(classes)}
          selected={choices.carClass ?? ''}
          onSelect={(id) => choose({ carClass: id === '' ? null : id })}
        />
      )}
      {children}
    </nav>
  );
}

/** Tabs whose names differ. */
function withNamesApart(tabs: readonly { readonly id: string; readonly name: string }[]) {
  const apart = tellApart(tabs);
  return tabs.map((tab) => ({ id: tab.id, name: nameApart(tab, apart) }));
}

function messageOf(failed: boolean, isRefused: boolean, state: BoardState): string {
  if (isRefused) return t(live.refused);
  if (failed) return t(common.unreachable);
  if (state.head === null) return t(common.loading);
  return state.rows.length === 0 ? t(live.noLaps) : '';
}

/** Announces new leaders to screen readers, and nothing else: a board changes all the time. */
function LeaderNews({ state: { rows, boards } }: { readonly state: BoardState }) {
  const [leader] = rows;
  const before = useRef({ boards, participantId: leader?.participantId });
  const [text, announce] = useState('');
  useEffect(() => {
    const { current } = before;
    before.current = { boards, participantId: leader?.participantId };
    if (leader === undefined || current.boards !== boards || current.participantId === leader.participantId) return;
    announce(t(say.leads, { name: leader.participantName, time: lapTime(leader.bestLap.totalTime) }));
  }, [boards, leader?.participantId]);
  return (
    <p class="hidden-but-read" aria-live="polite">
      {text}
    </p>
  );
}
