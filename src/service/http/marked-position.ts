import type { Position } from '../../kernel/ports/event-store.ts';

/**
 * A position of the log as clients keep it, with a mark of the change that is there: after an older backup was restored,
 * another change comes to have the same position.
 */
export interface MarkedPosition {
  readonly position: Position;
  /** Null: it is not known of which history the position is. */
  readonly mark: string | null;
}

/** A position, and its mark after a dash. */
export const MARKED_POSITION = /^(\d{1,16})(?:-([0-9a-z]{1,13}))?$/;

/** Parses a position with a mark or without; null when the text is neither. */
export function parseMarkedPosition(text: string): MarkedPosition | null {
  const [, digits, mark = null] = MARKED_POSITION.exec(text) ?? [];
  const position = Number(digits ?? NaN);
  return Number.isSafeInteger(position) ? { position, mark } : null;
}

export function formatMarkedPosition({ position, mark }: MarkedPosition): string {
  return mark === null ? String(position) : `${position}-${mark}`;
}
