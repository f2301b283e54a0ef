import { Packr } from 'msgpackr';
import type { Document } from '../../src/kernel/ports/read-store.ts';

/** The sets of field names that a collection's documents have had, each named by its place in the list. */
export type Shapes = readonly (readonly string[])[];

/** How msgpackr hands over its shapes: with the question whether those in the store are the ones it built upon. */
type MutableShapes = string[][] & { isCompatible?: (existing: Shapes) => boolean };

/** Where a collection's shapes are kept. Both are called inside the transaction that reads or writes the document. */
export interface ShapeStore {
  load(): Shapes | null;
  save(shapes: Shapes): void;
}

/** What lmdb wants of an `encoder`. */
export interface DocumentCodec {
  /** Tells lmdb that it may have the buffer of the previous document reused. */
  readonly copyBuffers: true;
  encode(document: Document, mode?: number): Buffer;
  decode(bytes: Buffer): Document;
  /** Forgets what is known about shapes: after a transaction that failed, they were not saved. */
  reset(): void;
}

/**
 * Documents as msgpack; field names are written once per collection and shape. Only whole documents have shapes:
 * JSON-valued fields have keys that users choose, so they are written as plain maps, or the list would grow without
 * bound. (msgpackr shares 32 shapes at most; documents of further ones carry their names with them.)
 */
export function documentCodec(store: ShapeStore): DocumentCodec {
  let whole: Document | null = null;
  const isWhole = (value: object): boolean => value === whole;
  let packr = sharingPackr(store, isWhole);
  return {
    copyBuffers: true,
    encode: (document, mode) => {
      whole = document;
      return packr.encode(document, mode);
    },
    // What was encoded above was a document.
    decode: (bytes) => packr.decode(bytes) as Document,
    reset: () => {
      packr = sharingPackr(store, isWhole);
    },
  };
}

function sharingPackr(store: ShapeStore, isWhole: (value: object) => boolean): Packr {
  return new Packr({
    useRecords: isWhole,
    useToJSON: false,
    variableMapSize: true,
    mapsAsObjects: true,
    // msgpackr keeps notes in the arrays, so they are its own.
    getStructures: () => (store.load() ?? []).map((fields) => [...fields]),
    // Another process may have added shapes since: false makes msgpackr load them and encode again.
    saveStructures: (shapes: MutableShapes) => {
      if (shapes.isCompatible?.(store.load() ?? []) === false) return false;
      store.save(shapes);
      return true;
    },
  });
}
