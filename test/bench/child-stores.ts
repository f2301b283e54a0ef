import { z } from 'zod';
import { laps } from '../../projections/laps.ts';
import { builtInProjections } from '../../projections/index.ts';
import { createProjectionRunner } from '../../src/kernel/projection-runner.ts';
import { openStores, type Stores } from '../../src/stores.ts';
import type { Json } from '../../src/kernel/json.ts';
import type { NewEvent } from '../../src/kernel/event-store.ts';
import type { Document } from '../../src/kernel/read-store.ts';
import { systemClock, systemIds } from '../../src/system.ts';
import { timed, type Role, type Timed } from './child-protocol.ts';
import { Fixtures, lapEvent, participantEvent } from './laps.ts';
import { openRawStore, timeAppends } from './raw-append.ts';
import { openRawDocuments, writeRawDocuments } from './raw-documents.ts';

/** `first` is the number of the first lap. */
const Argument = z.object({ directory: z.string(), fixtures: Fixtures, first: z.number() });

const Enter = z.object({ participants: z.number() });

const Append = z.object({ count: z.number(), inFlight: z.number() });

/** Documents per transaction: what the event store hands to a projection at a time. */
const BATCH = 256;

/** Longest wait that a timer can do, in ms. */
const FOREVER_MS = 0x7fffffff;

interface NewLap {
  readonly id: string;
  readonly event: NewEvent;
}

/** Makes laps, each with an id, before the time is taken. */
function lapMaker({ fixtures, first }: z.output<typeof Argument>) {
  const ids = systemIds(systemClock);
  let next = first;
  return (count: number): NewLap[] =>
    Array.from({ length: count }, () => ({ id: ids.next(), event: lapEvent(fixtures, next++, ids) }));
}

type Append = (lap: NewLap) => Promise<unknown>;

async function timeAppending(made: readonly NewLap[], inFlight: number, append: Append): Promise<Timed> {
  const { seconds, cpuMicros } = await timeAppends({ appends: made.length, inFlight }, async (n) => {
    const lap = made[n];
    if (lap !== undefined) await append(lap);
  });
  return { units: made.length, seconds, cpuMicros: cpuMicros * made.length };
}

/** The two stores of the service, used through their ports, without the service. */
export async function stores(argument: unknown): Promise<Role> {
  const settings = Argument.parse(argument);
  const opened = await openStores({
    dataDir: settings.directory, eventStoreUrl: null, mongodbUrl: null, storeTimeoutMs: 5_000,
  });
  let make = lapMaker(settings);
  let waiting = 0;
  return {
    ready: null,
    operations: {
      /** Appends laps, each to a stream of its own. */
      append: async (wanted) => {
        const { count, inFlight } = Append.parse(wanted);
        waiting += count;
        return plain(await timeAppending(make(count), inFlight, ({ id, event }) =>
          opened.store.append(`lap-${id}`, [event], 'no_stream')));
      },
      /** Registers participants: from now on all laps are theirs, and in the first event. */
      enter: async (wanted) => {
        const { participants } = Enter.parse(wanted);
        const fixtures = await enter(opened, settings.fixtures, participants);
        make = lapMaker({ ...settings, fixtures });
        return null;
      },
      /** Projects what was appended. */
      project: async () => {
        const units = waiting;
        waiting = 0;
        return plain(await timed(units, () => projectAll(opened)));
      },
    },
    close: () => opened.close(),
  };
}

async function enter({ store }: Stores, fixtures: Fixtures, participants: number): Promise<Fixtures> {
  const ids = systemIds(systemClock);
  const participantIds = Array.from({ length: participants }, () => ids.next());
  await Promise.all(participantIds.map((id, n) =>
    store.append(`participant-${id}`, [participantEvent(fixtures, n, ids)], 'no_stream')));
  return { ...fixtures, participantIds, eventIds: fixtures.eventIds.slice(0, 1) };
}

async function projectAll({ store, models }: Stores): Promise<void> {
  const runner = createProjectionRunner({ store, models, projections: builtInProjections, clock: systemClock });
  const stop = new AbortController();
  const running = runner.run(stop.signal);
  const head = await store.head();
  if (head !== null && !(await runner.reached(head, FOREVER_MS))) throw runner.status().error ?? new Error('stopped');
  stop.abort();
  await running;
}

/** lmdb used directly for the same writes. */
export async function rawStores(argument: unknown): Promise<Role> {
  const settings = Argument.parse(argument);
  const events = openRawStore(`${settings.directory}/events`);
  const documents = openRawDocuments(`${settings.directory}/documents`, laps.indexes);
  const make = lapMaker(settings);
  let written = 0;
  return {
    ready: null,
    operations: {
      append: async (wanted) => {
        const { count, inFlight } = Append.parse(wanted);
        return plain(await timeAppending(make(count), inFlight, ({ id, event }) => events.append(`lap-${id}`, event)));
      },
      /** Writes the documents and index entries that projecting so many laps would write. */
      write: async (wanted) => {
        const { count } = Append.parse(wanted);
        const made = make(count).map(documentOf);
        const result = await timed(count, async () => {
          for (let from = 0; from < count; from += BATCH) {
            writeRawDocuments(documents, made.slice(from, from + BATCH), written + from + 1);
            await turn();
          }
        });
        written += count;
        return plain(result);
      },
    },
    close: async () => {
      await events.close();
      await documents.root.close();
    },
  };
}

/** What the projection makes of a lap, with names as long as those of the fixtures. */
function documentOf({ id, event: { data, metadata } }: NewLap): Document {
  const { occurredAt } = metadata;
  return {
    id,
    participantId: data.participantId, participantName: 'Ayrton Tester 10',
    rigId: data.rigId, rigName: 'Rig 1', eventId: data.eventId, eventName: 'Bench cup 1',
    sectors: data.sectors, totalTime: data.totalTime, valid: data.valid, car: data.carId,
    trackId: data.trackId, trackDisplayName: 'Layout 1', createdAt: occurredAt, updatedAt: occurredAt,
    _position: 123_456, _revision: 0,
  };
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function plain({ units, seconds, cpuMicros }: Timed): Json {
  return { units, seconds, cpuMicros };
}
