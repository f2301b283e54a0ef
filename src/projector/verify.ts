import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { BUILT_IN, builtInProjections } from '../../projections/index.ts';
import { feed, type FeedingEvents } from './feeding.ts';
import { deadLetters } from '../kernel/dead-letters.ts';
import type { Position } from '../kernel/event-store.ts';
import { collectionsOf } from '../kernel/projection-runner.ts';
import type { Document, ReadModels } from '../kernel/read-store.ts';
import { pause } from '../kernel/time.ts';
import type { Stores } from '../stores.ts';
import { systemClock } from '../system.ts';

/** A document that is not what the events make of it; null where there is none. */
export interface Difference {
  readonly collection: string;
  readonly id: string;
  readonly live: Document | null;
  readonly replayed: Document | null;
}

/** What a verification has found. */
export interface Verified {
  readonly documents: number;
  readonly differences: readonly Difference[];
}

/** What a verification takes. */
export interface VerifyOptions {
  readonly stores: Stores;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly events: number; readonly position: Position; readonly head: Position }) => void;
}

/** Differences that are kept. */
const MOST = 1_000;
/** Looks at a document that differs: the one may be ahead of the other. */
const LOOKS = 20;
const LOOK_MS = 100;

/**
 * Replays the history into a namespace of its own, holds every document of the current generation against it, and drops
 * it again. A service may go on meanwhile. Null when it was told to stop.
 */
export async function verify(options: VerifyOptions): Promise<Verified | null> {
  const { stores: { readStore, store, generations }, signal, onProgress } = options;
  const namespace = `verify-${BUILT_IN}-${randomUUID()}`;
  const head = await store.head() ?? 0;
  let count = 0;
  const events: FeedingEvents = {
    onError: () => undefined,
    onParked: () => undefined,
    onBatch(some) {
      count += some;
      onProgress({ events: count, position: feeder.progress.position() ?? 0, head });
    },
  };
  const feeder = await feed({ store, generations, events }, namespace);
  try {
    while (!signal.aborted && !feeder.status().caughtUp && feeder.status().state !== 'stopped') {
      await Promise.race([feeder.ended, pause(systemClock, LOOK_MS, signal)]);
    }
    const { error, caughtUp } = feeder.status();
    if (error !== null && !caughtUp) throw error;
    return caughtUp ? await compareAll(options, await generations.open(namespace)) : null;
  } finally {
    await feeder.stop();
    await readStore.drop(namespace);
  }
}

async function compareAll({ stores: { models }, signal }: VerifyOptions, replayed: ReadModels): Promise<Verified | null> {
  // A retried event has another position here than there.
  const exact = await models.count(deadLetters.collection, {}) === 0;
  const same = (a: Document | null, b: Document | null): boolean =>
    isDeepStrictEqual(exact ? a : positionless(a), exact ? b : positionless(b));
  let documents = 0;
  const differences: Difference[] = [];
  for (const { name: collection } of collectionsOf(builtInProjections)) {
    for await (const { id, live, other } of paired(models.stream(collection, BY_ID), replayed.stream(collection, BY_ID))) {
      if (signal.aborted) return null;
      documents += 1;
      if (same(live, other) || differences.length >= MOST) continue;
      const difference = await settled({ collection, id, live: models, replayed }, same);
      if (difference !== null) differences.push(difference);
    }
  }
  return { documents, differences };
}

const BY_ID = { where: {}, sort: { field: 'id', direction: 'asc' } } as const;

function positionless(document: Document | null): object | null {
  return document === null ? null : { ...document, _position: 0 };
}

interface Pair {
  readonly id: string;
  readonly live: Document | null;
  readonly other: Document | null;
}

/** Two lists in order of id, side by side. */
async function* paired(a: AsyncIterable<readonly Document[]>, b: AsyncIterable<readonly Document[]>): AsyncGenerator<Pair> {
  const [left, right] = [each(a), each(b)];
  let [one, two] = [await left.next(), await right.next()];
  while (one.done !== true || two.done !== true) {
    const order = one.done === true ? 1 : two.done === true ? -1 : Buffer.compare(bytes(one.value), bytes(two.value));
    const live = order <= 0 && one.done !== true ? one.value : null;
    const other = order >= 0 && two.done !== true ? two.value : null;
    yield { id: live?.id ?? other?.id ?? '', live, other };
    if (live !== null) one = await left.next();
    if (other !== null) two = await right.next();
  }
}

function bytes({ id }: Document): Buffer {
  return Buffer.from(id);
}

async function* each(batches: AsyncIterable<readonly Document[]>): AsyncGenerator<Document, undefined> {
  for await (const batch of batches) yield* batch;
  return undefined;
}

interface Place {
  readonly collection: string;
  readonly id: string;
  readonly live: ReadModels;
  readonly replayed: ReadModels;
}

/** The difference that stays once both have passed the other; null when there is none. */
async function settled(
  { collection, id, live, replayed }: Place, same: (a: Document | null, b: Document | null) => boolean,
): Promise<Difference | null> {
  let difference: Difference = { collection, id, live: null, replayed: null };
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const before = await live.checkpoint();
    const found = [await live.get(collection, id), await replayed.get(collection, id)] as const;
    if (same(...found)) return null;
    difference = { collection, id, live: found[0], replayed: found[1] };
    const [now, there] = [await live.checkpoint(), await replayed.checkpoint()];
    if (before === now && now === there) return difference;
    await pause(systemClock, LOOK_MS, new AbortController().signal);
  }
  return difference;
}
