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
  url === undefined ? depth({ short: ['22.10'], deep: ['22.10', '23.10', '24.10', '26.1'] }) : ['22.10'];

for (const version of VERSIONS) {
  describe(
    url === undefined ? `EventStoreDB: its double of ${version}` : 'EventStoreDB: the server of EVENTSTORE_URL',
    () => {
      let double: EventStoreDouble | null = null;
      after(() => double?.close());

      eventStoreContract({
        name: 'eventstoredb',
        async open() {
          if (url === undefined) double ??= await startEventStoreDouble({ version });
          return openEventStoreDb({ url: url ?? double?.url ?? '', timeoutMs });
        },
        skip: { 'is empty at first': 'a server holds its own events' },
      });
    },
  );
}
