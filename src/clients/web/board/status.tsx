import { linkTo, showMoment, t } from '../shared/page.ts';
import { useNow } from '../shared/hooks.ts';
import type { Text } from '../shared/language.ts';
import { presentOf, statusAt } from '../live/status.ts';
import { eventStateAt, type EventState } from '../shared/event-state.ts';
import common from '../texts/common.json' with { type: 'json' };
import live from '../texts/live.json' with { type: 'json' };
import say from '../texts/board.json' with { type: 'json' };
import { replayedAt } from './timeline.ts';
import type { BoardPage } from './use-board.ts';

/** A replay that is at most this far, in ms, behind the present has reached it, and is live. */
const PRESENT_MS = 1_000;

/** Says how current the board is; a current one says whether its event is to come, goes on or is over. */
export function StatusBadge(board: BoardPage) {
  const { delay } = board.choices;
  const now = useNow();
  const { kind, text, state } = shownStatus(board, Math.max(now, board.followed.facts.heardAt ?? 0));
  return (
    <p class={`status ${state ?? kind}`} data-status={kind} data-state={state}>
      <i aria-hidden="true" />
      {text}
      {delay > 0 && kind === 'live' && <span class="delayed"> · {t(say.delayed, { seconds: delay })}</span>}
    </p>
  );
}

interface ShownStatus {
  readonly kind: string;
  readonly text: string;
  /** That of the event, where the board is current. */
  readonly state?: EventState;
}

function shownStatus({ choices, followed, view, clock, past }: BoardPage, now: number): ShownStatus {
  const { facts } = followed;
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
  const { head } = followed.state;
  if (status.kind === 'live' && head !== null) {
    const state = eventStateAt(head, presentOf(facts, choices.delay, now));
    return { kind: status.kind, text: t(live[state]), state };
  }
  return { kind: status.kind, text: t(TEXTS[status.kind], status) };
}

const TEXTS = { ...say, live: live.live, missing: live.noEvent };

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
