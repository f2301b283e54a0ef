import { linkTo, showMoment, t } from '../shared/page.ts';
import { useNow } from '../shared/hooks.ts';
import type { Text } from '../shared/language.ts';
import { statusAt } from '../live/status.ts';
import common from '../texts/common.json' with { type: 'json' };
import live from '../texts/live.json' with { type: 'json' };
import say from '../texts/board.json' with { type: 'json' };
import { replayedAt } from './timeline.ts';
import type { BoardPage } from './use-board.ts';

/** A replay that is at most this far, in ms, behind the present has reached it, and is live. */
const PRESENT_MS = 1_000;

/** Says how current the board is. */
export function StatusBadge(board: BoardPage) {
  const { delay } = board.choices;
  const now = useNow();
  const { kind, text } = shownStatus(board, Math.max(now, board.followed.facts.heardAt ?? 0));
  return (
    <p class={`status ${kind}`} data-status={kind}>
      <i aria-hidden="true" />
      {text}
      {delay > 0 && kind === 'live' && <span class="delayed"> · {t(say.delayed, { seconds: delay })}</span>}
    </p>
  );
}

function shownStatus({ followed: { facts }, view, clock, past }: BoardPage, now: number) {
  if (view.kind === 'past' && past.refused) return { kind: 'missing', text: t(say.pastRefused) };
  if (view.kind === 'past' && !past.arrived) return { kind: 'connecting', text: t(common.loading) };
  if (view.kind === 'past') return { kind: 'past', text: t(say.asOf, { time: showMoment(view.at) }) };
  if (view.kind === 'paused') return { kind: 'past', text: t(say.replayPaused, { time: showMoment(view.at) }) };
  const status = statusAt(facts, now);
  const time = view.kind === 'replay' && clock !== null ? replayedAt(clock, now) : now;
  if (view.kind === 'replay' && status.kind === 'live' && now - time > PRESENT_MS) {
    const text = t(say.replaying, { speed: view.speed, time: showMoment(new Date(time).toISOString()) });
    return { kind: 'replay', text };
  }
  return { kind: status.kind, text: t(TEXTS[status.kind], status) };
}

const TEXTS = { ...say, missing: live.noEvent };

/** Says why there is no board: there is no such event, unless `text` says otherwise. */
export function NoEvent({ text = live.noEvent }: { readonly text?: Text }) {
  return (
    <div class="page">
      <main class="no-event">
        <h1>{t(text)}</h1>
        <a href={linkTo('/')}>{t(say.allEvents)}</a>
      </main>
    </div>
  );
}
