import { expect } from 'chai';
import { EventReader, Subscriptions } from '../../../infra/lmdb/event-reader.ts';
import { EventRecords } from '../../../infra/lmdb/event-records.ts';
import { Writer } from '../../../infra/lmdb/event-store.ts';
import type { Delivery } from '../../../src/kernel/ports/event-store.ts';
import { useDirectories } from '../../support/directories.ts';
import { deliveriesUntil, never, newEvent } from '../../support/event-store/events.ts';

/** Commits of one turn of the event loop. */
const COMMITS = 50;

const directory = useDirectories();

describe('subscriptions of the embedded event store', () => {
  let records: EventRecords;
  beforeEach(async () => {
    records = await EventRecords.open(directory());
  });
  afterEach(() => records.close());

  it('are notified at once of events that match their filter, and of many others together', async () => {
    const subscriptions = new Subscriptions(new EventReader(records));
    const deliveries: Delivery[] = [];
    const notified = deliveriesUntil(subscriptions.subscribe(0, { categories: ['wanted'] }, never()), (delivery) => {
      deliveries.push(delivery);
      return delivery.upTo === 2 * COMMITS + 1;
    });
    let position = 0;
    const commit = async (stream: string): Promise<void> => {
      const event = { ...newEvent(), stream, revision: 0, position: position + 1 };
      subscriptions.publish({ after: position, upTo: (position += 1), events: [event], chars: 100 });
      // Microtasks run, timers do not.
      for (let n = 0; n < 10; n += 1) await Promise.resolve();
    };
    await commit('other-1');
    expect(deliveries.map(({ upTo }) => upTo)).to.deep.equal([0]);
    for (let n = 0; n < COMMITS; n += 1) await commit(`wantedNot-${n}`);
    expect(deliveries).to.have.lengthOf(1);
    await commit('wanted-1');
    expect(deliveries.at(-1)).to.deep.include({ upTo: COMMITS + 2, caughtUp: true });
    expect(deliveries.at(-1)?.events).to.have.lengthOf(1);
    for (let n = 2; n < COMMITS + 1; n += 1) await commit('other-1');
    await notified;
    expect(deliveries).to.have.lengthOf(3);
    expect(deliveries.at(-1)).to.deep.equal({ events: [], upTo: 2 * COMMITS + 1, caughtUp: true });
    subscriptions.close();
  });

  it('find events that another process commits right after a commit without matching events', async () => {
    const subscriptions = new Subscriptions(new EventReader(records));
    const own = new Writer(records, subscriptions);
    const other = new Writer(records, { publish: () => undefined });
    const deliveries = subscriptions.subscribe(0, { categories: ['wanted'] }, never());
    for (let n = 0; n < COMMITS; n += 1) {
      await Promise.all([
        own.append(`other-${n}`, [newEvent()], 'any'),
        other.append(`wanted-${n}`, [newEvent()], 'any'),
      ]);
      for (let found = 0; found === 0;) {
        const { value, done } = await deliveries.next();
        if (done !== true) found = value.events.length;
      }
    }
    subscriptions.close();
  });
});
