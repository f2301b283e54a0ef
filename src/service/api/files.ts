import { fileDecider, isFilePath } from '../../../commands/files.ts';
import type { CdnRequest, File, FileCommand, FileUploaded } from '../../../commands/files.ts';
import { files } from '../../../projections/files.ts';
import { readOne } from '../../domain/documents.ts';
import { fileKeyOf, type FilePath } from '../../domain/file-path.ts';
import { ROOT_LICENSE_ID, type Caller } from '../../domain/roles.ts';
import { sha256Of } from '../stores/sha256.ts';
import type { ApiRequest, UploadedFile, UploadSize } from '../http/endpoint.ts';
import { problemOf } from '../http/problems.ts';
import type { Authorize } from '../../kernel/aggregate/command-handler.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import { hasAsset, type NewAsset, type StoredAsset } from '../../kernel/ports/assets.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import { pause } from '../../kernel/ports/system.ts';
import type { Logger } from '../observability/log.ts';
import { createOutageLog } from '../observability/outage-log.ts';
import type { z } from 'zod';
import type { ApiContext } from './context.ts';
import { originOf, requireSuccess, waitUntilReadable, type Sender } from './pipeline.ts';

/*
 * An uploaded file is two things: bytes in the store of assets, under a key that no other upload has, and the event that
 * says that they are the file now. The bytes come first. So whoever loses a race, or is killed in between, has changed
 * nothing, and only leaves bytes that `cleanFiles` finds. Files from before there were events have their own key in
 * the store of assets.
 */

type UploadRequest = Sender & Pick<ApiRequest<unknown, unknown, z.output<typeof CdnRequest>>, 'body' | 'headers'>;

export type Files = ReturnType<typeof filesOf>;

export function filesOf(api: ApiContext) {
  return {
    /** Keeps room for an upload until the result is called. @throws {Problem} 507 */
    reserve: (size: UploadSize) => api.uploadRoom.reserve(size),
    /** Stores a file under its name: its id, and whether it can be read already. @throws {Problem} 403, 507 */
    store: (request: UploadRequest, file: UploadedFile) => store(api, request, file),
    /** Key of the bytes of a file in the store of assets. There may be none under it. */
    assetKeyOf: async (path: FilePath) => (await documentOf(api, path))?._content ?? fileKeyOf(path),
    find: (path: FilePath) => find(api, path),
  };
}

function documentOf({ models, ids }: ApiContext, path: FilePath) {
  return readOne(models, files, fileIdOf(ids, path));
}

/** The id of a file: always the same for the same key. */
function fileIdOf(ids: ApiContext['ids'], path: FilePath): string {
  return ids.derived(fileDecider.category, fileKeyOf(path));
}

async function find(api: ApiContext, path: FilePath): Promise<StoredAsset | null> {
  const document = await documentOf(api, path);
  const asset = await api.assets.get(document?._content ?? fileKeyOf(path));
  if (asset !== null || document === null) return asset;
  // The bytes may have been replaced since the read models were made: the events know.
  const { state } = await load(api, document.id);
  if (state === null) return null;
  return (await api.assets.get(state._content)) ?? findSetAside(api, state._content);
}

function load({ aggregates }: ApiContext, id: string) {
  return aggregates.load(fileDecider, streamOf(fileDecider.category, id));
}

async function store(api: ApiContext, request: UploadRequest, file: UploadedFile) {
  const { caller, body } = request;
  const path = { type: body.type, name: body.targetName };
  const id = fileIdOf(api.ids, path);
  const authorize = authorizeUpload(api, caller, { id, path });
  const loaded = await load(api, id);
  const { state, created } = loaded;
  const refused = await authorize(created === null ? null : { state, created });
  if (refused !== null) throw problemOf(refused);
  const replaced = state === null ? null : { licenseId: loaded.newest?.licenseId, size: state.size };
  const finish = await api.uploadRoom.charge({ id, licenseId: caller?.licenseId, size: file.size, replaced });
  let isRecorded = false;
  try {
    const content = await putContent(api, { ...file, id, path });
    const isLost = state !== null && !(await hasAsset(api.assets, state._content));
    const command: FileCommand = { type: 'UploadFile', data: { ...content, isLost } };
    const upload = { decider: fileDecider, id, commands: [command], authorize, origin: originOf(request) };
    const outcome = await api.handler.handle<File | null, FileCommand>(upload);
    isRecorded = 'recorded' in outcome && outcome.recorded;
    if (isRecorded) await note(api, content.content);
    else await discard(api, content.content);
    const done = requireSuccess(outcome);
    const isReadable = await waitUntilReadable(api, done.position, request);
    // Until the read models show the upload, a redirect leads to the bytes of before: `cleanFiles` finds them later.
    const isShown = isRecorded && (await documentOf(api, path))?._content === content.content;
    if (isShown) await discard(api, done.state?._replaced ?? fileKeyOf(path));
    return { id, isReadable };
  } finally {
    finish(isRecorded);
  }
}

/** Stores the bytes of an upload under a key of their own; the data of its event. */
async function putContent(
  api: ApiContext,
  { id, path, ...file }: UploadedFile & { readonly id: string; readonly path: FilePath },
): Promise<FileUploaded> {
  const mediaType = mediaTypeOf(path.name);
  const sha256 = await sha256Of(file.content);
  const content = `${CONTENT}/${await historyOf(api)}/${id}/${api.ids.random()}`;
  await api.assets.put({ ...file, key: content, contentType: mediaType });
  return { ...path, mediaType, size: file.size, sha256, content };
}

/** Bytes that no event tells of belong to nobody: only who is held by no wall may replace them. */
function authorizeUpload(
  { authorizer, assets }: ApiContext,
  caller: Caller | null,
  { id, path }: { readonly id: string; readonly path: FilePath },
): Authorize<File | null> {
  return async (current) =>
    authorizer.authorize(caller, fileDecider.category, {
      ...{ id, change: { ...path }, state: current?.state ?? null, created: current?.created ?? null },
      isOrphaned: current === null && (await hasAsset(assets, fileKeyOf(path))),
    });
}

/** Removes bytes that are not a file any more. If the store fails, they are removed later. */
async function discard({ assets }: ApiContext, key: string): Promise<void> {
  try {
    await assets.remove(key);
    if (key.startsWith(`${CONTENT}/`)) await assets.remove(noteOf(key));
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

/**
 * Keys of the bytes of uploads: `files/<history>/<file>/<upload>`. No folder of files has this name, and another history
 * that has the same bucket has other keys.
 */
const CONTENT = 'files';

/** Names the history, every copy of it included, by the command that created its root licence; empty before that. */
async function historyOf({ aggregates }: ApiContext): Promise<string> {
  return (await aggregates.firstOf(streamOf('license', ROOT_LICENSE_ID)))?.commandId ?? '';
}

/**
 * Notes of the uploads that are recorded, beside their bytes: `recorded/<history>/<file>/<upload>`, empty. Bytes with a
 * note that the events do not name are no upload that came to nothing: the events are older than they were, say from a
 * backup, and newer ones of the same history may come back. Positions cannot tell that: a copy has others.
 */
const RECORDED = 'recorded';

/** The key of the note of an upload, by the key of its bytes. */
function noteOf(content: string): string {
  return `${RECORDED}${content.slice(CONTENT.length)}`;
}

/** Notes that an upload is recorded. If the store fails, the next search notes it. */
async function note({ assets }: ApiContext, content: string): Promise<void> {
  try {
    await assets.put(noteAsset(content));
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

function noteAsset(content: string): NewAsset {
  return { key: noteOf(content), contentType: UNKNOWN_TYPE, size: 0, content: NOTHING };
}

/** No bytes, as often as they are read. */
const NOTHING: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};

/** Where bytes of no file are kept before they are removed: `removed/<day>/<key>`. No folder of files has this name. */
const SET_ASIDE = 'removed';

const DAY_MS = 86_400_000;
/** How many days bytes are kept there. */
const SET_ASIDE_DAYS = 7;

function setAsideKeyOf(key: string, at: number): string {
  return `${SET_ASIDE}/${new Date(at).toISOString().slice(0, 10)}/${key}`;
}

/** The bytes of a file that were set aside before the events that name them came back. A search moves them back. */
async function findSetAside({ assets, clock }: ApiContext, key: string): Promise<StoredAsset | null> {
  const now = clock.now();
  for (let days = 0; days <= SET_ASIDE_DAYS; days += 1) {
    const asset = await assets.get(setAsideKeyOf(key, now - days * DAY_MS));
    if (asset !== null) return asset;
  }
  return null;
}

/** How long, in ms, bytes may be there without their event: far longer than any upload takes. */
const LEFT_BYTES_MS = DAY_MS;

/** How often, in ms, bytes of uploads that came to nothing are looked for, and after how many where a store failed. */
const CLEAN_FILES_MS = DAY_MS;
const CLEAN_AGAIN_MS = 60_000;

interface CleanFilesOptions {
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Sets aside what killed uploads left in the store of files, and removes it later: at the start, and once a day. */
export async function cleanFiles(api: ApiContext, options: CleanFilesOptions): Promise<void> {
  const { log, signal } = options;
  const outage = createOutageLog(log, 'The search for bytes of no file');
  while (!signal.aborted) {
    try {
      await searchLeftBytes(api, options);
      outage.recovered();
      await pause(api.clock, CLEAN_FILES_MS, signal);
    } catch (error) {
      outage.failed(error);
      await pause(api.clock, CLEAN_AGAIN_MS, signal);
    }
  }
}

/**
 * Sets aside bytes that are no file (any more): of uploads that were killed before their event, or after it. Bytes of
 * other histories, of events that this one may get back, and what is no file of ours, stay.
 */
async function searchLeftBytes(api: ApiContext, options: CleanFilesOptions): Promise<void> {
  const { log, signal } = options;
  const { assets, clock } = api;
  const own = `${CONTENT}/${await historyOf(api)}/`;
  const notes = await searchNotes(api, own, options);
  let missing = 0;
  for await (const { key, storedAt } of assets.list('')) {
    if (signal.aborted) return;
    const use = await useOf(api, own, key);
    if (use === 'file' && key.startsWith(own) && !notes.has(noteOf(key))) await assets.put(noteAsset(key));
    if (use !== 'left' || storedAt > clock.now() - LEFT_BYTES_MS) continue;
    if (notes.has(noteOf(key)) && !(await isReplaced(api, own, key))) {
      missing += 1;
      continue;
    }
    await assets.move(key, setAsideKeyOf(key, clock.now()));
    await assets.remove(noteOf(key));
    log.info({ key }, 'Bytes of no file are set aside and will be removed in seven days');
  }
  if (missing > 0)
    log.warn(
      { count: missing },
      'The store of files holds uploads that are missing in the events; their bytes are kept',
    );
}

/**
 * Looks at what was set aside: what the events name again is moved back, what was there long enough is removed. Resolves
 * to the keys of all notes of the own history.
 */
async function searchNotes(api: ApiContext, own: string, options: CleanFilesOptions): Promise<ReadonlySet<string>> {
  const { log, signal } = options;
  const { assets, clock } = api;
  const notes = new Set<string>();
  const ownNotes = noteOf(own);
  for await (const { key: found } of assets.list('')) {
    if (signal.aborted) break;
    if (found.startsWith(ownNotes)) notes.add(found);
    const [folder, day = '', ...rest] = found.split('/');
    if (folder !== SET_ASIDE || !/^\d{4}-\d\d-\d\d$/.test(day)) continue;
    const since = Date.parse(day);
    const key = rest.join('/');
    // The store of files may have those of other histories, too, which only their own services judge.
    const use = await useOf(api, own, key);
    if (use === 'file' && !(await hasAsset(assets, key))) {
      await assets.move(found, key);
      log.info({ key }, 'The bytes of a file that were set aside are back: the events name them again');
    } else if (use !== 'foreign' && since + (SET_ASIDE_DAYS + 1) * DAY_MS <= clock.now()) {
      await assets.remove(found);
      log.info({ key }, 'Bytes of no file that were set aside seven days ago are removed');
    }
  }
  return notes;
}

/** What bytes are to the events: those of a file as it is now, of no file (any more), or none of this history's. */
async function useOf(api: ApiContext, own: string, key: string): Promise<'file' | 'left' | 'foreign'> {
  if (key.startsWith(own)) {
    const [id = ''] = key.slice(own.length).split('/');
    const { state } = await load(api, id);
    return state?._content === key ? 'file' : 'left';
  }
  const [type = '', ...rest] = key.split('/');
  const path = { type, name: rest.join('/') };
  if (!isFilePath(path)) return 'foreign';
  const { state } = await load(api, fileIdOf(api.ids, path));
  return state === null ? 'file' : 'left';
}

/** Whether an event of the history tells of these bytes, which is not the newest one of the file. */
async function isReplaced({ aggregates }: ApiContext, own: string, key: string): Promise<boolean> {
  const [id = ''] = key.slice(own.length).split('/');
  for await (const batch of aggregates.read(streamOf(fileDecider.category, id))) {
    if (batch.some(({ data }) => data['content'] === key)) return true;
  }
  return false;
}

/** Types by file extension (docs/interface.md#uploaded-files): what browsers show, and what can run nothing. */
const BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ['avif', 'image/avif'],
  ['bmp', 'image/bmp'],
  ['gif', 'image/gif'],
  ['ico', 'image/vnd.microsoft.icon'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['webp', 'image/webp'],
]);

export const UNKNOWN_TYPE = 'application/octet-stream';

/** The type of a file by its name, whatever it was sent as: all but pictures are downloads, from other servers too. */
export function mediaTypeOf(name: string): string {
  return BY_EXTENSION.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? UNKNOWN_TYPE;
}
