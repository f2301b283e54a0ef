import { UnreadableSource } from './unreadable-source.ts';

/** The first bytes of a zip archive: of an entry, or of the directory of an empty one. */
const ENTRY = 0x04034b50;
const DIRECTORY_ENTRY = 0x02014b50;
const END = 0x06054b50;
const ENTRY_BYTES = 30;
const DIRECTORY_ENTRY_BYTES = 46;
const END_BYTES = 22;
/** Longest comment behind the directory. */
const MAX_COMMENT_BYTES = 0xffff;
/** What stands in the place of numbers that only ZIP64 has room for. */
const IN_ZIP64 = 0xffffffff;
const MAX_ENTRIES = 10_000;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
/** The field of an entry that has its time in seconds since 1970; the flag says that the field has it. */
const EXACT_TIME = 0x5455;
const HAS_CHANGED_AT = 1;
const MS = 1_000;

/** A file in a zip archive. */
export interface ArchiveEntry {
  readonly name: string;
  /** Its size when it is unpacked, as the archive says. */
  readonly size: number;
  /** When it was last changed, epoch ms. */
  readonly changedAt: number;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly packedSize: number;
  /** Where it begins in the archive. */
  readonly offset: number;
}

/** Whether bytes are those of a zip archive. */
export function isArchive(bytes: Uint8Array): boolean {
  if (bytes.length < END_BYTES) return false;
  const signature = viewOf(bytes).getUint32(0, true);
  return signature === ENTRY || signature === END;
}

/**
 * The files in a zip archive, from its directory, without those that systems add. Nothing is unpacked yet.
 * @throws {UnreadableSource} if it is broken, leads out of its folder or has too many entries.
 */
export function archiveEntries(path: string, bytes: Uint8Array): readonly ArchiveEntry[] {
  const view = viewOf(bytes);
  const end = endOf(path, view);
  const count = view.getUint16(end + 10, true);
  if (count > MAX_ENTRIES) throw new UnreadableSource(path, `it has more than ${MAX_ENTRIES} entries`);
  let at = view.getUint32(end + 16, true);
  if (at === IN_ZIP64) throw new UnreadableSource(path, 'it is in the ZIP64 format, for archives of over 4 GB');
  const entries: ArchiveEntry[] = [];
  for (let n = 0; n < count; n += 1) {
    if (at + DIRECTORY_ENTRY_BYTES > end || view.getUint32(at, true) !== DIRECTORY_ENTRY) {
      throw new UnreadableSource(path, `its directory is broken at byte ${at}`);
    }
    const nameBytes = view.getUint16(at + 28, true);
    const extraBytes = view.getUint16(at + 30, true);
    const nameStart = at + DIRECTORY_ENTRY_BYTES;
    const next = nameStart + nameBytes + extraBytes + view.getUint16(at + 32, true);
    if (next > end) throw new UnreadableSource(path, `its directory is broken at byte ${at}`);
    const name = new TextDecoder().decode(bytes.subarray(nameStart, nameStart + nameBytes)).replaceAll('\\', '/');
    const extra = bytes.subarray(nameStart + nameBytes, nameStart + nameBytes + extraBytes);
    if (leadsOut(name)) throw new UnreadableSource(path, `invalid relative path: ${name}`);
    if (!isOfSystem(name)) {
      entries.push({
        name,
        size: view.getUint32(at + 24, true),
        changedAt: exactTimeIn(extra) ?? dosTime(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
        method: view.getUint16(at + 10, true),
        isEncrypted: (view.getUint16(at + 8, true) & ENCRYPTED) !== 0,
        packedSize: view.getUint32(at + 20, true),
        offset: view.getUint32(at + 42, true),
      });
    }
    at = next;
  }
  return entries;
}

/**
 * The bytes of an entry. What the archive says about its size is not trusted: unpacking ends as soon as there are more.
 * @throws {UnreadableSource} if they are not what the archive says.
 */
export async function unpacked(place: string, archive: Uint8Array, entry: ArchiveEntry): Promise<Uint8Array> {
  const { offset, packedSize, size } = entry;
  if (entry.isEncrypted) throw new UnreadableSource(place, 'it is encrypted');
  const view = viewOf(archive);
  if (offset + ENTRY_BYTES > archive.length || view.getUint32(offset, true) !== ENTRY) {
    throw new UnreadableSource(place, 'the archive does not have it where it says');
  }
  const start = offset + ENTRY_BYTES + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const packed = archive.subarray(start, start + packedSize);
  if (packed.length < packedSize) throw new UnreadableSource(place, 'the archive is cut off');
  if (entry.method === STORED) {
    if (packed.length !== size) throw new UnreadableSource(place, 'it has another size than the archive says');
    return packed;
  }
  if (entry.method !== DEFLATED) throw new UnreadableSource(place, `it is compressed by method ${entry.method}`);
  return inflated(place, packed, size);
}

async function inflated(place: string, packed: Uint8Array, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let length = 0;
  // A copy: the stream takes bytes of buffers that nobody shares.
  const stream = new Blob([packed.slice()]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.getReader();
  while (true) {
    const read = await reader.read().catch((error: unknown) => {
      throw new UnreadableSource(place, 'it cannot be unpacked', { cause: error });
    });
    const part: unknown = read.value;
    if (!(part instanceof Uint8Array)) break;
    if (length + part.length > size) {
      await reader.cancel();
      throw new UnreadableSource(place, `it has more than the ${size} bytes that the archive says`);
    }
    bytes.set(part, length);
    length += part.length;
  }
  if (length < size) throw new UnreadableSource(place, `it has ${length} bytes; the archive says ${size}`);
  return bytes;
}

/** Where the end of the directory is: behind it there is at most a comment. */
function endOf(path: string, view: DataView): number {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at -= 1) {
    const isEnd = view.getUint32(at, true) === END;
    if (isEnd && at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength) return at;
  }
  throw new UnreadableSource(path, 'it has no end of a zip archive: it is cut off');
}

function leadsOut(name: string): boolean {
  return name.startsWith('/') || /^[a-z]:/i.test(name) || name.split('/').includes('..');
}

/** Whether an entry is a folder, or what a system keeps beside files. */
function isOfSystem(name: string): boolean {
  const last = name.split('/').at(-1) ?? '';
  return name.endsWith('/') || last.startsWith('.') || name.startsWith('__MACOSX/');
}

/** The time in the fields behind a name, epoch ms; null: there is none. */
function exactTimeIn(extra: Uint8Array): number | null {
  const view = viewOf(extra);
  let at = 0;
  while (at + 4 <= extra.length) {
    const bytes = view.getUint16(at + 2, true);
    const hasTime = view.getUint16(at, true) === EXACT_TIME && bytes >= 5 && at + 9 <= extra.length;
    if (hasTime && (view.getUint8(at + 4) & HAS_CHANGED_AT) !== 0) return view.getInt32(at + 5, true) * MS;
    at += 4 + bytes;
  }
  return null;
}

/** A moment of MS-DOS, which is without a zone: taken for that of this computer. */
function dosTime(date: number, time: number): number {
  const day = new Date((date >> 9) + 1980, ((date >> 5) & 15) - 1, date & 31);
  day.setHours(time >> 11, (time >> 5) & 63, (time & 31) * 2);
  return day.getTime();
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
