import { openEventStoreDb } from '../../infra/eventstoredb/event-store.ts';
import { startEventStoreDouble, type EventStoreDouble } from '../support/eventstore-double/double.ts';
import { eventStoreContract } from './event-store.ts';

/** A real server, 22.10 or later, that may hold other events already; without it the double stands in. */
const url = process.env['EVENTSTORE_URL'];

describe(url === undefined ? 'EventStoreDB: its double' : 'EventStoreDB: the server of EVENTSTORE_URL', () => {
  const doubles: Promise<EventStoreDouble>[] = [];
  let shared: Promise<string> | null = null;
  after(async () => {
    for (const double of doubles) await (await double).close();
  });

  async function urlOfNew(systemEvents: boolean): Promise<string> {
    const double = startEventStoreDouble({ systemEvents });
    doubles.push(double);
    return (await double).url;
  }

  eventStoreContract({
    name: 'eventstoredb',
    open: async () => openEventStoreDb({ url: url ?? (await (shared ??= urlOfNew(true))) }),
    ...(url === undefined
      ? { openEmpty: async () => openEventStoreDb({ url: await urlOfNew(false) }) }
      : { skip: { 'is empty at first': 'the server holds its own events' } }),
  });
});
