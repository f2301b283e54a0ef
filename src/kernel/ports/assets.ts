/** An asset to store. */
export interface NewAsset {
  /** Segments with slashes between them: none is empty, `.` or `..`, and there is no backslash or control character. */
  readonly key: string;
  /** Media type to serve it with. */
  readonly contentType: string;
  /** Size in bytes. */
  readonly size: number;
  /** May be read more than once. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** An asset as it is stored. */
export interface StoredAsset {
  readonly contentType: string;
  /** Size in bytes. */
  readonly size: number;
  /** Changes whenever the content or its type does; visible ASCII without quotes. */
  readonly etag: string;
  /**
   * Can be read once. A reader that does not read to the end calls `return` of the iterator, possibly before any
   * `next`.
   */
  readonly content: AsyncIterable<Uint8Array>;
  /** The bytes from `first` to `last` inclusive, from 0, of this very content, which cannot be read any more then. */
  readonly part: (first: number, last: number) => Promise<AsyncIterable<Uint8Array>>;
}

/** Content that is read piece by piece (null: the end), and closed at its end, at an error, or by `return`. */
export function assetContent(read: () => Promise<Uint8Array | null>, close: () => void | Promise<void>) {
  let isOpen = true;
  const end = async () => {
    if (isOpen) {
      isOpen = false;
      await close();
    }
    return { done: true, value: undefined } as const;
  };
  return {
    async next() {
      try {
        const value = isOpen ? await read() : null;
        if (value !== null) return { done: false, value } as const;
      } catch (error) {
        await end();
        throw error;
      }
      return end();
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** An asset in a listing: its key, and when it was stored, epoch ms by the clock of the store. */
export interface ListedAsset {
  readonly key: string;
  readonly storedAt: number;
}

/** Storage of assets: the bytes of the files that clients upload. */
export interface Assets {
  /** Stores or replaces an asset completely or not at all: when `content` fails, the old asset stays. */
  put(asset: NewAsset): Promise<void>;
  get(key: string): Promise<StoredAsset | null>;
  /** Removes an asset if there is one. A read that has begun continues, or fails. */
  remove(key: string): Promise<void>;
  /**
   * Gives an asset another key, with the same content, type and etag, and replaces what is there; nothing if there is
   * none. The asset is never under neither key; a process that ends in between leaves it under both.
   */
  move(key: string, to: string): Promise<void>;
  /** Lists the assets whose keys begin with a prefix, in no order; one that is put or removed meanwhile may be missed. */
  list(prefix: string): AsyncIterable<ListedAsset>;
}

/** Whether there is an asset with this key. */
export async function hasAsset(assets: Pick<Assets, 'get'>, key: string): Promise<boolean> {
  const asset = await assets.get(key);
  await asset?.content[Symbol.asyncIterator]().return?.();
  return asset !== null;
}
