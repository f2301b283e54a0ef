import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { z } from 'zod';
import { Append, lapMaker, timeInFlight } from './child-laps.ts';
import { timed, type Role } from './child-protocol.ts';
import { Fixtures } from './laps.ts';

const Argument = z.object({ url: z.string(), fixtures: Fixtures });
const AppendTo = Append.extend({ url: z.string() });

/** EventStoreDB's client, used as its manual shows. */
export async function eventStoreClient(argument: unknown): Promise<Role> {
  const { url, fixtures } = Argument.parse(argument);
  const client = EventStoreDBClient.connectionString(url);
  const make = lapMaker(fixtures);
  return {
    operations: {
      /** Appends laps to the server of this URL, each to a stream of its own. */
      append: async (wanted) => {
        const { url: to, count, inFlight } = AppendTo.parse(wanted);
        const target = to === url ? client : EventStoreDBClient.connectionString(to);
        const done = await timeInFlight(
          make(count),
          inFlight,
          ({ id, event: { id: eventId, type, data, metadata } }) => {
            const proposed = jsonEvent({ id: eventId, type, data, metadata: { ...metadata } });
            return target.appendToStream(`lap-${id}`, proposed, { expectedRevision: NO_STREAM });
          },
        );
        if (target !== client) await target.dispose();
        return done;
      },
      read: () =>
        timed(async () => {
          let units = 0;
          for await (const _ of client.readAll()) units += 1;
          return units;
        }),
    },
    close: () => client.dispose(),
  };
}
