import { Packr } from 'msgpackr';
import { DocumentTooLarge } from '../../src/service/kernel/ports/errors.ts';
import type { Document } from '../../src/service/kernel/ports/read-store.ts';

/** Largest stored document, in bytes; the same as in MongoDB. */
const MAX_STORED_BYTES = 16 * 1024 * 1024;

/** The lists of field names that the documents of a collection have; a stored document refers to one by its index. */
export type Shapes = readonly (readonly string[])[];

/** Shapes as msgpackr passes them; `isCompatible` says whether they extend the given ones. */
type MutableShapes = string[][] & { isCompatible?: (existing: Shapes) => boolean };

/** Loads and saves a collection's shapes, inside the transaction that reads or writes the document. */
export interface ShapeStore {
  load(): Shapes | null;
  save(shapes: Shapes): void;
}

/** An encoded document is a part of a buffer that is reused. */
type Encoded = Buffer & { readonly start?: number; readonly end?: number };

/**
 * A codec of documents, an `encoder` of lmdb: msgpack, with field names stored once per collection and shape. Only
 * whole documents have shapes: JSON-valued fields have keys that users choose, so they are written as plain maps, or
 * the list would grow without bound. (msgpackr shares at most 32 shapes; documents of further ones contain their field
 * names.)
 */
export class DocumentCodec {
  /** Makes lmdb copy buffers, which are reused for the next document. */
  readonly copyBuffers = true;
  /** The function of msgpackr itself: a page decodes hundreds of documents. */
  decode: (bytes: Buffer, size?: number) => Document;
  /** Bytes of the document that was encoded last. */
  bytes = 0;
  readonly #shapes: ShapeStore;
  readonly #collection: string;
  #packr: Packr;
  #whole: Document | null = null;

  constructor(shapes: ShapeStore, collection: string) {
    this.#shapes = shapes;
    this.#collection = collection;
    this.#packr = this.#newPackr();
    this.decode = this.#packr.decode.bind(this.#packr);
  }

  encode(document: Document, mode?: number): Buffer {
    this.#whole = document;
    const bytes: Encoded = this.#packr.encode(document, mode);
    const { start = 0, end = bytes.length } = bytes;
    this.bytes = end - start;
    if (this.bytes > MAX_STORED_BYTES) throw new DocumentTooLarge(this.#collection);
    return bytes;
  }

  /** Forgets the cached shapes: those of a failed transaction were not saved. */
  reset(): void {
    this.#packr = this.#newPackr();
    this.decode = this.#packr.decode.bind(this.#packr);
  }

  #newPackr(): Packr {
    return new Packr({
      useRecords: (value: object) => value === this.#whole,
      useToJSON: false,
      variableMapSize: true,
      mapsAsObjects: true,
      // Copies, since msgpackr adds properties to the arrays.
      getStructures: () => (this.#shapes.load() ?? []).map((fields) => [...fields]),
      // Another process may have added shapes: `false` makes msgpackr load them and encode again.
      saveStructures: (shapes: MutableShapes) => {
        if (shapes.isCompatible?.(this.#shapes.load() ?? []) === false) return false;
        this.#shapes.save(shapes);
        return true;
      },
    });
  }
}
