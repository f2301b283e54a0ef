import { LIVE_NAMES, readMessage, type LiveMessage } from './messages.ts';
import { heard, heardHeartbeat, heardNews, NOTHING_HEARD, SILENCE_MS, type StreamFacts } from './status.ts';

/** Pauses, in ms, before the first retry, which doubles with each, and the longest. */
const FIRST_RETRY_MS = 1_000;
const MOST_RETRY_MS = 15_000;

/** Statuses of refusals that may be for the position alone: a board is easier to have. */
const MAY_BEGIN_ANEW: readonly number[] = [429, 503];

/** How often, in ms, a stream checks for silence. */
const WATCH_MS = 5_000;

/** Which board of an event: that of a layout (else the first), of all cars or those of a class. */
export interface BoardSelection {
  readonly eventId: string;
  readonly trackLayoutId?: string;
  readonly carClassId?: string;
}

/** The board that a viewer has chosen by the ids of a layout and a class; null: the first layout, all classes. */
export function boardOf(eventId: string, layout: string | null, carClass: string | null): BoardSelection {
  const board: { eventId: string; trackLayoutId?: string; carClassId?: string } = { eventId };
  if (layout !== null) board.trackLayoutId = layout;
  if (carClass !== null) board.carClassId = carClass;
  return board;
}

export interface StreamOptions extends BoardSelection {
  /** Seconds by which everything is delayed, also the end of a replay. */
  readonly delaySeconds: number;
  /** Replays the events from an instant (ISO 8601) on, at a multiple of the original speed. */
  readonly replay?: { readonly from: string; readonly speed: number } | undefined;
}

/** Receives what a stream says; `complete`: this is the last message of a change, so that the board is consistent. */
export interface StreamListener {
  readonly message: (message: LiveMessage, complete: boolean) => void;
  readonly facts: (facts: StreamFacts) => void;
}

export interface SourceHandlers {
  readonly opened: () => void;
  /** `id`: that of this event, else of the last event before it that had one, else ''. */
  readonly message: (name: string, data: string, id: string) => void;
  /** `gaveUp`: it does not reconnect by itself. */
  readonly failed: (gaveUp: boolean) => void;
}

export interface Refusal {
  readonly status: number;
  /** How long, in ms, the service asks to wait. */
  readonly retryAfterMs: number;
}

export interface StreamPorts {
  /** Opens a connection as browsers have it (EventSource): it reconnects by itself, until it gives up. */
  readonly connect: (url: string, names: readonly string[], handlers: SourceHandlers) => { close(): void };
  /** Asks why a connection was refused; null: it would now be accepted, or nobody answers. */
  readonly whyRefused: (url: string) => Promise<Refusal | null>;
  readonly now: () => number;
  /** A number from 0 to 1. */
  readonly random: () => number;
  readonly later: (ms: number, run: () => void) => () => void;
}

export function streamUrl(options: StreamOptions, after: string | null): string {
  const { eventId, delaySeconds, replay, ...selection } = options;
  const query = new URLSearchParams({ ...selection });
  if (replay !== undefined) {
    query.set('from', replay.from);
    query.set('speed', String(replay.speed));
  }
  if (delaySeconds > 0) query.set('delaySeconds', String(delaySeconds));
  if (after !== null) query.set('after', after);
  const text = query.toString();
  return `/api/v1/events/${encodeURIComponent(eventId)}/live${text === '' ? '' : `?${text}`}`;
}

/** Follows the live stream of an event until it is closed; after any interruption it resumes at the last message. */
export class LiveStream {
  readonly #options: StreamOptions;
  readonly #listener: StreamListener;
  readonly #ports: StreamPorts;
  #facts = NOTHING_HEARD;
  #source: ReturnType<StreamPorts['connect']> | null = null;
  /** The position of the last complete change. */
  #after: string | null = null;
  #triedAt = 0;
  #failures = 0;
  #cancelRetry: (() => void) | null = null;
  #cancelWatch: (() => void) | null = null;

  constructor(options: StreamOptions, listener: StreamListener, ports: StreamPorts) {
    this.#options = options;
    this.#listener = listener;
    this.#ports = ports;
    this.#open();
    this.#watch();
  }

  close(): void {
    this.#leave();
    this.#cancelWatch?.();
    this.#facts = { ...this.#facts, phase: 'closed' };
  }

  /** Reconnects at once if the stream is silent or waiting: the page is visible again, or the network is back. */
  wake(): void {
    const { phase } = this.#facts;
    if (phase === 'waiting' || phase === 'refused' || (phase !== 'closed' && phase !== 'missing' && this.#isSilent()))
      this.#open();
  }

  #open(): void {
    this.#leave();
    this.#triedAt = this.#ports.now();
    const url = streamUrl(this.#options, this.#after);
    this.#source = this.#ports.connect(url, LIVE_NAMES, {
      opened: () => this.#tell(heard(this.#facts, this.#ports.now())),
      message: (name, data, id) => this.#hear(name, data, id),
      failed: (gaveUp) => {
        // A board that was refused is refused until it is open.
        const next = this.#facts.heardAt === null ? 'connecting' : 'waiting';
        this.#tell({ ...this.#facts, phase: this.#facts.phase === 'refused' ? 'refused' : next });
        if (gaveUp) void this.#refused(url);
      },
    });
  }

  #leave(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = null;
    this.#source?.close();
    this.#source = null;
  }

  #hear(name: string, data: string, id: string): void {
    const message = readMessage(name, data);
    if (message === null) return;
    this.#failures = 0;
    const complete = id !== '' && id !== this.#after;
    if (complete) this.#after = id;
    this.#listener.message(message, complete);
    this.#tell(this.#factsAfter(message));
  }

  #factsAfter(message: LiveMessage): StreamFacts {
    const now = this.#ports.now();
    if (message.name === 'heartbeat') return heardHeartbeat(this.#facts, message, now);
    if (message.name !== 'lap' || this.#options.replay !== undefined) return heard(this.#facts, now);
    return heardNews(this.#facts, message.at, this.#options.delaySeconds, now);
  }

  /** The browser has given up: the service answered, but not with a stream. */
  async #refused(url: string): Promise<void> {
    const source = this.#source;
    const refusal = await this.#ports.whyRefused(url);
    // Meanwhile the stream was closed, or opened again.
    if (this.#source !== source || source === null) return;
    if (refusal?.status === 404) {
      this.#leave();
      this.#tell({ ...this.#facts, phase: 'missing' });
      return;
    }
    // A service with another history does not know the position: start again with its board.
    if (refusal?.status === 400 && this.#after !== null) this.#after = null;
    else if (refusal?.status === 400) this.#tell({ ...this.#facts, phase: 'refused' });
    // Too much may have been missed to be sent now, and the page needs no more than the board.
    const isRefusedAgain = refusal !== null && MAY_BEGIN_ANEW.includes(refusal.status) && this.#failures > 0;
    if (isRefusedAgain && this.#options.replay === undefined) this.#after = null;
    const wait = Math.min(FIRST_RETRY_MS * 2 ** this.#failures, MOST_RETRY_MS) * (0.5 + this.#ports.random() / 2);
    this.#failures += 1;
    this.#cancelRetry = this.#ports.later(Math.max(wait, refusal?.retryAfterMs ?? 0), () => this.#open());
  }

  #isSilent(): boolean {
    return this.#ports.now() - Math.max(this.#facts.heardAt ?? 0, this.#triedAt) > SILENCE_MS;
  }

  #watch(): void {
    this.#cancelWatch = this.#ports.later(WATCH_MS, () => {
      if (this.#facts.phase !== 'missing' && this.#cancelRetry === null && this.#isSilent()) this.#open();
      this.#watch();
    });
  }

  #tell(facts: StreamFacts): void {
    if (this.#facts.phase === 'closed') return;
    this.#facts = facts;
    this.#listener.facts(facts);
  }
}
