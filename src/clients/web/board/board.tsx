import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLive } from '../live/use-live.ts';
import type { BoardState } from '../live/state.ts';
import { keepInAddress, language, linkTo, query, t } from '../shared/page.ts';
import { lapTime } from '../shared/times.ts';
import { allClasses, allEvents, carClasses, layouts, leads } from '../texts/board.ts';
import { loading, unreachable } from '../texts/common.ts';
import { noLaps } from '../texts/live.ts';
import { NewestLaps, OnRigs } from './aside.tsx';
import { localName } from './brand.ts';
import { parametersOf, readChoices, type Choices } from './choices.ts';
import { Settings } from './settings.tsx';
import { Sponsors } from './sponsors.tsx';
import { Standings } from './standings.tsx';
import { NoEvent, StatusBadge } from './status.tsx';
import { Tabs } from './tabs.tsx';
import { TimeBar } from './time-bar.tsx';
import { momentOf, replayClock, replayedAt, type ReplayClock, type View } from './timeline.ts';
import { useEvent, type EventFacts } from './use-event.ts';
import { usePast } from './use-past.ts';

const PANEL = 'board';

export function Board({ eventId }: { readonly eventId: string }) {
  const { facts: event, missing, failed } = useEvent(eventId);
  const { choices, choose: take, view, setView } = useChoices();
  const { followed, past } = useBoard(eventId, choices, view);
  const state = view.kind === 'past' ? (past.state ?? followed.state) : followed.state;
  const clock = view.kind === 'replay' ? replayClock(view, followed.newest) : null;
  const choose = (chosen: Partial<Choices>): void => {
    // A replay of another layout or class continues from the current instant.
    if (clock !== null && chosen.gapTo === undefined) setView(goneOn(view, clock));
    take(chosen);
  };
  if (missing || followed.facts.phase === 'missing') return <NoEvent />;
  return (
    <>
      <header class="top">
        <Title event={event} state={state} />
        <StatusBadge facts={followed.facts} view={view} delay={choices.delay} clock={clock} past={past} />
      </header>
      <main class={isLoaded(state, event ?? failed) ? '' : 'loading'}>
        <Choosing event={event} state={state} choices={choices} choose={choose} />
        <p class="message" role="status">
          {messageOf(failed || past.failed, state)}
        </p>
        <Content state={state} choices={choices} />
        <div class="controls">
          <TimeBar view={view} clock={clock} eventId={eventId} laps={followed.state.laps} onView={setView} />
          <Settings choices={choices} onChoose={choose} />
        </div>
      </main>
      <Sponsors brands={event?.brands ?? NONE} />
      <LeaderNews state={state} />
    </>
  );
}

function Content({ state, choices: { gapTo } }: { readonly state: BoardState; readonly choices: Choices }) {
  return (
    <div class="content" id={PANEL} role="tabpanel" aria-label={state.head?.trackDisplayName || t(loading)}>
      <Standings state={state} gapTo={gapTo} />
      <div class="aside">
        <NewestLaps state={state} />
        <OnRigs state={state} />
      </div>
    </div>
  );
}

function goneOn(view: View, clock: ReplayClock): View {
  if (view.kind !== 'replay') return view;
  return { ...view, from: new Date(replayedAt(clock, Date.now())).toISOString() };
}

const NONE: EventFacts['brands'] = [];

function useChoices() {
  const [choices, setChoices] = useState(() => readChoices(query));
  const [view, show] = useState<View>(choices.at === null ? { kind: 'live' } : { kind: 'past', at: choices.at });
  const choose = useCallback((chosen: Partial<Choices>) => {
    setChoices((before) => ({ ...before, ...chosen }));
    // A paused replay has no rows of another layout.
    show((before) => (before.kind === 'paused' ? { kind: 'past', at: before.at } : before));
  }, []);
  const setView = useCallback((next: View) => {
    setChoices((before) => ({ ...before, at: momentOf(next) }));
    show(next);
  }, []);
  useEffect(() => keepInAddress(parametersOf(choices)), [choices]);
  return { choices, choose, view, setView };
}

/** Follows the chosen board, or reads it as it was. */
function useBoard(eventId: string, { layout, carClass, delay }: Choices, view: View) {
  const filter = useMemo(
    () => ({ eventId, trackLayoutId: layout ?? undefined, carClassId: carClass ?? undefined }),
    [eventId, layout, carClass],
  );
  const stream = useMemo(() => {
    if (view.kind === 'past' || view.kind === 'paused') return null;
    return { ...filter, delaySeconds: delay, replay: view.kind === 'replay' ? view : undefined };
  }, [filter, delay, view]);
  const request = useMemo(() => (view.kind === 'past' ? { ...filter, asOf: view.at } : null), [filter, view]);
  return { followed: useLive(stream), past: usePast(request) };
}

function Title({ event, state: { head } }: { readonly event: EventFacts | null; readonly state: BoardState }) {
  const name = localName(event?.event.i18nJson ?? null, language) ?? head?.eventName ?? event?.event.name ?? '';
  useEffect(() => {
    if (name !== '') document.title = name;
  }, [name]);
  return (
    <div class="title">
      <a class="back" href={linkTo('/')} aria-label={t(allEvents)}>
        <span aria-hidden="true">‹</span>
      </a>
      <div>
        <h1>
          <bdi>{name === '' ? t(loading) : name}</bdi>
        </h1>
        <p class="quiet">
          <bdi>{head?.trackDisplayName}</bdi>
        </p>
      </div>
    </div>
  );
}

interface ChoosingProperties {
  readonly event: EventFacts | null;
  readonly state: BoardState;
  readonly choices: Choices;
  readonly choose: (choices: Partial<Choices>) => void;
}

function Choosing({ event, state: { head }, choices, choose }: ChoosingProperties) {
  const tracks = head?.layouts.map(({ trackLayoutId, trackDisplayName }) => ({
    id: trackLayoutId,
    name: trackDisplayName,
  }));
  const classes = [{ id: '', name: t(allClasses) }, ...(event?.carClasses ?? [])];
  return (
    <nav class="choosing">
      {tracks !== undefined && tracks.length > 1 && (
        <Tabs
          label={t(layouts)}
          tabs={tracks}
          selected={choices.layout ?? head?.trackLayoutId ?? ''}
          panel={PANEL}
          onSelect={(id) => choose({ layout: id })}
        />
      )}
      {classes.length > 2 && (
        <Tabs
          label={t(carClasses)}
          tabs={classes}
          selected={choices.carClass ?? ''}
          panel={PANEL}
          onSelect={(id) => choose({ carClass: id === '' ? null : id })}
        />
      )}
    </nav>
  );
}

/** Whether all there is can be shown, at once: what is shown first would move when the rest arrives. */
function isLoaded({ head }: BoardState, event: EventFacts | boolean): boolean {
  return head !== null && event !== false;
}

function messageOf(failed: boolean, state: BoardState): string {
  if (failed) return t(unreachable);
  if (state.head === null) return t(loading);
  return state.rows.length === 0 ? t(noLaps) : '';
}

/** Announces new leaders to screen readers, and nothing else: a board changes all the time. */
function LeaderNews({ state: { rows, boards } }: { readonly state: BoardState }) {
  const [leader] = rows;
  const before = useRef({ boards, participantId: leader?.participantId });
  const [text, say] = useState('');
  useEffect(() => {
    const { current } = before;
    before.current = { boards, participantId: leader?.participantId };
    if (leader === undefined || current.boards !== boards || current.participantId === leader.participantId) return;
    say(t(leads, { name: leader.participantName, time: lapTime(leader.bestLap.totalTime) }));
  }, [boards, leader?.participantId]);
  return (
    <p class="hidden-but-read" aria-live="polite">
      {text}
    </p>
  );
}
