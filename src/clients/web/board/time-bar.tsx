import { useState } from 'preact/hooks';
import { Button, Select } from '../shared/controls.tsx';
import { showMoment, t } from '../shared/page.ts';
import { useNow } from '../shared/hooks.ts';
import say from '../texts/board.json' with { type: 'json' };
import { placeOf, replayedAt, SPEEDS, type ReplayClock, type View } from './timeline.ts';
import type { BoardPage } from './use-board.ts';
import { useMoments } from './use-moments.ts';

/** A slider back in time, from lap to lap, and a replay from there. */
export function TimeBar({ view, clock, eventId, followed, setView: onView }: BoardPage) {
  const now = useNow();
  const [speed, setSpeed] = useState(1);
  const [used, setUsed] = useState(false);
  const moments = useMoments(eventId, used || view.kind !== 'live', followed.state.laps);
  const at = instantOf(view, clock, now);
  const use = (): void => setUsed(true);
  // The end of the slider means now.
  const go = (to: number): void => {
    const moment = moments[to];
    onView(moment === undefined ? { kind: 'live' } : { kind: 'past', at: moment });
  };
  const changeSpeed = (wanted: number): void => {
    setSpeed(wanted);
    if (view.kind === 'replay') onView({ kind: 'replay', from: at, speed: wanted });
  };
  return (
    <section class="time-bar" aria-label={t(say.backInTime)} onFocusCapture={use} onPointerEnter={use}>
      <Button disabled={view.kind === 'live'} onClick={() => onView({ kind: 'live' })}>
        {t(say.backToLive)}
      </Button>
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
          kind={view.kind === 'live' ? undefined : 'primary'}
          onClick={() => onView({ kind: 'paused', at, speed })}
        >
          {t(say.pause)}
        </Button>
      ) : (
        <Button onClick={() => onView({ kind: 'replay', from: at, speed })}>
          {t(view.kind === 'paused' ? say.resume : say.replayFromHere)}
        </Button>
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
