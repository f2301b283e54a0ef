import { fileDecider } from '../../../commands/files.ts';
import { fileKeyOf, type FilePath } from '../../domain/file-path.ts';
import { ROOT_LICENSE_ID } from '../../domain/roles.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import type { NewAsset } from '../../kernel/ports/assets.ts';
import type { Ids } from '../../kernel/ports/system.ts';
import { streamOf } from '../../kernel/stream-names.ts';

/*
 * Where the bytes of uploads lie in the store of assets:
 *
 *   files/<history>/<file>/<upload>      the bytes of an upload
 *   recorded/<history>/<file>/<upload>   a note, empty: the upload is recorded
 *   removed/<day>/<key>                  bytes of no file, set aside before they are removed
 *   <type>/<name>                        files from before there were events of files
 *
 * No folder of files has one of these three names, and another history that has the same bucket has other keys.
 */

const CONTENT = 'files';
const RECORDED = 'recorded';
const SET_ASIDE = 'removed';

export const DAY_MS = 86_400_000;
/** How many days bytes of no file are kept aside. */
export const SET_ASIDE_DAYS = 7;

export const UNKNOWN_TYPE = 'application/octet-stream';

/** The id of a file: always the same for the same key. */
export function fileIdOf(ids: Pick<Ids, 'derived'>, path: FilePath): string {
  return ids.derived(fileDecider.category, fileKeyOf(path));
}

/** Names the history, every copy of it included, by the command that created its root licence; empty before that. */
async function historyOf(aggregates: Pick<Aggregates, 'firstOf'>): Promise<string> {
  return (await aggregates.firstOf(streamOf('license', ROOT_LICENSE_ID)))?.commandId ?? '';
}

/** Beginning of the keys of the bytes that were uploaded in this history. */
export async function ownContentPrefix(aggregates: Pick<Aggregates, 'firstOf'>): Promise<string> {
  return `${CONTENT}/${await historyOf(aggregates)}/`;
}

/** Whether a key is that of the bytes of an upload, of whichever history. */
export function isContentKey(key: string): boolean {
  return key.startsWith(`${CONTENT}/`);
}

/**
 * The key of the note of an upload, by the key of its bytes. Bytes with a note that the events do not name are no upload
 * that came to nothing: the events are older than they were, say from a backup, and newer ones of the same history may
 * come back. Positions cannot tell that: a copy has others.
 */
export function noteKeyOf(content: string): string {
  return `${RECORDED}${content.slice(CONTENT.length)}`;
}

/** The note that an upload is recorded, by the key of its bytes. */
export function noteAsset(content: string): NewAsset {
  return { key: noteKeyOf(content), contentType: UNKNOWN_TYPE, size: 0, content: NO_BYTES };
}

/** No bytes, as often as they are read. */
const NO_BYTES: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};

/** The key of bytes that are set aside at a moment (epoch ms). */
export function setAsideKeyOf(key: string, at: number): string {
  return `${SET_ASIDE}/${new Date(at).toISOString().slice(0, 10)}/${key}`;
}

/** Bytes that were set aside. */
interface SetAside {
  /** The key that they had before. */
  readonly key: string;
  /** Beginning of the day, epoch ms. */
  readonly since: number;
}

/** Parses the key of bytes that were set aside; null: it is another key. */
export function parseSetAsideKey(text: string): SetAside | null {
  const [folder, day = '', ...rest] = text.split('/');
  if (folder !== SET_ASIDE || !/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  return { key: rest.join('/'), since: Date.parse(day) };
}
