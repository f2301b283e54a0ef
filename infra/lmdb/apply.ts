import { applyChange } from '../../src/kernel/projection/unit-of-work.ts';
import type { Change, Document } from '../../src/kernel/ports/read-store.ts';
import type { LmdbCollection } from './collection.ts';
import { sequencesOf } from './query.ts';

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
  const drafts = new Drafts();
  let budget = FAN_OUT_BATCH;
  for (; progress.next < progress.changes.length; progress.next += 1) {
    const change = progress.changes[progress.next];
    if (change === undefined) break;
    const collection = collectionOf(change.collection);
    if (change.kind !== 'setWhere') {
      drafts.change(collection, change);
      continue;
    }
    drafts.write();
    // Collected before anything is changed: the change may well be of the very field that the index is on.
    if (progress.waiting.length === 0) progress.waiting = sequencesOf(collection, { [change.field]: change.value });
    const visited = progress.waiting.splice(-budget);
    for (const sequence of visited) update(collection, sequence, change);
    budget -= visited.length;
    if (progress.waiting.length > 0) return false;
    budget = Math.max(budget, 1);
  }
  drafts.write();
  return true;
}

function update(collection: LmdbCollection, sequence: number, change: SetWhere): void {
  const old = collection.at(sequence);
  if (old === null) return;
  const next = applyChange(old, change);
  if (next !== old) collection.replace(sequence, old, next);
}

/** A document as it is stored and as it will be; null: there is none. */
interface Draft {
  readonly sequence: number | null;
  readonly old: Document | null;
  next: Document | null;
}

/** Documents that changed inside one transaction: each is written once, however many changes it has had. */
class Drafts {
  readonly #drafts = new Map<LmdbCollection, Map<string, Draft>>();

  change(collection: LmdbCollection, change: Exclude<Change, SetWhere>): void {
    const draft = this.#draft(collection, change.kind === 'insert' ? change.document.id : change.id);
    draft.next = applyChange(draft.next, change);
  }

  write(): void {
    for (const [collection, drafts] of this.#drafts) {
      for (const { sequence, old, next } of drafts.values()) {
        if (next === null || next === old) continue;
        if (sequence === null || old === null) collection.insert(next);
        else collection.replace(sequence, old, next);
      }
    }
    this.#drafts.clear();
  }

  #draft(collection: LmdbCollection, id: string): Draft {
    let drafts = this.#drafts.get(collection);
    if (drafts === undefined) this.#drafts.set(collection, (drafts = new Map<string, Draft>()));
    let draft = drafts.get(id);
    if (draft === undefined) {
      const sequence = collection.sequenceOf(id);
      const old = sequence === null ? null : collection.at(sequence);
      drafts.set(id, (draft = { sequence, old, next: old }));
    }
    return draft;
  }
}
