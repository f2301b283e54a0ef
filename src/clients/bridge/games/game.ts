import type { DetectionRules } from '../laps/lap-detector.ts';
import type { Observation } from '../laps/observations.ts';

/** What a game says in one packet or segment. */
export interface Reading {
  /** In the order in which they happened. */
  readonly observations: readonly Observation[];
  /** Why it was not read; null: it was. */
  readonly refused: string | null;
}

/** Reads what one game sends: it knows what its packets mean, and in which session they are. */
export interface GameReader {
  /** The name that plans have for what the game sends. */
  readonly format: string;
  readonly rules: DetectionRules;
  /** Whether sessions have the ids of the game itself; if not, they are counted since the start of the reader. */
  readonly hasSessionIds: boolean;
  /** `at`: when it came, in ms since the start. */
  read(payload: Uint8Array, at: number): Reading;
}

/** A reading of something that is no packet of the game. */
export function refusedReading(reason: string): Reading {
  return { observations: [], refused: reason };
}

/** How long, in ms, a count has to stay below what it was before it is believed. */
const FALL_MS = 250;
const FALL_PACKETS = 2;

/**
 * Tells a count that begins again from a late packet, for games whose packets have no numbers: a fall is believed when
 * several packets in a row show it.
 */
export class CountGuard {
  #count: number | null = null;
  #fallenSince: number | null = null;
  #fallenPackets = 0;

  /** Whether a count goes on, begins again, or cannot be told yet. */
  check(count: number, at: number): 'goes-on' | 'begins-again' | 'unclear' {
    if (this.#count === null || count >= this.#count) {
      this.#accept(count);
      return 'goes-on';
    }
    this.#fallenSince ??= at;
    this.#fallenPackets += 1;
    if (this.#fallenPackets < FALL_PACKETS || at - this.#fallenSince < FALL_MS) return 'unclear';
    this.#accept(count);
    return 'begins-again';
  }

  #accept(count: number): void {
    this.#count = count;
    this.#fallenSince = null;
    this.#fallenPackets = 0;
  }
}
