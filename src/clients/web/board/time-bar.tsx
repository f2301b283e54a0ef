import { useState } from 'preact/hooks';
import { Button, Select } from '../shared/controls.tsx';
import { showInstant, t } from '../shared/page.ts';
import { useNow } from '../shared/hooks.ts';
import { backInTime, backToLive, pause, replayFromHere, resume, speed as speedText } from '../texts/board.ts';
import { instantAt, replayedAt, SPEEDS, spanOf, stepOf, type ReplayClock, type View } from './timeline.ts';
import type { EventFacts } from './use-event.ts';

interface Properties {
  readonly view: View;
  readonly clock: ReplayClock | null;
  readonly event: EventFacts | null;
  readonly onView: (view: View) => void;
}

/** A slider back in time, and a replay from there. */
export function TimeBar({ view, clock, event, onView }: Properties) {
  const now = useNow();
  const [speed, setSpeed] = useState(1);
  const span = spanOf([event?.event.startsAt ?? null, event?.firstLapAt ?? null], now);
  if (span === null) return null;
  const place = placeOf(view, clock, now);
  const at = instantAt(span, place);
  const step = stepOf(span);
  // The end of the slider is a whole step, and means now.
  const end = span.from + Math.ceil((span.to - span.from) / step) * step;
  const go = (to: number): void => onView(to < end ? { kind: 'past', at: instantAt(span, to) } : { kind: 'live' });
  const changeSpeed = (wanted: number): void => {
    setSpeed(wanted);
    if (view.kind === 'replay') onView({ kind: 'replay', from: at, speed: wanted });
  };
  return (
    <section class="time-bar" aria-label={t(backInTime)}>
      <Button disabled={view.kind === 'live'} onClick={() => onView({ kind: 'live' })}>
        {t(backToLive)}
      </Button>
      <input
        type="range"
        aria-label={t(backInTime)}
        aria-valuetext={showInstant(at)}
        min={span.from}
        max={end}
        step={step}
        value={view.kind === 'live' ? end : place}
        onInput={({ currentTarget }) => go(currentTarget.valueAsNumber)}
      />
      <output class="numbers">{showInstant(at)}</output>
      <ReplayButton view={view} at={at} speed={speed} onView={onView} />
      <label>
        {t(speedText)}{' '}
        <Select value={speed} options={SPEEDS.map((choice) => [choice, `×${choice}`])} onChange={changeSpeed} />
      </label>
    </section>
  );
}

function placeOf(view: View, clock: ReplayClock | null, now: number): number {
  switch (view.kind) {
    case 'live':
      return now;
    case 'past':
    case 'paused':
      return Date.parse(view.at);
    case 'replay':
      return clock === null ? Date.parse(view.from) : replayedAt(clock, now);
  }
}

interface ReplayProperties extends Pick<Properties, 'view' | 'onView'> {
  readonly at: string;
  readonly speed: number;
}

function ReplayButton({ view, at, speed, onView }: ReplayProperties) {
  if (view.kind === 'replay') {
    return (
      <Button kind="primary" onClick={() => onView({ kind: 'paused', at, speed })}>
        {t(pause)}
      </Button>
    );
  }
  return (
    <Button disabled={view.kind === 'live'} onClick={() => onView({ kind: 'replay', from: at, speed })}>
      {t(view.kind === 'paused' ? resume : replayFromHere)}
    </Button>
  );
}
