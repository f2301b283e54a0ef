import { expect } from 'chai';
import { givenHistory, minute, type HistoryEvent } from '../kernel/projecting.ts';
import { idOf } from '../../../src/service/kernel/aggregate/decider.ts';
import type { DataOf, EventTypes } from '../../../src/service/kernel/event-types.ts';
import type { JsonObject } from '../../../src/service/kernel/json.ts';
import type { Fields, Projection, ReadModel } from '../../../src/service/kernel/projection/projection.ts';
import type { Document } from '../../../src/service/kernel/ports/read-store.ts';

/** For each event type but the one that creates: such an event's data, and the fields that show it afterwards. */
type Changes<D, T extends EventTypes, Created extends keyof T> = {
  readonly [K in Exclude<keyof T & string, Created>]: {
    readonly data: DataOf<T[K]>;
    readonly shows: Partial<Fields<D>>;
  };
};

interface Life<D extends Document, T extends EventTypes, Created extends keyof T> {
  readonly projections: readonly Projection[];
  readonly model: ReadModel<D>;
  /** A history with the event that creates the document. */
  readonly born: readonly HistoryEvent[];
  /** Types of the model's own events, and which of them creates. */
  readonly events: T;
  readonly created: Created;
  /** In the order in which they happen. Every type is here, or it does not compile. */
  readonly changes: Changes<D, T, Created>;
}

/**
 * Declares a test per event: the document shows the change and nothing else, when it happened, and the revision of its
 * stream.
 */
export function itFollows<D extends Document, T extends EventTypes, Created extends keyof T & string>({
  projections,
  model,
  born,
  events,
  created,
  changes,
}: Life<D, T, Created>): void {
  const { stream } = born.find(({ type }) => type === created) ?? expect.fail(`no ${created}`);
  const steps = Object.entries<{ data: JsonObject; shows: JsonObject }>(changes);
  const told: readonly HistoryEvent[] = steps.map(([type, { data }]) => ({ stream, type, data }));
  const documentAfter = async (step: number): Promise<Document> => {
    const { thenDocument } = await givenHistory(projections, ...born, ...told.slice(0, step));
    return (await thenDocument(model, idOf(stream))) ?? expect.fail('no document');
  };

  for (const [step, [type, { data, shows }]] of steps.entries()) {
    it(`follows ${type}`, async () => {
      expect(events[type]?.schema.parse(data), 'the data against its schema').to.deep.equal(data);
      const before = await documentAfter(step);
      for (const [field, value] of Object.entries(shows)) expect(before[field], field).to.not.deep.equal(value);
      const n = born.length + step;
      const bookkeeping = { updatedAt: minute(n), _position: n + 1, _revision: step + 1 };
      expect(await documentAfter(step + 1)).to.deep.equal({ ...before, ...shows, ...bookkeeping });
    });
  }
}
