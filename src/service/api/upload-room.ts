import { files } from '../../../projections/files.ts';
import type { Config } from '../config/config.ts';
import { streamAll } from '../../domain/documents.ts';
import type { UploadSize } from '../http/endpoint.ts';
import { Problem } from '../http/problems.ts';
import type { ReadModels } from '../../kernel/ports/read-store.ts';
import type { Clock } from '../../kernel/ports/system.ts';

export interface UploadRoomOptions {
  readonly models: ReadModels;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Bytes. */
  readonly limits: Config['uploadRoom'];
  /** Bytes that are free on the disk of the data directory. */
  readonly freeBytes: () => Promise<number>;
}

/** The bytes of a file, and the licence whose key sent them. */
interface Held {
  readonly licenseId: string | undefined;
  readonly size: number;
}

/** An upload about to be stored: the id of its file, and what was there when it was looked up. */
export interface NewUpload extends Held {
  readonly id: string;
  readonly replaced: Held | null;
}

/** Time, in ms, for which bytes are counted by what this process uploads: then they are read again, for those of others. */
const COUNTED_MS = 60_000;

/** Places where the bytes of an upload are while it arrives: its temporary file and the store of assets. */
const COPIES = 2;

/** The room for uploads, which keeps reservations and quotas. */
export type UploadRoom = ReturnType<typeof createUploadRoom>;

/** The room for uploads: quotas of the bytes that are there, and free space on the disk that the events may be on. */
export function createUploadRoom({ models, clock, limits, freeBytes }: UploadRoomOptions) {
  /** Bytes of uploads on their way. */
  let reserved = 0;
  /** Bytes of the files that are there, as they were counted last and changed since; and until when that holds. */
  let usage: Usage = new Map();
  let usageUntil = -Infinity;
  let counting: Promise<void> | null = null;
  /** Uploads that are being stored. */
  const pending = new Set<NewUpload>();
  /** The part of `usage` of each file that was uploaded since the count, or was on its way then. */
  let counted = new Map<string, Held | null>();
  /** Uploads that were stored while a count read the files: it may have read them before or after. */
  let storedMeanwhile: NewUpload[] = [];

  async function count(): Promise<void> {
    try {
      storedMeanwhile = [];
      const found: Usage = new Map();
      const onTheWay = new Map<string, Held | null>([...pending].map(({ id }) => [id, null]));
      for await (const batch of streamAll(models, files, { where: {} })) {
        for (const { id, size, _uploadedBy } of batch) {
          const held = { licenseId: _uploadedBy ?? undefined, size };
          addBytes(found, held.licenseId, size);
          if (onTheWay.has(id)) onTheWay.set(id, held);
        }
      }
      usage = found;
      usageUntil = clock.monotonic() + COUNTED_MS;
      counted = onTheWay;
      storedMeanwhile.forEach(replace);
    } finally {
      counting = null;
    }
  }

  /** Notes that an upload is its file now. */
  function replace(upload: NewUpload): void {
    const before = counted.get(upload.id) ?? null;
    if (before !== null) addBytes(usage, before.licenseId, -before.size);
    addBytes(usage, upload.licenseId, upload.size);
    counted.set(upload.id, upload);
  }

  /** Bytes once all that is on its way is stored: of a file with several uploads all of them, but not what they replace. */
  function expectedUsage(): Usage {
    const expected = new Map(usage);
    for (const id of new Set([...pending].map((upload) => upload.id))) {
      const before = counted.get(id) ?? null;
      if (before !== null) addBytes(expected, before.licenseId, -before.size);
    }
    for (const { licenseId, size } of pending) addBytes(expected, licenseId, size);
    return expected;
  }
  return {
    /** Keeps disk space for an upload, before it is read, until the result is called. @throws {Problem} 507 */
    async reserve({ least, most }: UploadSize): Promise<() => void> {
      if (least > Math.min(limits.perLicense, limits.inTotal))
        throw full('The file is larger than a licence may upload.');
      const bytes = COPIES * most;
      reserved += bytes;
      const release = (): void => {
        reserved -= bytes;
      };
      try {
        const free = await freeBytes();
        if (free - reserved < limits.keptFree) throw full('The disk has no room for more files.');
        return release;
      } catch (error) {
        release();
        throw error;
      }
    },
    /**
     * Counts an upload against the quotas. The result ends its being stored: with whether it is there now.
     * @throws {Problem} 507
     */
    async charge(upload: NewUpload): Promise<(isStored: boolean) => void> {
      if (clock.monotonic() >= usageUntil) await (counting ??= count());
      if (!counted.has(upload.id)) counted.set(upload.id, upload.replaced);
      pending.add(upload);
      const expected = expectedUsage();
      const isOverLicense = (expected.get(upload.licenseId) ?? 0) > limits.perLicense;
      const isOverTotal = [...expected.values()].reduce((total, bytes) => total + bytes) > limits.inTotal;
      if (isOverLicense || isOverTotal) {
        pending.delete(upload);
        throw full(isOverLicense ? 'The licence has no room for more files.' : 'There is no room for more files.');
      }
      return (isStored) => {
        pending.delete(upload);
        if (!isStored) return;
        replace(upload);
        if (counting !== null) storedMeanwhile.push(upload);
      };
    },
  };
}

/** Bytes that are there, by the licence that uploaded them. */
type Usage = Map<string | undefined, number>;

function addBytes(usage: Usage, licenseId: string | undefined, bytes: number): void {
  usage.set(licenseId, (usage.get(licenseId) ?? 0) + bytes);
}

function full(detail: string): Problem {
  return new Problem('INSUFFICIENT_STORAGE', detail);
}
