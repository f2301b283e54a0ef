import { EventStoreDBClient, END, eventTypeFilter, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import type { AllStreamSubscription, AppendResult } from '@eventstore/db-client';
import { MongoClient, type AnyBulkWriteOperation, type Collection, type Db } from 'mongodb';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { z } from 'zod';
import { sortOf, toStored, updateOf, type StoredDocument } from '../../infra/mongodb/documents.ts';
import { UPDATES_PER_FERRETDB_COMMAND } from '../../infra/mongodb/read-models.ts';
import { laps } from '../../projections/laps.ts';
import type { Json } from '../../src/service/kernel/json.ts';
import { CREATED } from '../../src/service/kernel/ports/read-store.ts';
import { timed, type Role } from './child-protocol.ts';
import { Append, lapMaker, timeInFlight, type NewLap } from './child-laps.ts';
import { LAP_MODELS, lapWriter, type LapWrite, type LapWrites } from './lap-writes.ts';
import { Fixtures } from './laps.ts';

/** Where the server is; `first` is the number of the first lap. */
const Argument = z.object({ url: z.string(), fixtures: Fixtures, first: z.number() });

const Count = z.object({ count: z.number() });
const AppendTo = Append.extend({ url: z.string() });
const Write = z.object({ count: z.number(), batch: z.number(), ordered: z.boolean() });
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

/** A subscription of that client, with the server's filter, which counts what is delivered. */
export async function eventStoreSubscription(argument: unknown): Promise<Role> {
  const { url } = Argument.parse(argument);
  const client = EventStoreDBClient.connectionString(url);
  const filter = eventTypeFilter({ prefixes: ['LapRecorded'] });
  const subscription = client.subscribeToAll({ fromPosition: END, filter });
  const delivered = counted(subscription);
  await once(subscription, 'confirmation');
  let [before, cpuBefore] = [0, process.cpuUsage()];
  return {
    ready: null,
    operations: {
      /**
       * Waits until so many more events have come. The CPU is all since the last time, for there is nothing else to do;
       * the seconds are those of the wait, hardly any where the events have come meanwhile.
       */
      delivered: async (wanted): Promise<Json> => {
        const { count } = Count.parse(wanted);
        const { seconds } = await timed(count, () => delivered(before + count));
        const { user, system } = process.cpuUsage(cpuBefore);
        [before, cpuBefore] = [before + count, process.cpuUsage()];
        return { units: count, seconds, cpuMicros: user + system };
      },
    },
    close: async () => {
      await subscription.unsubscribe();
      await client.dispose();
    },
  };
}

/** Counts the events of a subscription; what it returns waits for so many in all. */
function counted(subscription: AllStreamSubscription): (count: number) => Promise<void> {
  let [seen, wanted] = [0, 0];
  let reached = (): void => undefined;
  let failed: Error | null = null;
  subscription.on('data', () => {
    seen += 1;
    if (seen === wanted) reached();
  });
  subscription.on('error', (error) => {
    failed = error;
    reached();
  });
  return async (count) => {
    wanted = count;
    await new Promise<void>((resolve) => {
      reached = resolve;
      if (seen >= wanted || failed !== null) resolve();
    });
    if (failed !== null) throw failed;
    if (seen > count) throw new Error(`${seen} events were delivered instead of ${count}`);
  };
}

/** MongoDB's driver, with the same guarantees as the read store asks for, on collections with the same indexes. */
export async function mongoDriver(argument: unknown): Promise<Role> {
  const settings = Argument.parse(argument);
  const client = new MongoClient(settings.url, { writeConcern: { w: 'majority', journal: true } });
  const database = client.db();
  for (const { collection, indexes } of LAP_MODELS) {
    await database
      .collection(collection)
      .createIndexes(
        indexes.map((fields) => ({
          key: Object.fromEntries([...fields, CREATED, '_id'].map((field) => [field, 1 as const])),
        })),
      );
  }
  const isFerret = 'ferretdbVersion' in (await database.command({ buildInfo: 1 }));
  const writer = lapWriter(lapMaker(settings));
  const written: string[] = [];
  return {
    ready: null,
    operations: {
      /** Writes the documents of laps: per collection one `bulkWrite` after the other, of so many documents each. */
      write: async (wanted): Promise<Json> => {
        const { count, batch, ordered } = Write.parse(wanted);
        const batches = await writer({ count, batch });
        const ofLaps = batches.flat().filter(({ change }) => change.collection === laps.collection);
        written.push(...ofLaps.map(({ after }) => after.id));
        const updates = isFerret ? UPDATES_PER_FERRETDB_COMMAND : batch;
        return timed(count, () => writeAll(database, batches, { ordered, updates }));
      },
      /** Reads laps by their ids, the newest ones. */
      find: async (wanted): Promise<Json> => {
        const { count, inFlight } = Append.parse(wanted);
        const collection = database.collection<StoredDocument>(laps.collection);
        return timeInFlight(written.slice(-count), inFlight, async (_id) => {
          if ((await collection.findOne({ _id })) === null) throw new Error(`there is no document ${_id}`);
        });
      },
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

interface Bulk {
  /** Of laps, which come once each; what changes documents again and again is in order always. */
  readonly ordered: boolean;
  /** Documents of other collections per `bulkWrite`. */
  readonly updates: number;
}

async function writeAll(database: Db, batches: readonly LapWrites[], { ordered, updates }: Bulk): Promise<void> {
  for (const batch of batches) {
    for (const { collection } of LAP_MODELS) {
      const operations = batch.filter(({ change }) => change.collection === collection).map(operationOf);
      const isLaps = collection === laps.collection;
      const size = isLaps ? operations.length : updates;
      for (let from = 0; from < operations.length; from += size) {
        const part = operations.slice(from, from + size);
        await database.collection<StoredDocument>(collection).bulkWrite(part, { ordered: ordered || !isLaps });
      }
    }
  }
}

/** Laps have no list whose items are indexed. */
const NO_LISTS: ReadonlySet<string> = new Set();

function operationOf({ change, after }: LapWrite): AnyBulkWriteOperation<StoredDocument> {
  if (change.kind !== 'set') return { insertOne: { document: toStored(after, NO_LISTS) } };
  const { id, fields, position } = change;
  return { updateOne: { filter: { _id: id }, update: updateOf(fields, { _position: position }, NO_LISTS) } };
}
