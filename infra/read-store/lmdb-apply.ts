import { afterChange } from '../../src/kernel/change.ts';
import type { Change } from '../../src/kernel/read-store.ts';
import type { LmdbCollection } from './lmdb-collection.ts';
import { sequencesOf } from './lmdb-query.ts';

/**
 * Documents that one transaction changes at most on behalf of `setWhere`: it holds the write lock and the event loop
 * meanwhile.
 */
export const FAN_OUT_BATCH = 1000;

type SetWhere = Extract<Change, { kind: 'setWhere' }>;

/** How far the changes of one apply have come; a fan-out may leave the rest to further transactions. */
export interface Progress {
  readonly changes: readonly Change[];
  /** Place of the next change. */
  next: number;
  /** Documents that the fan-out under way has yet to visit, by sequence number: eight bytes each. */
  waiting: number[];
}

/**
 * Goes on with the changes inside a write transaction; true when all are done, false when it is time to commit.
 * Repeating changes that were committed is harmless: an insert finds its id, all others find a position that is not
 * smaller.
 */
export function proceed(progress: Progress, collectionOf: (name: string) => LmdbCollection): boolean {
  let budget = FAN_OUT_BATCH;
  for (; progress.next < progress.changes.length; progress.next += 1) {
    const change = progress.changes[progress.next];
    if (change === undefined) break;
    const collection = collectionOf(change.collection);
    if (change.kind !== 'setWhere') {
      applyOne(collection, change);
      continue;
    }
    // Collected before anything is changed: the change may well be of the very field that the index is on.
    if (progress.waiting.length === 0) progress.waiting = sequencesOf(collection, { [change.field]: change.value });
    const visited = progress.waiting.splice(-budget);
    for (const sequence of visited) update(collection, sequence, change);
    budget -= visited.length;
    if (progress.waiting.length > 0) return false;
    budget = Math.max(budget, 1);
  }
  return true;
}

function applyOne(collection: LmdbCollection, change: Exclude<Change, SetWhere>): void {
  if (change.kind === 'insert') {
    collection.insert(change.document);
    return;
  }
  const sequence = collection.sequenceOf(change.id);
  if (sequence !== null) update(collection, sequence, change);
}

function update(collection: LmdbCollection, sequence: number, change: Exclude<Change, { kind: 'insert' }>): void {
  const old = collection.at(sequence);
  if (old === null) return;
  const next = afterChange(old, change);
  if (next !== old) collection.replace(sequence, old, next);
}
