import { base } from '../shared/base.ts';
import { useEffect, useState } from 'preact/hooks';
import { earlierLaps } from './earlier-laps.ts';
import type { LiveMessage, LiveMessages } from './messages.ts';
import { applyMessage, EMPTY, withEarlierLaps, type BoardState } from './state.ts';
import { NOTHING_HEARD, type StreamFacts } from './status.ts';
import { LiveStream, type StreamOptions, type StreamPorts } from './stream.ts';

/** The newest news: when it happened (ISO 8601; null: nothing has yet), and when it arrived, ms of the page's clock. */
export interface News {
  readonly happened: string | null;
  readonly cameAt: number;
}

export interface Followed {
  readonly state: BoardState;
  readonly facts: StreamFacts;
  readonly newest: News | null;
}

const NOTHING_YET: Followed = { state: EMPTY, facts: NOTHING_HEARD, newest: null };

/**
 * Follows a board. Messages that arrive between two frames are drawn together, and only complete changes are.
 * @param options keep their identity with `useMemo`; with new options, the previous board stays until the new one
 *   arrives, and is not called live; null: nothing is followed, and the last board stays
 */
export function useLive(options: StreamOptions | null): Followed {
  const [shown, show] = useState({ options: null as StreamOptions | null, followed: NOTHING_YET });
  useEffect(() => {
    if (options === null) return;
    return follow(options, (next) => show(({ followed }) => ({ options, followed: after(followed, next) })));
  }, [options]);
  const { followed } = shown;
  return options === null || shown.options === options ? followed : { ...NOTHING_YET, state: followed.state };
}

/** The next state: until the new board arrives, the previous one, as one without any news. */
function after({ state }: Followed, next: Followed): Followed {
  return next.state.head === null ? { state, facts: { ...next.facts, heardAt: null }, newest: null } : next;
}

/** Least time, in ms, between two updates of a board: nobody reads faster, and rows move smoothly in between. */
const UPDATE_MS = 100;

/** Follows a board until the returned function is called. */
function follow(options: StreamOptions, show: (followed: Followed) => void): () => void {
  const over = new AbortController();
  const { signal } = over;
  let received = NOTHING_YET;
  /** The same after the last complete change. */
  let whole = NOTHING_YET;
  /** A board whose earlier laps have not been read yet. */
  let without: LiveMessages['board'] | null = null;
  const draw = calmly(() => show(whole), signal);
  const change = (to: (followed: Followed) => Followed): void => {
    received = to(received);
    whole = to(whole);
    draw();
  };
  /** The stream begins with the board; earlier laps come from the list. If that fails, the next heartbeat retries. */
  const addEarlierLaps = async (): Promise<void> => {
    const board = without;
    const trackLayoutId = board?.head.trackLayoutId ?? null;
    if (board === null || board.at === null || trackLayoutId === null) return;
    without = null;
    try {
      const laps = await earlierLaps({ ...options, trackLayoutId }, board.at, signal);
      change((followed) => ({ ...followed, state: withEarlierLaps(followed.state, laps) }));
    } catch {
      without ??= board;
    }
  };
  const take = (message: LiveMessage, complete: boolean): void => {
    const { state, newest, facts } = received;
    received = { state: applyMessage(state, message), newest: newsOf(message) ?? newest, facts };
    if (complete) whole = { ...received, facts: whole.facts };
    if (message.name === 'board') without = message;
    if (message.name === 'board' || message.name === 'heartbeat') void addEarlierLaps();
  };
  const learn = (facts: StreamFacts): void => change((followed) => ({ ...followed, facts }));
  const stream = new LiveStream(options, { message: take, facts: learn }, ports);
  // After a sleep of the machine it catches up at once.
  const wake = (): void => {
    if (document.visibilityState === 'visible') stream.wake();
  };
  document.addEventListener('visibilitychange', wake, { signal });
  for (const type of ['pageshow', 'online']) addEventListener(type, wake, { signal });
  signal.addEventListener('abort', () => stream.close());
  return () => over.abort();
}

/** Draws in a frame, and not too often, until it is aborted. */
function calmly(draw: () => void, signal: AbortSignal): () => void {
  let drawnAt = 0;
  let isWaiting = false;
  const inFrame = (): void => {
    isWaiting = false;
    drawnAt = performance.now();
    if (!signal.aborted) draw();
  };
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => requestAnimationFrame(inFrame), Math.max(0, drawnAt + UPDATE_MS - performance.now()));
  };
}

function newsOf(message: LiveMessage): News | null {
  if (message.name !== 'board' && message.name !== 'lap') return null;
  return { happened: message.at, cameAt: Date.now() };
}

/** Longest wait, in ms, that the service can ask for. */
const MOST_WAIT_MS = 60_000;

const ports: StreamPorts = {
  connect(url, names, handlers) {
    const source = new EventSource(base + url);
    source.addEventListener('open', handlers.opened);
    source.addEventListener('error', () => handlers.failed(source.readyState === EventSource.CLOSED));
    for (const name of names) {
      source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) =>
        handlers.message(name, data, lastEventId),
      );
    }
    return source;
  },
  async whyRefused(url) {
    try {
      const { status, headers } = await fetch(base + url, { method: 'HEAD' });
      const seconds = Number(headers.get('retry-after') ?? 0);
      const retryAfterMs = Number.isFinite(seconds) ? Math.min(seconds * 1_000, MOST_WAIT_MS) : 0;
      return status < 400 ? null : { status, retryAfterMs };
    } catch {
      // Nobody answers: keep trying.
      return null;
    }
  },
  now: () => Date.now(),
  random: () => Math.random(),
  later(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
