import { z } from 'zod';
import { keepsNewestOnly } from '../../commands/api-keys.ts';
import { openEventStoreDb } from '../../infra/eventstoredb/event-store.ts';
import { systemClock, systemIds } from '../../infra/system/system.ts';
import type { EventStore } from '../../src/service/kernel/ports/event-store.ts';
import { ProjectionRunner } from '../../src/service/kernel/projection/projection-runner.ts';
import { withGenerations, type ProjectionStores } from '../../src/service/projector/generations.ts';
import { builtInProjections } from '../../src/service/resources/read-models.ts';
import { openStores } from '../../src/service/stores/stores.ts';
import { SERVER_WAVES } from '../../src/tools/cli/copy.ts';
import { copyHistory } from '../../src/tools/history/copy.ts';
import { Append, lapMaker, timeInFlight } from './child-laps.ts';
import { timed, type Role } from './child-protocol.ts';
import { LAP_MODELS, lapWriter } from './lap-writes.ts';
import { Fixtures, participantEvent } from './laps.ts';
import { openRawStore } from './raw-append.ts';
import { openRawDocuments, writeRawDocuments } from './raw-documents.ts';

/** `eventStoreUrl` replaces the embedded event store. */
const Argument = z.object({
  directory: z.string(),
  fixtures: Fixtures,
  eventStoreUrl: z.string().nullable().default(null),
});
const Write = z.object({ count: z.number() });
const Copy = z.object({ url: z.string() });
const Enter = z.object({ participants: z.number() });

/** Generous, in ms, so that slow servers are measured too. */
const STORE_TIMEOUT_MS = 30_000;

/** How long replaced read models are kept, in ms. */
const RETIRE_AFTER_MS = 10_000;

/** Longest delay of a timer, in ms. */
const FOREVER_MS = 0x7fffffff;

/** The service's two stores, used through their ports without the service. */
export async function stores(argument: unknown): Promise<Role> {
  const { directory: dataDir, eventStoreUrl, fixtures } = Argument.parse(argument);
  const opened = await withGenerations(
    await openStores({ dataDir, eventStoreUrl, mongodbUrl: null, storeTimeoutMs: STORE_TIMEOUT_MS }),
    { retireAfterMs: RETIRE_AFTER_MS },
  );
  let make = lapMaker(fixtures);
  let waiting = 0;
  return {
    operations: {
      /** Appends laps, each to a stream of its own. */
      append: async (wanted) => {
        const { count, inFlight } = Append.parse(wanted);
        waiting += count;
        return timeInFlight(make(count), inFlight, ({ id, event }) =>
          opened.store.append(`lap-${id}`, [event], 'no_stream'),
        );
      },
      /** Registers participants. All later laps are theirs, in the first event. */
      enter: async (wanted) => {
        make = lapMaker(await enter(opened, fixtures, Enter.parse(wanted).participants));
        return null;
      },
      project: async () => {
        const units = waiting;
        waiting = 0;
        return timed(async () => {
          await projectAll(opened);
          return units;
        });
      },
      copy: async (wanted) => {
        const target = openEventStoreDb({ url: Copy.parse(wanted).url, timeoutMs: STORE_TIMEOUT_MS });
        const done = await timed(() => copyAll(opened, target));
        await target.close();
        return done;
      },
    },
    close: () => opened.close(),
  };
}

async function enter({ store }: ProjectionStores, fixtures: Fixtures, participants: number): Promise<Fixtures> {
  const participantIds = Array.from({ length: participants }, () => systemIds.next());
  await Promise.all(
    participantIds.map((id, n) => store.append(`participant-${id}`, [participantEvent(fixtures, n)], 'no_stream')),
  );
  return { ...fixtures, participantIds, eventIds: fixtures.eventIds.slice(0, 1) };
}

async function copyAll({ store: source }: ProjectionStores, target: EventStore): Promise<number> {
  const { signal } = new AbortController();
  const waves = { wavesInFlight: SERVER_WAVES, newestOnly: keepsNewestOnly };
  const { checked } = await copyHistory({ source, target, ...waves, signal, onProgress: () => undefined });
  if (checked === null) throw new Error('the copy was broken off');
  return checked.events;
}

async function projectAll({ store, models }: ProjectionStores): Promise<void> {
  const runner = new ProjectionRunner({ store, models, projections: builtInProjections, clock: systemClock });
  const stop = new AbortController();
  const running = runner.run(stop.signal);
  const head = await store.head();
  if (head !== null && !(await runner.waitFor(head, FOREVER_MS))) throw runner.status().error ?? new Error('stopped');
  stop.abort();
  await running;
}

/** Does the same writes with lmdb directly. */
export async function rawStores(argument: unknown): Promise<Role> {
  const { directory, fixtures } = Argument.parse(argument);
  const events = openRawStore(`${directory}/events`);
  const documents = openRawDocuments(`${directory}/documents`, LAP_MODELS);
  const make = lapMaker(fixtures);
  const writer = lapWriter(make);
  return {
    operations: {
      append: async (wanted) => {
        const { count, inFlight } = Append.parse(wanted);
        return timeInFlight(make(count), inFlight, ({ id, event }) => events.append(`lap-${id}`, event));
      },
      /** Writes the documents and index entries that projecting so many laps would write. */
      write: async (wanted) => {
        const { count } = Write.parse(wanted);
        const batches = await writer(count);
        return timed(async () => {
          for (const batch of batches) {
            writeRawDocuments(documents, batch);
            await new Promise((resolve) => setImmediate(resolve));
          }
          return count;
        });
      },
    },
    close: async () => {
      await events.close();
      await documents.root.close();
    },
  };
}
