import { openEventStoreDb } from '../../infra/eventstoredb/event-store.ts';
import { startEventStoreDouble, type EventStoreDouble } from '../support/eventstore-double/double.ts';
import type { Version } from '../support/eventstore-double/world.ts';
import { depth } from '../support/depth.ts';
import { PATIENCE_MS as timeoutMs } from '../support/processes/waits.ts';
import { eventStoreContract } from './event-store.ts';

/** A real server, 22.10 or later, that may hold other events already; without it the double stands in. */
const url = process.env['EVENTSTORE_URL'];

/** Versions that the double behaves as, one after the other. */
const VERSIONS: readonly Version[] =
  url === undefined ? depth({ short: ['22.10'], deep: ['22.10', '23.10', '24.10'] }) : ['22.10'];

for (const version of VERSIONS) {
  describe(
    url === undefined ? `EventStoreDB: its double of ${version}` : 'EventStoreDB: the server of EVENTSTORE_URL',
    () => {
      const doubles: Promise<EventStoreDouble>[] = [];
      let shared: Promise<string> | null = null;
      after(async () => {
        for (const double of doubles) await (await double).close();
      });

      async function urlOfNew(systemEvents: boolean): Promise<string> {
        const double = startEventStoreDouble({ systemEvents, version });
        doubles.push(double);
        return (await double).url;
      }

      eventStoreContract({
        name: 'eventstoredb',
        open: async () => openEventStoreDb({ url: url ?? (await (shared ??= urlOfNew(true))), timeoutMs }),
        ...(url === undefined
          ? { openEmpty: async () => openEventStoreDb({ url: await urlOfNew(false), timeoutMs }) }
          : { skip: { 'is empty at first': 'the server holds its own events' } }),
      });
    },
  );
}
