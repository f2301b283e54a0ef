import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { MongoClient, type Collection, type Db } from 'mongodb';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { sortOf, type StoredDocument } from '../../infra/mongodb/documents.ts';
import { laps } from '../../projections/laps.ts';
import { Append, lapMaker, timeInFlight } from './child-laps.ts';
import { timed, type Role } from './child-protocol.ts';
import { Fixtures } from './laps.ts';

const Argument = z.object({ url: z.string(), fixtures: Fixtures });
const AppendTo = Append.extend({ url: z.string() });
const Count = z.object({ count: z.number() });
const Page = z.object({ size: z.number() });

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

/** MongoDB's driver, on the laps that a service has stored. */
export async function mongoDriver(argument: unknown): Promise<Role> {
  const client = new MongoClient(Argument.parse(argument).url, { writeConcern: { w: 'majority', journal: true } });
  const database = client.db();
  return {
    operations: {
      /** Copies the laps until there are `count`. */
      multiply: async (wanted) => {
        await multiply(await lapsOfService(database), Count.parse(wanted).count);
        return null;
      },
      /** Reads their first page, newest first. */
      page: async (wanted) => {
        const options = { sort: sortOf({ field: 'createdAt', direction: 'desc' }), limit: Page.parse(wanted).size };
        const collection = await lapsOfService(database);
        return timed(async () => (await collection.find({}, options).toArray()).length);
      },
    },
    close: () => client.close(),
  };
}

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
