import { idOf, streamOf } from '../aggregate/decider.ts';
import { StoreUnavailable } from '../ports/errors.ts';
import type { Position, RecordedEvent } from '../ports/event-store.ts';
import { UnknownEvent, upcast } from '../event-types.ts';
import type { JsonObject } from '../json.ts';
import type { Effect, Effects, Project, Projection } from './projection.ts';
import type { Change } from '../ports/read-store.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** Poison event: an event that a handler could not project. It is never skipped: the group parks it or stops. */
export class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent';
  readonly event: RecordedEvent;
  /** Collection of the read model whose projection failed; null when it was none. */
  readonly collection: string | null;

  constructor(event: RecordedEvent, collection: string | null, cause: unknown) {
    super(`${event.type} at position ${event.position} of ${event.stream} could not be projected`, { cause });
    this.event = event;
    this.collection = collection;
  }
}

/** One projection's handler of one type of event. */
export interface Handler {
  readonly projection: Projection;
  readonly run: Project<JsonObject>;
}

/** The handlers of a group by event type, those of one type in the order of the projections. */
export function handlersByType(projections: readonly Projection[]): ReadonlyMap<string, readonly Handler[]> {
  const byType = new Map<string, Handler[]>();
  for (const projection of projections) {
    for (const [type, run] of projection.on) {
      const handlers = byType.get(type);
      if (handlers === undefined) byType.set(type, [{ projection, run }]);
      else handlers.push({ projection, run });
    }
  }
  return byType;
}

/** Options of `dispatch`. */
export interface DispatchOptions {
  readonly handlers: ReadonlyMap<string, readonly Handler[]>;
  readonly unit: UnitOfWork;
  /** Whether an event without a handler is poison too, as nobody can tell what it means. */
  readonly complete?: boolean;
  /** Called with each change of an event before any of them is added; when it throws, the event is poison. */
  readonly check?: (change: Change) => Promise<void>;
  /** The position that changes are made at: that of a retry, say. Default: that of each event. */
  readonly position?: Position;
}

/**
 * Adds the changes of events to the unit of work, in order, up to the first event that a handler cannot project: that
 * one is returned, and none of its changes added.
 * @throws {StoreUnavailable} when a look-up fails because the store is unavailable
 */
export async function dispatch(
  events: readonly RecordedEvent[],
  options: DispatchOptions,
): Promise<PoisonEvent | null> {
  const at: Trace = { collection: null };
  for (const event of events) {
    try {
      for (const change of await changesOf(event, options, at)) options.unit.add(change);
    } catch (error) {
      if (error instanceof StoreUnavailable && !(error instanceof UnknownEvent)) throw error;
      return new PoisonEvent(event, at.collection, error);
    }
  }
  return null;
}

/** The read model that an event is projected into at present. */
interface Trace {
  collection: string | null;
}

/** The changes of an event: every handler sees the documents as they were before it. */
async function changesOf(
  event: RecordedEvent,
  { handlers, unit, complete = false, check, position }: DispatchOptions,
  at: Trace,
): Promise<readonly Change[]> {
  const { stream, metadata } = event;
  const id = idOf(stream);
  const changes: Change[] = [];
  const own = handlers.get(event.type);
  at.collection = null;
  if (own === undefined && complete) throw new UnknownEvent(event);
  for (const { projection, run } of own ?? []) {
    at.collection = projection.model.collection;
    const data = upcast(projection.events, event);
    const result = run({ data, id, at: metadata.occurredAt, recorded: event }, unit.look, unit.find);
    const effects = result instanceof Promise ? await result : result;
    for (const effect of isList(effects) ? effects : [effects]) {
      const change = toChange(effect, projection, { event, position });
      if (change !== null) changes.push(change);
    }
  }
  if (check === undefined) return changes;
  for (const change of changes) {
    at.collection = change.collection;
    await check(change);
  }
  return changes;
}

/** `Array.isArray` for read-only arrays, which it does not narrow. */
function isList(effects: Effects): effects is readonly Effect[] {
  return Array.isArray(effects);
}

/**
 * Converts an effect to a change. An event of the document's own stream advances its revision even when nothing else
 * changes.
 */
function toChange(
  result: Effect | null,
  { model: { collection, category } }: Projection,
  { event, position = event.position }: { readonly event: RecordedEvent; readonly position: Position | undefined },
): Change | null {
  const { stream, revision } = event;
  const effect =
    result ??
    (stream.startsWith(streamOf(category, '')) ? ({ kind: 'set', id: idOf(stream), fields: {} } as const) : null);
  if (effect === null) return null;
  if (effect.kind === 'setWhere') return { ...effect, collection, position };
  const own = stream === streamOf(category, effect.id) ? { revision } : {};
  if (effect.kind !== 'insert') return { ...effect, collection, position, ...own };
  const bookkeeping = { _created: event.position, _position: position, _revision: own.revision ?? 0 };
  return { kind: 'insert', collection, document: { id: effect.id, ...effect.fields, ...bookkeeping } };
}
