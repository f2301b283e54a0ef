import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { causeOf, Transactions } from '../../../infra/lmdb/environment.ts';
import { openLmdbEventStore } from '../../../infra/lmdb/event-store.ts';
import { openLmdbReadStore } from '../../../infra/lmdb/read-store.ts';
import type { EventStore } from '../../../src/kernel/ports/event-store.ts';
import type { Change } from '../../../src/kernel/ports/read-store.ts';
import { newEvent } from '../event-store/events.ts';
import { insert, PLAIN, thing } from '../read-store/fixtures.ts';

/** Message of the process to its parent. */
export interface Outcome {
  /** Messages of the transactions that lmdb refused to commit. */
  readonly refused: readonly string[];
  /** Whether the store holds the whole of them, and no more, and took further work. */
  readonly isIntact: boolean;
}

/** Frames of JavaScript below which no function of lmdb has run before, so that the stack is still zero there. */
const FRAMES = 1_000;

const refused: string[] = [];
let isDeep = false;

/** Notes the transactions that fail from now on. */
function watchTransactions(): void {
  const run = Reflect.get(Transactions.prototype, 'run');
  Transactions.prototype.run = function <T>(
    this: Transactions,
    transaction: () => T | Promise<T>,
    onRollback?: () => void,
  ): Promise<T> {
    const noted = async (): Promise<T> => {
      try {
        return await below(isDeep ? FRAMES : 0, transaction);
      } catch (error) {
        refused.push(String(await causeOf(error)));
        throw error;
      }
    };
    return run.call(this, noted, onRollback) as Promise<T>;
  };
}

function below<T>(frames: number, work: () => T): T {
  return frames === 0 ? work() : below(frames - 1, work);
}

/** Keeps lmdb from using pages again that are freed from now on; the result ends that. */
function pin(path: string): () => Promise<void> {
  const root = open({ path, noSubdir: false, overlappingSync: false, noSync: path.includes('boot-') });
  root.resetReadTxn();
  const snapshot = root.useReadTransaction();
  root.get('any', { transaction: snapshot });
  return async () => {
    snapshot.done();
    await root.close();
  };
}

/** Texts that take one page of their own, a run of pages that no others leave behind, and a longer one. */
const PAGE = 'x'.repeat(2_600);
const TWO_PAGES = 'x'.repeat(6_000);
const RUN = 'x'.repeat(100_000);
const LONG_RUN = 'x'.repeat(600_000);

/**
 * The free list in memory is empty, and a snapshot keeps it so. The transaction writes documents of a page, then makes
 * every second one larger: lmdb puts the pages that they leave, no two of which are neighbours, into the list, over a
 * record of it, and then takes a few from its beginning. It writes only the record with these, and looks for the other.
 */
async function readStore(path: string): Promise<Outcome> {
  const store = await openLmdbReadStore({ path });
  const models = await store.namespace('n', [PLAIN]);
  const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
  const inserts = (ids: readonly string[], text: string): Change[] =>
    ids.map((id) => insert(thing(id, { text }), PLAIN.name));
  const sets = (ids: readonly string[], text: string): Change[] =>
    ids.map((id) => ({ kind: 'set', collection: PLAIN.name, id, fields: { text }, position: 2 }));
  for (const id of ['a', 'b', 'c', 'd']) await models.apply(inserts([id], PAGE), null);
  const boot = join(path, readdirSync(path).find((name) => name.startsWith('boot-')) ?? '');
  const unpin = pin(join(boot, readdirSync(boot).find((name) => name.startsWith('n-')) ?? ''));
  await models.apply(inserts(names('u', 100), PAGE), null);
  isDeep = true;
  const ids = names('t', 1_000);
  const grown = ids.filter((_, at) => at % 2 === 0);
  // A change of documents found by a field makes the store write what comes before it.
  const nothing: Change = {
    kind: 'setWhere',
    collection: PLAIN.name,
    field: 'none',
    value: 'x',
    fields: {},
    position: 2,
  };
  const changes = [...inserts(ids, PAGE), nothing, ...sets(grown, TWO_PAGES)];
  await models.apply(changes, 2);
  const count = await models.count(PLAIN.name, {});
  await models.apply(inserts(['last'], PAGE), 3);
  const texts = await Promise.all(ids.map((id) => models.get(PLAIN.name, id)));
  const isIntact =
    count === 104 + ids.length &&
    texts.every((document, at) => document?.['text'] === (at % 2 === 0 ? TWO_PAGES : PAGE)) &&
    (await models.checkpoint()) === 3;
  await unpin();
  await store.close();
  return { refused, isIntact };
}

/**
 * The free list in memory takes three records, and begins with the oldest transaction whose pages are free; a snapshot
 * keeps it so. The transaction looks for a run of pages that is not in it: lmdb lets the list begin with transaction 1
 * then, but writes only the record from which it took a few pages, and looks for the others.
 */
async function eventStore(path: string): Promise<Outcome> {
  let store = await openLmdbEventStore({ path });
  const append = (stream: string, text: string): ReturnType<EventStore['append']> =>
    store.append(stream, [newEvent('Written', { text })], 'newest_only');
  const streams = Array.from({ length: 2_000 }, (_, at) => `page-${at}`);
  const inSmallBatches = async (names: readonly string[], text: string): Promise<void> => {
    for (let at = 0; at < names.length; at += 500) {
      await Promise.all(names.slice(at, at + 500).map((name) => append(name, text)));
    }
  };
  await inSmallBatches(streams, PAGE);
  await append('run', RUN);
  await append('small', PAGE);
  await inSmallBatches(
    streams.slice(0, 40).map((name) => `other-${name}`),
    PAGE,
  );
  await append('run', 'x');
  const unpin = pin(path);
  // One transaction: it frees pages that are not next to each other, and uses up what was free before.
  const fill = Array.from({ length: 60 }, (_, at) => append(`fill-${at}`, PAGE));
  await Promise.all([
    ...fill,
    ...streams
      .filter((_, at) => at % 2 === 0)
      .slice(0, 960)
      .map((name) => append(name, 'x')),
  ]);
  for (let at = 0; at < 5; at += 1) await append('small', PAGE);
  await unpin();
  await store.close();
  store = await openLmdbEventStore({ path });
  const unpinAgain = pin(path);
  const { position: before } = await append('run', RUN);
  const { position: between } = await append('long-run', LONG_RUN);
  const { position: last } = await append('last', 'x');
  const isIntact = between === before + 1 && last === before + 2;
  await unpinAgain();
  await store.close();
  return { refused, isIntact };
}

/*
 * A process that makes lmdb 3.5.6 refuse a transaction of an embedded store without any fault of the service
 * (infra/lmdb/README.md, "The list of free pages"). Each transaction of the event store needs its own thread: lmdb reads
 * an uninitialised word of the stack, which is zero while a thread has run nothing else. That word is 100 kB below the
 * commit, so the transaction of the read store runs below 1,000 frames of JavaScript.
 * Usage: `free-list-defect <event-store|read-store> <path>`.
 */
const [adapter, path = ''] = process.argv.slice(2);
watchTransactions();
const outcome = await (adapter === 'read-store' ? readStore(path) : eventStore(path));
process.send?.(outcome, () => process.disconnect());
