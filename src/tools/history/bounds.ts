import type { EventStore, Position, RecordedEvent } from '../../kernel/ports/event-store.ts';

/** A point of the history: a position, or a time (ISO 8601 in UTC with milliseconds, as events have it). */
export type Bound =
  { readonly kind: 'position'; readonly position: Position } | { readonly kind: 'time'; readonly at: string };

/**
 * A point of the history as people name it: a bound, or the id of an event. After an older backup was restored, a position
 * has another event than before, but an id never does.
 */
export type Point = Bound | { readonly kind: 'event'; readonly id: string };

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** A date, or date and time; without an offset it is UTC. */
const ISO_8601 = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;
const HAS_OFFSET = /(Z|[+-]\d\d:\d\d)$/;

/** Parses a position, a time or the id of an event; null when the text is none of them. */
export function parsePoint(text: string): Point | null {
  return UUID.test(text) ? { kind: 'event', id: text.toLowerCase() } : parseBound(text);
}

/**
 * The bound that a point names: for the id of an event, its position, for which the history is read.
 * @throws {UnknownPoint} when the history has no such event.
 * @throws {StoreUnavailable}
 */
export async function resolvePoint(
  point: Point | null,
  store: Pick<EventStore, 'readAll'>,
  signal: AbortSignal,
): Promise<Bound | null> {
  if (point?.kind !== 'event') return point;
  for await (const events of store.readAll(null)) {
    signal.throwIfAborted();
    const named = events.find((event) => event.id === point.id);
    if (named !== undefined) return { kind: 'position', position: named.position };
  }
  throw new UnknownPoint(point.id);
}

/** Thrown when a history does not have the event that was named. */
export class UnknownPoint extends Error {
  override readonly name = 'UnknownPoint';

  constructor(id: string) {
    super(`this history has no event ${id}: it is of another history, or of one that was lost to an older backup`);
  }
}

/** Parses a position or a time; null when the text is neither. */
export function parseBound(text: string): Bound | null {
  if (/^\d{1,16}$/.test(text)) {
    const position = Number(text);
    return Number.isSafeInteger(position) ? { kind: 'position', position } : null;
  }
  if (!ISO_8601.test(text)) return null;
  const date = new Date(!text.includes('T') || HAS_OFFSET.test(text) ? text : `${text}Z`);
  return Number.isNaN(date.getTime()) ? null : { kind: 'time', at: date.toISOString() };
}

export function formatBound(bound: Bound): string {
  return bound.kind === 'position' ? String(bound.position) : bound.at;
}

/** Whether documents made up to one bound (null: none) can be continued to another. */
export function canContinueTo(before: Bound | null, next: Bound | null): boolean {
  if (before === null || next === null) return next === null;
  if (before.kind === 'time') return next.kind === 'time' && next.at >= before.at;
  return next.kind === 'position' && next.position >= before.position;
}

/** The events up to a bound; all of them where there is none (null). */
export function within(events: readonly RecordedEvent[], bound: Bound | null): readonly RecordedEvent[] {
  const end = bound === null ? -1 : events.findIndex((event) => isAfter(event, bound));
  return end < 0 ? events : events.slice(0, end);
}

/** Whether an event lies after the bound; false for one at it. */
export function isAfter({ position, metadata }: RecordedEvent, bound: Bound): boolean {
  return bound.kind === 'position' ? position > bound.position : metadata.occurredAt > bound.at;
}
