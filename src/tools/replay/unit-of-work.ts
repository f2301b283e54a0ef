import type { Position } from '../../service/kernel/ports/event-store.ts';
import type { Change, Document, ReadModels } from '../../service/kernel/ports/read-store.ts';
import type { FirstOptions, ReadModel } from '../../service/kernel/projection/projection.ts';
import { applyChange, type UnitOfWork } from '../../service/kernel/projection/unit-of-work.ts';

/** Pending changes, and documents in the cache, at which it is time to commit. */
const MAX_CHANGES = 20_000;
const MAX_CACHED_DOCUMENTS = 100_000;
/** The same for parts: each fan-out begins a new one, and looking a document up goes through all of them. */
const MAX_PARTS = 100;

type SingleChange = Exclude<Change, { readonly kind: 'setWhere' }>;
type FanOut = Extract<Change, { readonly kind: 'setWhere' }>;

/** Changes of single documents by id, and the fan-outs that came after them. */
interface Part {
  readonly byId: Map<string, SingleChange[]>;
  readonly fanOuts: FanOut[];
}

/** The pending changes of one collection, and its cache. */
interface Pending {
  /** Documents as they are after all pending changes; null: there is none. */
  readonly documents: Map<string, Document | null>;
  parts: Part[];
}

/**
 * A unit of work over many batches, so that a replay commits rarely. Successive `set` changes of one document are
 * merged into one, so that a counter costs one write per commit and not one per event. An insert is not merged
 * (docs/architecture.md#projection-rules).
 */
export class ReplayUnitOfWork implements UnitOfWork {
  readonly #models: Pick<ReadModels, 'get' | 'apply' | 'find'>;
  readonly #collections: ReadonlyMap<string, Pending>;
  #changes = 0;
  #cachedDocuments = 0;
  #parts = 0;

  constructor(models: Pick<ReadModels, 'get' | 'apply' | 'find'>, collections: readonly string[]) {
    this.#models = models;
    this.#collections = new Map(collections.map((name) => [name, { documents: new Map(), parts: [newPart()] }]));
  }

  /** Whether it is time to commit. */
  get full(): boolean {
    return this.#changes >= MAX_CHANGES || this.#cachedDocuments >= MAX_CACHED_DOCUMENTS || this.#parts >= MAX_PARTS;
  }

  readonly look = <D extends Document>({ collection }: ReadModel<D>, id: string): D | null | Promise<D | null> => {
    const document = this.#pending(collection).documents.get(id);
    const found = document === undefined ? this.#read(collection, id) : document;
    // Only this read model's own projection writes to the collection, through its typed functions.
    return found as D | null | Promise<D | null>;
  };

  readonly find = async <D extends Document>({ collection }: ReadModel<D>, query: FirstOptions) => {
    this.#pending(collection);
    await this.commit(null);
    // As above.
    return (await this.#models.find(collection, { ...query, offset: 0 })) as readonly D[];
  };

  readonly add = (change: Change): void => {
    const pending = this.#pending(change.collection);
    const part = this.#partFor(pending, change);
    if (change.kind === 'setWhere') {
      part.fanOuts.push(change);
      this.#changes += 1;
      for (const [id, document] of pending.documents) pending.documents.set(id, applyChange(document, change));
      return;
    }
    const id = change.kind === 'insert' ? change.document.id : change.id;
    const document = pending.documents.get(id);
    // An event delivered again after a crash: its change has no effect, and must not be merged with a later one.
    if (change.kind !== 'insert' && (document?._position ?? -1) >= change.position) return;
    this.#addTo(part, id, change);
    if (document !== undefined) pending.documents.set(id, applyChange(document, change));
  };

  readonly commit = async (checkpoint: Position | null): Promise<void> => {
    await this.#models.apply([...this.#collections.values()].flatMap(changesOf), checkpoint);
    for (const pending of this.#collections.values()) pending.parts = [newPart()];
    this.#changes = 0;
    this.#parts = 0;
    if (this.#cachedDocuments >= MAX_CACHED_DOCUMENTS) this.#clearCache();
  };

  readonly reset = (): void => {
    for (const pending of this.#collections.values()) pending.parts = [newPart()];
    this.#changes = 0;
    this.#parts = 0;
    this.#clearCache();
  };

  #clearCache(): void {
    for (const { documents } of this.#collections.values()) documents.clear();
    this.#cachedDocuments = 0;
  }

  async #read(collection: string, id: string): Promise<Document | null> {
    const pending = this.#pending(collection);
    let document = await this.#models.get(collection, id);
    for (const { byId, fanOuts } of pending.parts) {
      for (const change of byId.get(id) ?? []) document = applyChange(document, change);
      for (const change of fanOuts) document = applyChange(document, change);
    }
    pending.documents.set(id, document);
    this.#cachedDocuments += 1;
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

  #addTo({ byId }: Part, id: string, change: SingleChange): void {
    const before = byId.get(id);
    const last = before?.at(-1);
    if (before === undefined) byId.set(id, [change]);
    else if (last?.kind === 'set' && change.kind === 'set') before[before.length - 1] = merged(last, change);
    else before.push(change);
    this.#changes += last?.kind === 'set' && change.kind === 'set' ? 0 : 1;
  }

  /** @throws {TypeError} when no projection of the module keeps the collection. */
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

type SetChange = Extract<Change, { readonly kind: 'set' }>;

function merged(before: SetChange, after: SetChange): SetChange {
  return { ...before, ...after, fields: { ...before.fields, ...after.fields } };
}

function changesOf({ parts }: Pending): readonly Change[] {
  return parts.flatMap(({ byId, fanOuts }) => [...[...byId.values()].flat(), ...fanOuts]);
}
