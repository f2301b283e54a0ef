import { categoryOf } from '../aggregate/aggregate.ts';
import { RETRIED, type Parked } from './dead-letters.ts';
import type { Delivery, Position, RecordedEvent } from '../ports/event-store.ts';
import { Parking } from './parking.ts';
import { dispatch, handlersByType, type PoisonEvent } from './dispatch.ts';
import type { Projection } from './projection.ts';
import type { ReadModels } from '../ports/read-store.ts';
import { createUnitOfWork } from './unit-of-work.ts';

/** What a group is made of. */
export interface GroupOptions {
  readonly models: Pick<ReadModels, 'get' | 'apply'>;
  readonly projections: readonly Projection[];
  /**
   * Where the dead letters of the group are, among its documents: an event that cannot be digested parks its stream.
   * Unset: it stops the group.
   */
  readonly letters?: Pick<ReadModels, 'stream' | 'checkpoint'>;
  /** Told of each event that is parked. */
  readonly onParked?: (parked: Parked) => void;
  /**
   * Looks out for events of types that a later release has written, which there are no handlers for; unset: only the
   * types that have handlers are read.
   */
  readonly unknown?: UnknownTypes;
}

/** Looks out for types of events that this release does not know. */
export interface UnknownTypes {
  readonly known: ReadonlySet<string>;
  /** Told of each event of another type in a stream of one of the group's read models. It is passed over. */
  readonly onUnknown: (event: RecordedEvent) => void;
}

/** What was taken of a delivery: all of it, or what came before a poison event that there is nowhere to park. */
export interface Projected {
  readonly events: readonly RecordedEvent[];
  /** The checkpoint; null when nothing was taken. */
  readonly upTo: Position | null;
  readonly poison: PoisonEvent | null;
}

/** What becomes of the events of one group. */
export interface Group {
  /** Null: all. */
  readonly types: readonly string[] | null;
  /** Forgets all that is not written. */
  readonly start: (checkpoint: Position | null) => Promise<void>;
  /** Takes what can be digested, and commits it. */
  readonly take: (delivery: Delivery) => Promise<Projected>;
}

/** Makes a group of its projections. */
export function createGroup({ models, projections, letters, onParked, unknown }: GroupOptions): Group {
  const handlers = handlersByType(projections);
  const unit = createUnitOfWork(models);
  const parking = letters === undefined ? null : new Parking({ handlers, unit, letters, onParked });
  const types = new Set([...handlers.keys(), ...(parking === null ? [] : [RETRIED])]);
  const passOver = unknown === undefined ? null : passingOver(unknown, projections);
  return {
    types: passOver === null ? [...types] : null,
    async start(checkpoint) {
      unit.reset();
      await parking?.load(checkpoint);
    },
    async take({ events: delivered, upTo }) {
      const events = passOver === null ? delivered : delivered.filter((event) => types.has(event.type));
      if (passOver !== null && events.length < delivered.length) passOver(delivered);
      if (parking !== null) {
        await parking.take(events);
        await unit.commit(upTo);
        parking.committed(upTo);
        return { events, upTo, poison: null };
      }
      const poison = await dispatch(events, { handlers, unit });
      const good = poison === null ? events : events.slice(0, events.indexOf(poison.event));
      const reached = poison === null ? upTo : (good.at(-1)?.position ?? null);
      if (reached !== null) await unit.commit(reached);
      return { events: good, upTo: reached, poison };
    },
  };
}

function passingOver({ known, onUnknown }: UnknownTypes, projections: readonly Projection[]) {
  const categories = new Set(projections.map(({ model }) => model.category));
  return (events: readonly RecordedEvent[]): void => {
    for (const event of events) {
      if (!known.has(event.type) && categories.has(categoryOf(event.stream))) onUnknown(event);
    }
  };
}
