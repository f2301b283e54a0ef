import type { lapEvents } from '../../../commands/laps.ts';
import type { Lap } from '../../../projections/leaderboards/best-laps.ts';
import type { LapFacts } from '../../../projections/laps.ts';
import type { Position } from '../kernel/ports/event-store.ts';

/** What all changes of a racing event have. */
interface ChangeBase {
  readonly position: Position;
  /** When it happened, epoch ms. */
  readonly at: number;
}

/** A lap that was recorded, changed, or moved to or from the racing event. */
export interface LapChange extends ChangeBase {
  readonly kind: 'lap';
  readonly cause: keyof typeof lapEvents;
  /** One object for all changes of a lap, so that it is a key, too. */
  readonly lap: Lap;
  /** What it was; null: it was just recorded. */
  readonly before: LapFacts | null;
  readonly after: LapFacts;
}

/** A participant has another name. */
export interface RenameChange extends ChangeBase {
  readonly kind: 'rename';
  readonly participantId: string;
}

/**
 * The racing event has another name or other layouts, or a car or layout another name; or a car another class: boards are to
 * be made anew.
 */
export interface BoardChange extends ChangeBase {
  readonly kind: 'event' | 'class';
}

/** A change that boards of one racing event may show. */
export type Change = LapChange | RenameChange | BoardChange;
