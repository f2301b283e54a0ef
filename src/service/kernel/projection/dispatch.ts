import { categoryOf, idOf } from '../aggregate/decider.ts';
import { StoreUnavailable } from '../ports/errors.ts';
import type { Position, RecordedEvent } from '../ports/event-store.ts';
import { UnknownEvent, upcast } from '../event-types.ts';
import type { JsonObject } from '../json.ts';
import type { Effect, Effects, Project, Projection, ProjectionEvent } from './projection.ts';
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

/**
 * The handlers of a group by event type, in the order of the projections.
 * @throws {TypeError} when projections declare a type differently: one of them would get data that it does not expect.
 */
export function handlersByType(projections: readonly Projection[]): ReadonlyMap<string, readonly Handler[]> {
  const byType = new Map<string, Handler[]>();
  for (const projection of projections) {
    for (const [type, run] of projection.on) {
      const handlers = byType.get(type);
      if (handlers === undefined) byType.set(type, [{ projection, run }]);
      else if (handlers.every((other) => other.projection.events[type] === projection.events[type])) {
        handlers.push({ projection, run });
      } else throw new TypeError(`projections of one group declare ${type} differently`);
    }
  }
  return byType;
}

/** Options of `dispatch`. */
export interface DispatchOptions {
  readonly handlers: ReadonlyMap<string, readonly Handler[]>;
  readonly unit: UnitOfWork;
  /** Categories of streams in which an event without a handler is poison too: its meaning is unknown. */
  readonly complete?: readonly string[];
  /** Called with each change of an event before any of them is added; when it throws, the event is poison. */
  readonly check?: (change: Change) => Promise<void>;
  /** The position of the changes, such as that of a retry; by default the position of each event. */
  readonly position?: Position;
}

/**
 * Adds the changes of events to the unit of work, in order, up to the first event that a handler cannot project, which
 * is returned without any of its changes added. Every handler sees the documents as they were before its event.
 * @throws {StoreUnavailable} when a look-up fails because the store is unavailable
 */
export async function dispatch(
  events: readonly RecordedEvent[],
  options: DispatchOptions,
): Promise<PoisonEvent | null> {
  const trace: Trace = { collection: null };
  for (const event of events) {
    try {
      options.unit.add(...(await changesOf(event, options, trace)));
    } catch (error) {
      if (error instanceof StoreUnavailable && !(error instanceof UnknownEvent)) throw error;
      return new PoisonEvent(event, trace.collection, error);
    }
  }
  return null;
}

/** The collection that an event is being projected into. */
interface Trace {
  collection: string | null;
}

async function changesOf(
  event: RecordedEvent,
  { handlers, unit, complete, check, position }: DispatchOptions,
  trace: Trace,
): Promise<readonly Change[]> {
  const own = handlers.get(event.type) ?? [];
  const changes: Change[] = [];
  let projected: ProjectionEvent<JsonObject> | null = null;
  trace.collection = null;
  if (own.length === 0 && complete?.includes(categoryOf(event.stream)) === true) throw new UnknownEvent(event);
  for (const { projection, run } of own) {
    trace.collection = projection.model.collection;
    projected ??= projectionEventOf(event, projection);
    const result = run(projected, unit.lookup, unit.find);
    addChanges(changes, result instanceof Promise ? await result : result, { projection, event, position });
  }
  if (check === undefined) return changes;
  for (const change of changes) {
    trace.collection = change.collection;
    await check(change);
  }
  return changes;
}

/** An event in the newest version of its type, which all projections of a group declare alike. */
function projectionEventOf(event: RecordedEvent, { events }: Projection): ProjectionEvent<JsonObject> {
  const isNewest = events[event.type]?.version === event.metadata.version;
  return {
    data: isNewest ? event.data : upcast(events, event),
    id: idOf(event.stream),
    at: event.metadata.occurredAt,
    recorded: event,
  };
}

/** The source of effects, and their position if it differs from the event's. */
interface EffectSource {
  readonly projection: Projection;
  readonly event: RecordedEvent;
  readonly position: Position | undefined;
}

/**
 * Turns effects into changes. An event of the document's own stream advances its revision even when nothing else
 * changes.
 */
function addChanges(
  changes: Change[],
  effects: Effects,
  { projection: { model }, event, position = event.position }: EffectSource,
): void {
  const { collection, category } = model;
  const { stream, revision } = event;
  const ownId = stream.startsWith(`${category}-`) ? stream.slice(category.length + 1) : null;
  const given: readonly Effect[] | Effect = effects ?? (ownId === null ? [] : { kind: 'set', id: ownId, fields: {} });
  for (const effect of 'kind' in given ? [given] : given) {
    // Field by field: V8 spreads slowly.
    if (effect.kind === 'setWhere') {
      const { kind, field, value, fields } = effect;
      changes.push({ kind, collection, position, field, value, fields });
      continue;
    }
    const { id } = effect;
    const own = id === ownId ? revision : undefined;
    if (effect.kind === 'insert') {
      const bookkeeping = { _created: event.position, _position: position, _revision: own ?? 0 };
      // Fields of an event may have these names.
      const document = Object.assign({ id, _created: 0, _position: 0, _revision: 0, ...effect.fields }, bookkeeping);
      changes.push({ kind: 'insert', collection, document });
    } else if (effect.kind === 'set') {
      changes.push({ kind: 'set', collection, position, id, fields: effect.fields, revision: own });
    } else changes.push({ kind: 'unset', collection, position, id, fields: effect.fields, revision: own });
  }
}
