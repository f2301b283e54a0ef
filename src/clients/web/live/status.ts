/** A stream that is silent for so long, in ms, is broken: its heartbeats come every 15 s. */
export const SILENCE_MS = 20_000;

/** Delay, in ms, from which news counts as late. */
const LATE_MS = 2_000;

/** After late news and then silence for so long, in ms, a page has caught up: everything was sent. */
const CAUGHT_UP_MS = 3_000;

/** Number of heartbeats from which the difference of the clocks is computed. */
const HEARTBEATS = 8;

/** Facts about a stream; instants are ms of the page's clock. */
export interface StreamFacts {
  /**
   * State of the connection; `missing`: there is no such event; `refused`: the event has no such board; `waiting`: for the
   * next attempt.
   */
  readonly phase: 'connecting' | 'open' | 'waiting' | 'missing' | 'refused' | 'closed';
  /** When something last arrived; null: never. */
  readonly heardAt: number | null;
  /** How far, in ms, the page's clock was ahead of the last heartbeats: the smallest value was the least delayed. */
  readonly clockDifferences: readonly number[];
  /** How late, in ms, the last news was, and until when that is still informative. */
  readonly lateness: { readonly ms: number; readonly until: number } | null;
}

export const NOTHING_HEARD: StreamFacts = { phase: 'connecting', heardAt: null, clockDifferences: [], lateness: null };

export type Status =
  | { readonly kind: 'live' | 'connecting' | 'missing' }
  /** The page shows the state of so many seconds ago. */
  | { readonly kind: 'behind'; readonly seconds: number }
  /** There is no connection; nothing has arrived for so many seconds. */
  | { readonly kind: 'reconnecting'; readonly seconds: number };

/** How current a page is at an instant, in ms of its clock. */
export function statusAt({ phase, heardAt, lateness }: StreamFacts, now: number): Status {
  if (phase === 'missing') return { kind: 'missing' };
  if (heardAt === null) return { kind: 'connecting' };
  const silence = Math.max(0, now - heardAt);
  if (phase !== 'open' || silence > SILENCE_MS) return { kind: 'reconnecting', seconds: inSeconds(silence) };
  if (lateness === null || lateness.ms < LATE_MS || now > lateness.until) return { kind: 'live' };
  return { kind: 'behind', seconds: inSeconds(lateness.ms) };
}

function inSeconds(ms: number): number {
  return Math.round(ms / 1_000);
}

export function heard(facts: StreamFacts, now: number): StreamFacts {
  return { ...facts, phase: 'open', heardAt: now };
}

/** A heartbeat arrived, with the service's time, and how far, in ms, the service is behind. */
export function heardHeartbeat(
  facts: StreamFacts,
  { now: serverNow, behindMs }: { readonly now: string; readonly behindMs: number },
  now: number,
): StreamFacts {
  const clockDifferences = [...facts.clockDifferences, now - Date.parse(serverNow)].slice(-HEARTBEATS);
  const late = now - Date.parse(serverNow) - Math.min(...clockDifferences);
  return { ...heard(facts, now), clockDifferences, lateness: { ms: behindMs + late, until: now + SILENCE_MS } };
}

/** News arrived of something that happened at an instant (ISO 8601), to be shown after the chosen delay. */
export function heardNews(facts: StreamFacts, happened: string, delaySeconds: number, now: number): StreamFacts {
  if (facts.clockDifferences.length === 0) return heard(facts, now);
  const serverNow = now - Math.min(...facts.clockDifferences);
  const ms = serverNow - Date.parse(happened) - delaySeconds * 1_000;
  return { ...heard(facts, now), lateness: { ms, until: now + CAUGHT_UP_MS } };
}

/** The moment that a live board shows, in ms of the service's clock; `now`: ms of the page's. */
export function presentOf({ clockDifferences }: StreamFacts, delaySeconds: number, now: number): number {
  const ahead = clockDifferences.length === 0 ? 0 : Math.min(...clockDifferences);
  return now - ahead - delaySeconds * 1_000;
}
