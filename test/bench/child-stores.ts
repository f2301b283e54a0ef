import { withGenerations } from '../../src/service/projector/generations.ts';
import { openStores } from '../../src/service/stores/stores.ts';
import { project } from '../support/kernel/project.ts';
import type { Round } from './comparison.ts';
import { LAP_MODELS, lapWriter } from './lap-writes.ts';
import { crowd, lapMaker, type Fixtures, type NewLap } from './laps.ts';
import { openRawStore } from './raw-append.ts';
import { openRawDocuments, writeRawDocuments } from './raw-documents.ts';
import { timed } from './role.ts';

/** Where stores are, and what laps in them refer to. */
interface Place {
  readonly directory: string;
  readonly fixtures: Fixtures;
}

/** A number of laps, and appends at once. */
interface Appending {
  readonly count: number;
  readonly inFlight: number;
}

/** Generous, in ms, so that slow servers are measured too. */
const STORE_TIMEOUT_MS = 30_000;

/** Longest delay of a timer, in ms. */
const FOREVER_MS = 0x7fffffff;

/** How long replaced read models are kept, in ms. */
const RETIRE_AFTER_MS = 10_000;

/** The service's two stores, used through their ports without the service; with a URL, the events are on that server. */
export async function stores({
  directory,
  fixtures,
  eventStoreUrl,
}: Place & { readonly eventStoreUrl: string | null }) {
  const opened = await withGenerations(
    await openStores({ dataDir: directory, eventStoreUrl, mongodbUrl: null, storeTimeoutMs: STORE_TIMEOUT_MS }),
    { retireAfterMs: RETIRE_AFTER_MS },
  );
  let make = lapMaker(fixtures);
  const append = async ({ count, inFlight }: Appending): Promise<Round> =>
    timeInFlight(make(count), inFlight, ({ id, event }) => opened.store.append(`lap-${id}`, [event], 'no_stream'));
  return {
    operations: {
      /** Appends laps, each to a stream of its own. */
      append,
      /** Appends laps and projects them, which is measured. */
      backlog: async (laps: Appending): Promise<Round> => {
        await append(laps);
        return timed(async () => {
          await project(opened.store, opened.models, FOREVER_MS);
          return laps.count;
        });
      },
      /** Registers participants. All later laps are theirs, in the first event. */
      enter: async (drivers: number): Promise<void> => {
        const { participants, fixtures: entered } = crowd(fixtures, drivers);
        await Promise.all(participants.map(({ stream, event }) => opened.store.append(stream, [event], 'no_stream')));
        make = lapMaker(entered);
      },
    },
    close: () => opened.close(),
  };
}

/** Does the same writes with lmdb directly. */
export async function rawStores({ directory, fixtures }: Place) {
  const events = openRawStore(`${directory}/events`);
  const documents = openRawDocuments(`${directory}/documents`, LAP_MODELS);
  const make = lapMaker(fixtures);
  const writer = lapWriter(make);
  return {
    operations: {
      append: async ({ count, inFlight }: Appending): Promise<Round> =>
        timeInFlight(make(count), inFlight, ({ id, event }) => events.append(`lap-${id}`, event)),
      /** Writes the documents and index entries that projecting so many laps would write. */
      write: async (count: number): Promise<Round> => {
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

/** Appends laps with `inFlight` appends at once; measures time and CPU. */
function timeInFlight(
  laps: readonly NewLap[],
  inFlight: number,
  append: (lap: NewLap) => Promise<unknown>,
): Promise<Round> {
  // Shared by all workers.
  const left = laps.values();
  const worker = async (): Promise<void> => {
    for (const lap of left) await append(lap);
  };
  return timed(async () => {
    await Promise.all(Array.from({ length: inFlight }, worker));
    return laps.length;
  });
}
