import { EventStoreDBClient, jsonEvent, NO_STREAM, type AppendResult } from '@eventstore/db-client';
import { MongoClient, type Collection, type Db } from 'mongodb';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { sortOf, type StoredDocument } from '../../infra/mongodb/documents.ts';
import { laps } from '../../projections/laps.ts';
import type { Json } from '../../src/service/kernel/json.ts';
import { timed, type Role } from './child-protocol.ts';
import { Append, lapMaker, timeInFlight, type NewLap } from './child-laps.ts';
import { Fixtures } from './laps.ts';

/** Where the server is; `first` is the number of the first lap. */
const Argument = z.object({ url: z.string(), fixtures: Fixtures, first: z.number() });

const Count = z.object({ count: z.number() });
const AppendTo = Append.extend({ url: z.string() });
const Page = z.object({ size: z.number() });

/** The client of EventStoreDB, used as its manual shows. */
export async function eventStoreClient(argument: unknown): Promise<Role> {
  const settings = Argument.parse(argument);
  const client = EventStoreDBClient.connectionString(settings.url);
  const make = lapMaker(settings);
  return {
    ready: null,
    operations: {
      /** Appends laps, each to a stream of its own. */
      append: async (wanted): Promise<Json> => {
        const { count, inFlight } = Append.parse(wanted);
        return timeInFlight(make(count), inFlight, (lap) => append(client, lap));
      },
      /** The same on another server. */
      appendTo: async (wanted): Promise<Json> => {
        const { url, count, inFlight } = AppendTo.parse(wanted);
        const other = EventStoreDBClient.connectionString(url);
        const done = await timeInFlight(make(count), inFlight, (lap) => append(other, lap));
        await other.dispose();
        return done;
      },
      /** Reads the whole log. */
      read: async (): Promise<Json> => {
        let units = 0;
        const { seconds, cpuMicros } = await timed(0, async () => {
          for await (const _ of client.readAll()) units += 1;
        });
        return { units, seconds, cpuMicros };
      },
    },
    close: () => client.dispose(),
  };
}

function append(client: EventStoreDBClient, { id, event }: NewLap): Promise<AppendResult> {
  const { id: eventId, type, data, metadata } = event;
  const proposed = jsonEvent({ id: eventId, type, data, metadata: { ...metadata } });
  return client.appendToStream(`lap-${id}`, proposed, { expectedRevision: NO_STREAM });
}

/** MongoDB's driver, on the laps that a service has there. */
export async function mongoDriver(argument: unknown): Promise<Role> {
  const client = new MongoClient(Argument.parse(argument).url, { writeConcern: { w: 'majority', journal: true } });
  const database = client.db();
  return {
    ready: null,
    operations: {
      /** Copies the laps that a service has in the database until there are so many. */
      multiply: async (wanted): Promise<Json> => {
        await multiply(await lapsOfService(database), Count.parse(wanted).count);
        return null;
      },
      /** Reads the first page of those laps, newest first. */
      page: async (wanted): Promise<Json> => {
        const { size } = Page.parse(wanted);
        const collection = await lapsOfService(database);
        return timed(1, () => collection.find({}, { sort: sortOf(NEWEST_FIRST), limit: size }).toArray());
      },
    },
    close: () => client.close(),
  };
}

const NEWEST_FIRST = { field: 'createdAt', direction: 'desc' } as const;

async function lapsOfService(database: Db): Promise<Collection<StoredDocument>> {
  const all = await database.listCollections({}, { nameOnly: true }).toArray();
  const name = all.map(({ name }) => name).find((each) => each.endsWith(`.${laps.collection}`));
  if (name === undefined) throw new Error('no service has laps there');
  return database.collection<StoredDocument>(name);
}

async function multiply(collection: Collection<StoredDocument>, count: number): Promise<void> {
  const originals = await collection.find().toArray();
  for (let there = originals.length; there < count;) {
    const more = originals.slice(0, count - there).map((lap) => ({ ...lap, _id: randomUUID() }));
    await collection.insertMany(more, { ordered: false });
    there += more.length;
  }
}
