import { createHash, randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readdir, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { assetContent } from '../../src/kernel/ports/assets.ts';
import { hasCode, NoPlainFile, openPlainFile, replaceOpenFile, sync } from '../system/disk.ts';
import type { Assets, ListedAsset, NewAsset, StoredAsset } from '../../src/kernel/ports/assets.ts';

/**
 * Every file starts with this many bytes of JSON, padded with spaces: one file, so that content and type change
 * together.
 */
const HEADER_BYTES = 2_048;
const READ_BYTES = 65_536;
const ETAG_LENGTH = 22;

const OWNER_ONLY = 0o700;

/** Name of the file of an asset. */
const NAME = /^[\da-f]{64}$/;

/** `size`: bytes of content after the header. */
type Header = Omit<NewAsset, 'content'> & Pick<StoredAsset, 'etag'>;

/**
 * Keeps assets as files below a directory, named by a hash of their key: no key, however odd, can name a path. A file
 * is written under `incoming`, synced and renamed, so it is visible whole or not at all. Opening removes what dead
 * processes left there long ago. Several processes may share the directory.
 */
export async function openFilesystemAssets(directory: string): Promise<Assets> {
  const incoming = join(directory, 'incoming');
  await mkdir(incoming, { recursive: true, mode: OWNER_ONLY });
  for (const name of await readdir(incoming)) {
    if (await isLeftover(join(incoming, name))) await rm(join(incoming, name), { force: true });
  }
  /** Two levels, so that no folder grows too large. */
  const placeOf = (key: string) => {
    const name = createHash('sha256').update(key).digest('hex');
    const folder = join(directory, name.slice(0, 2));
    return { folder, path: join(folder, name) };
  };
  async function put(asset: NewAsset): Promise<void> {
    const { folder, path } = placeOf(asset.key);
    const draft = join(incoming, randomUUID());
    try {
      await writeDraft(draft, asset);
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
      await replaceOpenFile(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    // Puts both names on disk: the file's in its folder, and the folder's if it is new.
    await sync(folder);
    await sync(directory);
  }
  async function get(key: string): Promise<StoredAsset | null> {
    const handle = await openExisting(placeOf(key).path);
    return handle && storedIn(handle);
  }
  const remove = (key: string): Promise<void> => rm(placeOf(key).path, { force: true });
  return {
    put,
    get,
    remove,
    // A copy, as the key is in the file.
    async move(key, to) {
      const asset = await get(key);
      if (asset === null) return;
      await put({ key: to, contentType: asset.contentType, size: asset.size, content: asset.content });
      await remove(key);
    },
    async *list(prefix) {
      for (const folder of await readdir(directory)) {
        if (!/^[\da-f]{2}$/.test(folder)) continue;
        for (const name of await readdir(join(directory, folder))) {
          // One that was replaced while somebody reads it has another name.
          if (!NAME.test(name)) continue;
          const listed = await listedAt(join(directory, folder, name));
          if (listed?.key.startsWith(prefix) === true) yield listed;
        }
      }
    },
  };
}

/** Time, in ms, for which a file that is being written may stand still: several times what an upload may take in all. */
const ABANDONED_MS = 600_000;

/** Judges by age, not by the writer: processes of other containers cannot be seen, and may have the same ids. */
async function isLeftover(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > ABANDONED_MS;
}

async function storedIn(handle: FileHandle): Promise<StoredAsset> {
  try {
    const { contentType, size, etag } = await readHeader(handle);
    const content = contentOf(handle, 0, size - 1);
    const part = async (first: number, last: number) => contentOf(handle, first, last);
    return { contentType, size, etag, content, part };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function writeDraft(path: string, { key, contentType, content }: NewAsset): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256').update(contentType);
    let size = 0;
    // Each of these writes begins where the one before has ended.
    await handle.writeFile(Buffer.alloc(HEADER_BYTES));
    for await (const chunk of content) {
      hash.update(chunk);
      await handle.writeFile(chunk);
      size += chunk.length;
    }
    const etag = hash.digest('base64url').slice(0, ETAG_LENGTH);
    await writeFile(path, headerOf({ key, contentType, size, etag }), { flag: 'r+' });
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function headerOf(header: Header): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES, ' ');
  const json = JSON.stringify(header);
  if (Buffer.byteLength(json) > HEADER_BYTES) throw new RangeError('the key and type of an asset are too long');
  bytes.write(json);
  return bytes;
}

async function readHeader(handle: FileHandle): Promise<Header> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
  if (bytesRead < HEADER_BYTES) throw new Error('a stored asset is cut short');
  // Files get their final name only once `headerOf` has written this.
  return JSON.parse(buffer.toString('utf8')) as Header;
}

/** The asset in a file; null if it has just been removed. */
async function listedAt(path: string): Promise<ListedAsset | null> {
  const handle = await openExisting(path);
  if (!handle) return null;
  try {
    const { key } = await readHeader(handle);
    return { key, storedAt: (await handle.stat()).mtimeMs };
  } finally {
    await handle.close();
  }
}

async function openExisting(path: string): Promise<FileHandle | null> {
  try {
    return await openPlainFile(path);
  } catch (error) {
    // Links and the like are none of ours.
    if (hasCode(error, 'ENOENT') || error instanceof NoPlainFile) return null;
    throw error;
  }
}

/**
 * The bytes after the header. The file stays open until they are read or `return` is called, and keeps them if it is
 * replaced.
 */
function contentOf(handle: FileHandle, first: number, last: number) {
  const end = HEADER_BYTES + last + 1;
  let position = HEADER_BYTES + first;
  const read = async (): Promise<Uint8Array | null> => {
    if (position === end) return null;
    const length = Math.min(READ_BYTES, end - position);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
    if (bytesRead === 0) throw new Error('a stored asset is cut short');
    position += bytesRead;
    return buffer.subarray(0, bytesRead);
  };
  return assetContent(read, () => handle.close());
}
