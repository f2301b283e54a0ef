import { files } from '../../../projections/files.ts';
import type { Config } from '../config/config.ts';
import { streamAll } from '../domain/documents.ts';
import type { UploadSize } from '../http/endpoint.ts';
import { Problem } from '../http/problems.ts';
import type { ReadModels } from '../kernel/ports/read-store.ts';
import type { Clock } from '../kernel/ports/system.ts';

export interface UploadRoomOptions {
  readonly models: ReadModels;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** In bytes. */
  readonly limits: Config['uploadRoom'];
  /** Bytes that are free on the disk of the data directory. */
  readonly freeBytes: () => Promise<number>;
}

/** An upload about to be stored: the licence whose key sent it, its bytes, and what it replaces. */
export interface NewUpload {
  readonly licenseId: string | undefined;
  readonly size: number;
  readonly replaced: { readonly licenseId: string | undefined; readonly size: number } | null;
}

/** How long, in ms, bytes are counted by what this process uploads: then they are read again, for those of others. */
const COUNTED_MS = 60_000;

/** Places where the bytes of an upload are while it arrives: its temporary file and the store of assets. */
const COPIES = 2;

/** The room for uploads: quotas of the bytes that are there, and free space on the disk that the events may be on. */
export function createUploadRoom({ models, clock, limits, freeBytes }: UploadRoomOptions) {
  /** Bytes of uploads on their way. */
  let reserved = 0;
  /** What was counted last, until when, and the count under way. */
  let [usage, usageUntil]: [Usage, number] = [new Map(), -Infinity];
  let counting: Promise<void> | null = null;
  /** What uploads that are being stored change. */
  const pending = new Set<NewUpload>();
  async function count(): Promise<void> {
    try {
      const counted: Usage = new Map();
      for await (const batch of streamAll(models, files, { where: {} }))
        for (const { size, _uploadedBy } of batch) addBytes(counted, _uploadedBy ?? undefined, size);
      for (const upload of pending) add(counted, upload);
      [usage, usageUntil] = [counted, clock.monotonic() + COUNTED_MS];
    } finally {
      counting = null;
    }
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
      const after = new Map(usage);
      add(after, upload);
      if ((after.get(upload.licenseId) ?? 0) > limits.perLicense) throw full('The licence has no room for more files.');
      if ([...after.values()].reduce((total, bytes) => total + bytes) > limits.inTotal)
        throw full('There is no room for more files.');
      usage = after;
      pending.add(upload);
      return (isStored) => {
        pending.delete(upload);
        if (!isStored) add(usage, upload, -1);
      };
    },
  };
}

/** Bytes that are there, by the licence that uploaded them. */
type Usage = Map<string | undefined, number>;

/** Adds an upload, or takes it away again (`sign` -1). */
function add(usage: Usage, { licenseId, size, replaced }: NewUpload, sign: 1 | -1 = 1): void {
  addBytes(usage, licenseId, sign * size);
  if (replaced !== null) addBytes(usage, replaced.licenseId, -sign * replaced.size);
}

function addBytes(usage: Usage, licenseId: string | undefined, bytes: number): void {
  usage.set(licenseId, (usage.get(licenseId) ?? 0) + bytes);
}

function full(detail: string): Problem {
  return new Problem('INSUFFICIENT_STORAGE', detail);
}
