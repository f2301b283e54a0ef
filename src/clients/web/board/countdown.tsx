import { useNow } from '../shared/hooks.ts';
import { t } from '../shared/page.ts';
import say from '../texts/board.json' with { type: 'json' };
import { timeLeft } from './time-left.ts';

/** Says how long it is until an event starts (ISO 8601); nothing from then on. */
export function Countdown({ startsAt }: { readonly startsAt: string }) {
  const left = Date.parse(startsAt) - useNow();
  if (left <= 0) return null;
  return (
    <span class="countdown numbers" role="timer">
      {t(say.startsIn, { time: timeLeft(left) })}
    </span>
  );
}
