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

/** An asset as it is kept. */
export interface StoredAsset {
  readonly contentType: string;
  /** Size in bytes. */
  readonly size: number;
  /** Changes whenever the content or its type does; visible ASCII without quotes. */
  readonly etag: string;
  /** To be read once. Who does not read it to its end calls `return` of its iterator, before any `next` if need be. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Files that clients upload and resources refer to by key. */
export interface Assets {
  /** Stores or replaces an asset, all of it or nothing: when `content` fails, what was there before stays. */
  put(asset: NewAsset): Promise<void>;
  get(key: string): Promise<StoredAsset | null>;
}
