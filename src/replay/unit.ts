import type { Position } from '../kernel/ports/event-store.ts';
import type { Change, Document, ReadModels } from '../kernel/ports/read-store.ts';
import type { ReadModel } from '../kernel/projection/projection.ts';
import { applyChange, type UnitOfWork } from '../kernel/projection/unit-of-work.ts';

/** When it is time to commit: so many changes are pending, or so many documents remembered. */
const MAX_CHANGES = 20_000;
const MAX_REMEMBERED = 100_000;
/** Fan-outs divide the changes into parts, and a document that is looked up has to go through all of them. */
const MAX_PARTS = 100;

type OfOne = Exclude<Change, { readonly kind: 'setWhere' }>;
type FanOut = Extract<Change, { readonly kind: 'setWhere' }>;

/** Changes by id, and the fan-outs that came after them. */
interface Part {
  readonly byId: Map<string, OfOne[]>;
  readonly fanOuts: FanOut[];
}

interface Pending {
  /** Documents as they are after all changes; null: there is none. */
  readonly known: Map<string, Document | null>;
  parts: Part[];
}

/**
 * The changes of many batches, for a replay that writes seldom. Successive values for fields of one document become
 * one change, so that a counter costs a write per commit and not one per event. An insert stays by itself (DESIGN §2).
 */
export class ReplayUnit implements UnitOfWork {
  readonly #models: Pick<ReadModels, 'get' | 'apply'>;
  readonly #collections: ReadonlyMap<string, Pending>;
  #changes = 0;
  #remembered = 0;
  #parts = 0;

  constructor(models: Pick<ReadModels, 'get' | 'apply'>, collections: readonly string[]) {
    this.#models = models;
    this.#collections = new Map(collections.map((name) => [name, { known: new Map(), parts: [newPart()] }]));
  }

  /** Whether it is time to commit. */
  get full(): boolean {
    return this.#changes >= MAX_CHANGES || this.#remembered >= MAX_REMEMBERED || this.#parts >= MAX_PARTS;
  }

  readonly look = <D extends Document>({ collection }: ReadModel<D>, id: string): D | null | Promise<D | null> => {
    const document = this.#pending(collection).known.get(id);
    const found = document === undefined ? this.#read(collection, id) : document;
    // The collection's own projection wrote it, through the typed functions of this very read model.
    return found as D | null | Promise<D | null>;
  };

  readonly add = (change: Change): void => {
    const pending = this.#pending(change.collection);
    const part = this.#partFor(pending, change);
    if (change.kind === 'setWhere') {
      part.fanOuts.push(change);
      this.#changes += 1;
      for (const [id, document] of pending.known) pending.known.set(id, applyChange(document, change));
      return;
    }
    const id = change.kind === 'insert' ? change.document.id : change.id;
    const document = pending.known.get(id);
    // Delivered again, after a crash: it has no effect, and must not come along with a later change that has one.
    if (change.kind !== 'insert' && (document?._position ?? -1) >= change.position) return;
    this.#keep(part, id, change);
    if (document !== undefined) pending.known.set(id, applyChange(document, change));
  };

  readonly commit = async (checkpoint: Position): Promise<void> => {
    await this.#models.apply([...this.#collections.values()].flatMap(changesOf), checkpoint);
    for (const pending of this.#collections.values()) pending.parts = [newPart()];
    this.#changes = 0;
    this.#parts = 0;
    if (this.#remembered >= MAX_REMEMBERED) this.#forget();
  };

  readonly reset = (): void => {
    for (const pending of this.#collections.values()) pending.parts = [newPart()];
    this.#changes = 0;
    this.#parts = 0;
    this.#forget();
  };

  #forget(): void {
    for (const { known } of this.#collections.values()) known.clear();
    this.#remembered = 0;
  }

  async #read(collection: string, id: string): Promise<Document | null> {
    const pending = this.#pending(collection);
    let document = await this.#models.get(collection, id);
    for (const { byId, fanOuts } of pending.parts) {
      for (const change of byId.get(id) ?? []) document = applyChange(document, change);
      for (const change of fanOuts) document = applyChange(document, change);
    }
    pending.known.set(id, document);
    this.#remembered += 1;
    return document;
  }

  #partFor(pending: Pending, change: Change): Part {
    const last = pending.parts.at(-1) ?? newPart();
    if (change.kind === 'setWhere' || last.fanOuts.length === 0) return last;
    const part = newPart();
    pending.parts.push(part);
    this.#parts += 1;
    return part;
  }

  #keep({ byId }: Part, id: string, change: OfOne): void {
    const before = byId.get(id);
    const last = before?.at(-1);
    if (before === undefined) byId.set(id, [change]);
    else if (last?.kind === 'set' && change.kind === 'set') before[before.length - 1] = merged(last, change);
    else before.push(change);
    this.#changes += last?.kind === 'set' && change.kind === 'set' ? 0 : 1;
  }

  /** @throws {TypeError} when nothing keeps the collection. */
  #pending(collection: string): Pending {
    const pending = this.#collections.get(collection);
    if (pending !== undefined) return pending;
    throw new TypeError(
      `it looks up ${collection}, but no projection of the module keeps them: ` +
        'add ...lookUps (or lapsProjection) to the default export',
    );
  }
}

function newPart(): Part {
  return { byId: new Map(), fanOuts: [] };
}

type SetOne = Extract<Change, { readonly kind: 'set' }>;

function merged(before: SetOne, after: SetOne): SetOne {
  return { ...before, ...after, fields: { ...before.fields, ...after.fields } };
}

function changesOf({ parts }: Pending): readonly Change[] {
  return parts.flatMap(({ byId, fanOuts }) => [...[...byId.values()].flat(), ...fanOuts]);
}
