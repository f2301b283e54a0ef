import type { SessionKind } from '../../results/plan.ts';

/** A session of a game. */
export interface Session {
  /** The game's own id, or the start; unique in all that one bridge sees. */
  readonly id: string;
  readonly kind: SessionKind;
  /** The game's own word for the session. */
  readonly name: string | null;
  /** What the game calls the track: the `simulatorIdentifier` of a mapping. */
  readonly track: string | null;
  /** The layout, in games that name it apart from the track. */
  readonly layout: string | null;
}

/** Whoever drives a car, and which car it is, as far as they are known. */
export interface Entrant {
  readonly driver: string | null;
  readonly driverId: string | null;
  /** What the game calls the car: the `simulatorIdentifier` of a mapping. */
  readonly model: string | null;
}

/** What a game says of a lap besides its time. Times are in ms; what it does not say is null. */
export interface LapFacts {
  readonly sectors: readonly (number | null)[] | null;
  readonly valid: boolean | null;
  readonly isOut: boolean;
}

/** The state of a car at a moment. */
export interface CarState {
  readonly kind: 'car';
  /** The car, unique in its session. */
  readonly car: string;
  /** Whoever drives it: a key of `EntrantSeen`. */
  readonly entrant: string;
  /** Whoever drove the last lap; null: the game does not say. */
  readonly lastEntrant: string | null;
  /** Laps that are completed, by the game's count. */
  readonly lapsDone: number;
  readonly lastLapMs: number | null;
  /** What the game says of the lap that is driven, so far. */
  readonly running: LapFacts;
  /** What it says of the last lap; null: it says nothing, and what was said of it while it was driven counts. */
  readonly last: LapFacts | null;
  /** Time since the start of the session, in ms, at which the lap that is driven began; null: not known. */
  readonly lapStartMs: number | null;
}

/** Who drives a car: may come before or after the laps. */
export interface EntrantSeen {
  readonly kind: 'entrant';
  readonly key: string;
  readonly entrant: Entrant;
}

/** A lap that the game itself announces as completed. */
export interface AnnouncedLap {
  readonly kind: 'announced-lap';
  readonly car: string;
  readonly entrant: string;
  /** The game's number; null: laps are counted. */
  readonly lap: number | null;
  readonly ms: number | null;
  readonly facts: LapFacts;
}

/** Completed laps of a car, as the game remembers them. */
export interface LapHistory {
  readonly kind: 'history';
  readonly car: string;
  /** Whether laps count whose end was not seen otherwise; if not, the history only says more of those that were. */
  readonly isComplete: boolean;
  readonly laps: readonly RememberedLap[];
}

/** A lap that a game remembers. */
export interface RememberedLap {
  readonly lap: number;
  readonly ms: number;
  readonly sectors: readonly (number | null)[] | null;
  readonly valid: boolean | null;
}

/** What a detector of laps learns of a game, in the order in which the game says it. */
export type Observation =
  | { readonly kind: 'session'; readonly session: Session }
  /** A session whose track, kind or name has become known, under the same id. */
  | { readonly kind: 'session-details'; readonly session: Session }
  | CarState
  | EntrantSeen
  | AnnouncedLap
  | LapHistory
  /** All cars go back to a time of the session: laps that ended later are taken back. */
  | { readonly kind: 'flashback'; readonly toMs: number }
  /** A car begins anew: its count of laps starts again. */
  | { readonly kind: 'car-reset'; readonly car: string }
  | { readonly kind: 'note'; readonly text: string };

/** A completed lap. */
export interface DetectedLap extends LapFacts, Entrant {
  /** Unique and the same however often the game is read: session, car and lap number, and how often it was driven. */
  readonly id: string;
  readonly session: Session;
  readonly car: string;
  readonly lap: number;
  readonly ms: number;
  /** When the packet came that completed it, in ms since the start of the bridge. */
  readonly completedAt: number;
}

/** What a detector finds. */
export type Finding =
  | { readonly kind: 'lap'; readonly lap: DetectedLap }
  /** More has become known of a lap that was found before, under the same id. */
  | { readonly kind: 'corrected'; readonly lap: DetectedLap }
  /** A lap that was found before does not count: the driver has gone back before its end. */
  | { readonly kind: 'taken-back'; readonly lap: DetectedLap }
  | { readonly kind: 'note'; readonly text: string };
