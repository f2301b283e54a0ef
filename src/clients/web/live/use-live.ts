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
    const follower = new Follower(options, (next) =>
      show(({ followed }) => ({ options, followed: after(followed, next) })),
    );
    return () => follower.close();
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

class Follower {
  readonly #options: StreamOptions;
  readonly #show: (followed: Followed) => void;
  readonly #over = new AbortController();
  readonly #stream: LiveStream;
  #received = NOTHING_YET;
  /** The same after the last complete change. */
  #whole = NOTHING_YET;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #drawnAt = 0;
  /** A board whose earlier laps have not been read yet. */
  #without: LiveMessages['board'] | null = null;

  constructor(options: StreamOptions, show: (followed: Followed) => void) {
    this.#options = options;
    this.#show = show;
    this.#stream = new LiveStream(
      options,
      {
        message: (message, complete) => this.#take(message, complete),
        facts: (facts) => this.#change((followed) => ({ ...followed, facts })),
      },
      ports,
    );
    // After a sleep of the machine it catches up at once.
    const wake = (): void => {
      if (document.visibilityState === 'visible') this.#stream.wake();
    };
    const { signal } = this.#over;
    document.addEventListener('visibilitychange', wake, { signal });
    for (const type of ['pageshow', 'online']) addEventListener(type, wake, { signal });
  }

  close(): void {
    this.#stream.close();
    this.#over.abort();
    cancelAnimationFrame(this.#frame);
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #take(message: LiveMessage, complete: boolean): void {
    const { state, newest, facts } = this.#received;
    this.#received = { state: applyMessage(state, message), newest: newsOf(message) ?? newest, facts };
    if (complete) this.#whole = { ...this.#received, facts: this.#whole.facts };
    if (message.name === 'board') this.#without = message;
    if (message.name === 'board' || message.name === 'heartbeat') void this.#addEarlierLaps();
  }

  /** The stream begins with the board; earlier laps come from the list. If that fails, the next heartbeat retries. */
  async #addEarlierLaps(): Promise<void> {
    const board = this.#without;
    const trackLayoutId = board?.head.trackLayoutId ?? null;
    if (board === null || board.at === null || trackLayoutId === null) return;
    this.#without = null;
    try {
      const laps = await earlierLaps({ ...this.#options, trackLayoutId }, board.at, this.#over.signal);
      this.#change((followed) => ({ ...followed, state: withEarlierLaps(followed.state, laps) }));
    } catch {
      this.#without ??= board;
    }
  }

  #change(change: (followed: Followed) => Followed): void {
    this.#received = change(this.#received);
    this.#whole = change(this.#whole);
    this.#timer ??= setTimeout(() => this.#draw(), Math.max(0, this.#drawnAt + UPDATE_MS - performance.now()));
  }

  #draw(): void {
    this.#frame = requestAnimationFrame(() => {
      this.#timer = null;
      this.#drawnAt = performance.now();
      this.#show(this.#whole);
    });
  }
}

function newsOf(message: LiveMessage): News | null {
  if (message.name !== 'board' && message.name !== 'lap') return null;
  return { happened: message.at, cameAt: Date.now() };
}

/** Longest wait, in ms, that the service can ask for. */
const MOST_WAIT_MS = 60_000;

const ports: StreamPorts = {
  connect(url, names, handlers) {
    const source = new EventSource(url);
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
      const { status, headers } = await fetch(url, { method: 'HEAD' });
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
