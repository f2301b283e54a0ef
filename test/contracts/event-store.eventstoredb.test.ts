import { openEventStoreDb } from '../../infra/event-store/eventstoredb.ts';
import { startEventStoreDouble, type EventStoreDouble } from '../support/eventstore-double/double.ts';
import { eventStoreContract } from './event-store.ts';

/** A real server, 22.10 or later, that may hold other events already; without it the double stands in. */
const url = process.env['EVENTSTORE_URL'];

describe(url === undefined ? 'EventStoreDB: its double' : 'EventStoreDB: the server of EVENTSTORE_URL', () => {
  const doubles: EventStoreDouble[] = [];
  after(() => Promise.all(doubles.map((double) => double.close())));

  async function urlOfDouble(): Promise<string> {
    doubles[0] ??= await startEventStoreDouble();
    return doubles[0].url;
  }

  async function urlOfEmpty(): Promise<string> {
    const double = await startEventStoreDouble({ systemEvents: false });
    doubles.push(double);
    return double.url;
  }

  eventStoreContract({
    name: 'eventstoredb',
    open: async () => openEventStoreDb({ url: url ?? await urlOfDouble() }),
    ...(url === undefined
      ? { openEmpty: async () => openEventStoreDb({ url: await urlOfEmpty() }) }
      : { skip: { 'is empty at first': 'the server holds its own events' } }),
  });
});
