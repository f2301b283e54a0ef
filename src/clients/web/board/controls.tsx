import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { LiveLap } from '../live/messages.ts';
import { api } from '../shared/api.ts';
import { Button, Select, ThemeSwitch } from '../shared/controls.tsx';
import { useNow, useRetried } from '../shared/hooks.ts';
import { linkTo, showMoment, t } from '../shared/page.ts';
import say from '../texts/board.json' with { type: 'json' };
import type { GapTo } from './choices.ts';
import { placeOf, replayedAt, SPEEDS, type ReplayClock, type View } from './timeline.ts';
import type { BoardPage } from './use-board.ts';

/** Delays to choose from, in s; the address accepts others. */
const DELAYS: readonly number[] = [0, 5, 10, 30, 60, 120, 300];

export function Settings({ eventId, choices, choose, state, isWall }: BoardPage & { readonly isWall: boolean }) {
  const { gapTo: gap, delay, areLayoutsTurning } = choices;
  const delays = DELAYS.includes(delay) ? DELAYS : [...DELAYS, delay];
  return (
    <section class="settings" aria-label={t(say.settings)}>
      <label>
        {t(say.gapTo)}{' '}
        <Select<GapTo>
          value={gap}
          options={[
            ['leader', t(say.toLeader)],
            ['next', t(say.toNext)],
          ]}
          onChange={(chosen) => choose({ gapTo: chosen })}
        />
      </label>
      <label>
        {t(say.delay)}{' '}
        <Select
          value={delay}
          options={delays.map((seconds) => [seconds, seconds === 0 ? t(say.noDelay) : t(say.secondsOf, { seconds })])}
          onChange={(seconds) => choose({ delay: seconds })}
        />
      </label>
      <label class="for-walls">
        {t(say.rows)}{' '}
        <Select
          value={isWall ? 'on' : 'off'}
          options={[
            ['on', t(say.byPages)],
            ['off', t(say.allRows)],
          ]}
          onChange={(pages) => choose({ pages })}
        />
      </label>
      {(state.head?.layouts.length ?? 0) > 1 && (
        <label>
          {t(say.shownLayouts)}{' '}
          <Select
            value={areLayoutsTurning ? 'turn' : 'stay'}
            options={[
              ['stay', t(say.chosenLayout)],
              ['turn', t(say.inTurn)],
            ]}
            onChange={(chosen) => choose({ areLayoutsTurning: chosen === 'turn' })}
          />
        </label>
      )}
      {isWall && (
        <a class="button" href={linkTo(`/events/${eventId}/results`)}>
          {t(say.results)}
        </a>
      )}
      <ThemeSwitch />
      <FullScreen />
    </section>
  );
}

function FullScreen() {
  const [full, show] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const update = (): void => show(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', update);
    return () => document.removeEventListener('fullscreenchange', update);
  }, []);
  if (!document.fullscreenEnabled) return null;
  // If the browser refuses, the button keeps showing the actual state.
  const change = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void => {
    // A button with the focus would keep the controls visible; Tab goes on from here all the same.
    currentTarget.blur();
    const changed = full ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    changed.catch(() => show(document.fullscreenElement !== null));
  };
  return <Button label={t(full ? say.leaveFullScreen : say.fullScreen)} onClick={change} />;
}

/** A slider back in time, from lap to lap, and a replay from there. */
export function TimeBar({ view, clock, eventId, followed, choose }: BoardPage) {
  const now = useNow();
  const [speed, setSpeed] = useState(1);
  const [used, setUsed] = useState(false);
  const moments = useMoments(eventId, used || view.kind !== 'live', followed.state.laps);
  const at = instantOf(view, clock, now);
  const use = (): void => setUsed(true);
  const show = (next: View): void => choose({ view: next });
  // The end of the slider means now.
  const go = (to: number): void => {
    const moment = moments[to];
    show(moment === undefined ? { kind: 'live' } : { kind: 'past', at: moment });
  };
  const changeSpeed = (chosen: number): void => {
    setSpeed(chosen);
    if (view.kind === 'replay') show({ kind: 'replay', from: at, speed: chosen });
  };
  return (
    <section class="time-bar" aria-label={t(say.backInTime)} onFocusCapture={use} onPointerEnter={use}>
      <Button label={t(say.backToLive)} disabled={view.kind === 'live'} onClick={() => show({ kind: 'live' })} />
      <input
        type="range"
        aria-label={t(say.backInTime)}
        aria-valuetext={showMoment(at)}
        disabled={moments.length === 0}
        max={moments.length}
        value={view.kind === 'live' ? moments.length : placeOf(moments, at)}
        onInput={({ currentTarget }) => go(currentTarget.valueAsNumber)}
      />
      <output class="numbers">{showMoment(at)}</output>
      {view.kind === 'replay' || view.kind === 'live' ? (
        <Button
          label={t(say.pause)}
          kind={view.kind === 'live' ? undefined : 'primary'}
          onClick={() => show({ kind: 'paused', at, speed })}
        />
      ) : (
        <Button
          label={t(view.kind === 'paused' ? say.resume : say.replayFromHere)}
          onClick={() => show({ kind: 'replay', from: at, speed })}
        />
      )}
      <label>
        {t(say.speed)}{' '}
        <Select value={speed} options={SPEEDS.map((choice) => [choice, `×${choice}`])} onChange={changeSpeed} />
      </label>
    </section>
  );
}

/** The instant (ISO 8601) that a view shows. */
function instantOf(view: View, clock: ReplayClock | null, now: number): string {
  if (view.kind === 'past' || view.kind === 'paused') return view.at;
  if (view.kind === 'replay' && clock === null) return view.from;
  return new Date(clock === null ? now : replayedAt(clock, now)).toISOString();
}

/** Laps of a request, and most requests: so many of the newest laps have a moment each. */
const PAGE = 1_000;
const MOST_PAGES = 5;

/** Moments, evenly spaced, for all laps before those. */
const EARLIER = 1_000;

/**
 * The moments (ISO 8601) at which laps of an event were recorded, the earliest first: there is nothing to see in between.
 * @param isOpen whether all are needed; until then they are those of `laps`
 * @param laps the newest laps
 */
function useMoments(eventId: string, isOpen: boolean, laps: readonly LiveLap[]): readonly string[] {
  const load = useCallback(
    async (signal: AbortSignal) => (isOpen ? momentsOf(eventId, signal) : []),
    [eventId, isOpen],
  );
  const { data: known } = useRetried(load);
  return useMemo(
    () => [...new Set([...(known ?? []), ...laps.map(({ createdAt }) => createdAt)])].sort(),
    [known, laps],
  );
}

async function momentsOf(eventId: string, signal: AbortSignal): Promise<readonly string[]> {
  const found: string[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { moments, last } = await readMoments({ eventId, sort: 'createdAt,desc', size: PAGE, page }, signal);
    found.push(...moments);
    if (last) return found;
  }
  const { moments } = await readMoments({ eventId, sort: 'createdAt', size: 1 }, signal);
  const from = Date.parse(moments[0] ?? '');
  const to = Date.parse(found.at(-1) ?? '');
  const earlier = Array.from({ length: EARLIER }, (_, n) => new Date(from + ((to - from) * n) / EARLIER).toISOString());
  return [...found, ...earlier];
}

async function readMoments(
  query: { readonly eventId: string; readonly sort: string; readonly size: number; readonly page?: number },
  signal: AbortSignal,
) {
  const { data } = await api.GET('/api/v1/laps/paged', { params: { query }, signal });
  if (data === undefined) throw new Error('the laps were refused');
  return { moments: data.content.map(({ createdAt }) => createdAt), last: data.last };
}
