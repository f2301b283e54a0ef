import { expect } from 'chai';
import { z } from 'zod';
import { createCommandHandler } from '../../../src/kernel/aggregate/command-handler.ts';
import { decider } from '../../../src/kernel/aggregate/decider.ts';
import { InvalidNewEvent, toNewEvent } from '../../../src/kernel/aggregate/new-event.ts';
import { reject } from '../../../src/kernel/aggregate/rejection.ts';
import { eventType } from '../../../src/kernel/event-types.ts';
import type { JsonObject } from '../../../src/kernel/json.ts';
import { systemClock, systemIds } from '../../../infra/system/system.ts';
import { gathered } from '../../support/event-store/events.ts';
import { memoryEventStore } from '../../support/event-store/memory-event-store.ts';
import { failureOf } from '../../support/failure.ts';

const METADATA = { version: 1, occurredAt: '2026-01-01T12:00:00.000Z', commandId: 'c', correlationId: 'r' };

const types = {
  Seated: eventType(z.object({ name: z.string(), seats: z.array(z.object({ row: z.int() })) })),
  Renamed: eventType(z.object({ name: z.string(), language: z.string() }), (data) => ({ ...data, language: 'en' })),
};

function made(type: string, data: JsonObject) {
  return toNewEvent(types, { type, data }, 'e1', METADATA);
}

describe('a new event', () => {
  it('is of the newest version of its type', () => {
    const data = { name: 'Ada', seats: [{ row: 1 }] };
    expect(made('Seated', data)).to.deep.equal({ id: 'e1', type: 'Seated', data, metadata: METADATA });
    expect(made('Renamed', { name: 'Ada', language: 'de' }).metadata).to.deep.equal({ ...METADATA, version: 2 });
  });

  it('has exactly the data that its schema describes; otherwise the error names the field, but not its value', () => {
    const faults: readonly (readonly [JsonObject, RegExp])[] = [
      [{ seats: [] }, /'\/name'/],
      [{ name: 'Ada', seats: [{ row: 1 }, { row: 'Ada' }] }, /'\/seats\/1\/row'/],
      [{ name: 'Ada', seats: [], nickname: 'Ada' }, /'\/nickname'/],
      [{ name: 'Ada', seats: [{ row: 1, sponsor: 'Ada' }] }, /'\/seats\/0\/sponsor'/],
    ];
    for (const [data, field] of faults) {
      expect(() => made('Seated', data))
        .to.throw(InvalidNewEvent, field)
        .with.property('message')
        .that.includes('Seated')
        .and.not.includes('Ada');
    }
    expect(() => made('Unseated', {})).to.throw(InvalidNewEvent, 'Unseated');
  });

  it('is not appended with other data, and neither is a claim for it', async () => {
    const store = memoryEventStore();
    const handler = createCommandHandler({ store, clock: systemClock, ids: systemIds });
    const seat = decider<JsonObject, { readonly type: 'Seat'; readonly data: JsonObject }, typeof types>({
      category: 'seat',
      events: types,
      claim: {
        category: 'seatName',
        key: (state) => JSON.stringify(state?.['name'] ?? null),
        taken: reject('TAKEN', 'It is taken.'),
      },
      evolve: { Seated: (_, data) => data, Renamed: (_, data) => data },
      // What a fault of ours would make, past the compiler.
      decide: { Seat: (_, data) => [{ type: 'Seated', data } as never] },
    });
    const commands = [
      { type: 'Seat', data: { name: 'Ada', seats: [] } },
      { type: 'Seat', data: { name: 'Ada', seats: 1 } },
    ] as const;
    const request = { decider: seat, id: '1', commands, origin: { correlationId: 'r', deadline: Infinity } };
    expect(await failureOf(handler.handle(request))).to.be.instanceOf(InvalidNewEvent);
    const [settled] = await handler.handleAll([request]);
    expect(settled).to.have.property('reason').that.is.instanceOf(InvalidNewEvent);
    expect(await gathered(store.readAll(null))).to.deep.equal([]);
  });
});
