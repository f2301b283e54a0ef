/** An asset to store. */
export interface NewAsset {
  /** `{CdnType}/{targetName}`, already checked: no empty, `.` or `..` segment, no backslash, no control character. */
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

/**
 * Thrown by `put` when a key conflicts with one that exists: where keys are paths of a file system, no file can have
 * the name of a folder.
 */
export class AssetKeyRefused extends Error {
  override readonly name = 'AssetKeyRefused';
}

/** Storage of assets: files that clients upload and resources refer to by key. */
export interface Assets {
  /**
   * Stores or replaces an asset completely or not at all: when `content` fails, the old asset stays.
   * @throws {AssetKeyRefused}
   */
  put(asset: NewAsset): Promise<void>;
  get(key: string): Promise<StoredAsset | null>;
}
