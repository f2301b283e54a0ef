import type { lapEvents } from '../../../commands/laps.ts';
import type { Lap } from '../../../projections/leaderboards/best-laps.ts';
import type { LapFacts } from '../../../projections/laps.ts';
import { idOf } from '../kernel/aggregate/decider.ts';
import type { Position, RecordedEvent } from '../kernel/ports/event-store.ts';
import { MINIMUM_CHANGES } from './minimum.ts';

/** What all changes of a racing event have. */
interface ChangeBase {
  readonly position: Position;
  /** When it happened, epoch ms. */
  readonly at: number;
}

/** A lap was recorded, changed, or moved to or from the racing event. */
export interface LapChange extends ChangeBase {
  readonly kind: 'lap';
  readonly cause: keyof typeof lapEvents;
  /** The same object in all changes of a lap: it serves as a key. */
  readonly lap: Lap;
  /** Null: the lap was just recorded. */
  readonly before: LapFacts | null;
  readonly after: LapFacts;
  /** The next change of the lap; null: there is none yet. */
  next: LapChange | null;
}

export interface RenameChange extends ChangeBase {
  readonly kind: 'rename';
  readonly participantId: string;
}

/** A maker of cars has another name. */
interface BrandChange extends ChangeBase {
  readonly kind: 'brand';
  readonly carBrandId: string;
}

/** Boards must be made anew: their names, layouts or makers (`event`), classes of cars, or least lap times changed. */
export interface BoardChange extends ChangeBase {
  readonly kind: 'event' | 'class' | 'minimum';
}

export type Change = LapChange | RenameChange | BrandChange | BoardChange;

/** The change that an event makes which is not of a lap. */
export function changeOf(event: RecordedEvent): Exclude<Change, LapChange> {
  const moment = momentOf(event);
  if (event.type === 'ParticipantRenamed') return { kind: 'rename', ...moment, participantId: idOf(event.stream) };
  if (event.type === 'CarBrandRenamed') return { kind: 'brand', ...moment, carBrandId: idOf(event.stream) };
  if (MINIMUM_CHANGES.includes(event.type)) return { kind: 'minimum', ...moment };
  return { kind: event.type === 'CarMovedToClass' ? 'class' : 'event', ...moment };
}

export function momentOf({ position, metadata }: RecordedEvent): ChangeBase {
  return { position, at: Date.parse(metadata.occurredAt) };
}
