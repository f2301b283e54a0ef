import { eventStateAt, type EventTimes } from '../shared/event-state.ts';
import { useNow } from '../shared/hooks.ts';
import { t } from '../shared/page.ts';
import say from '../texts/board.json' with { type: 'json' };
import { timeLeft } from './time-left.ts';

/** Says how long it is until an event starts, and then until it ends; nothing where that is not known, or it is over. */
export function Countdown(event: EventTimes) {
  const now = useNow();
  const state = eventStateAt(event, now);
  const next = state === 'upcoming' ? event.startsAt : event.endsAt;
  if (state === 'finished' || next === null) return null;
  const time = timeLeft(Date.parse(next) - now);
  return (
    <span class="countdown numbers" role="timer">
      {t(state === 'upcoming' ? say.startsIn : say.timeLeft, { time })}
    </span>
  );
}
