import { fileDecider, isFilePath } from '../../../commands/files.ts';
import type { CdnRequest, File, FileCommand, FileUploaded } from '../../../commands/files.ts';
import { files } from '../../../projections/files.ts';
import { readOne } from '../domain/documents.ts';
import { fileKeyOf, type FilePath } from '../domain/file-path.ts';
import { ROOT_LICENSE_ID, type Caller } from '../domain/roles.ts';
import { sha256Of } from '../domain/sha256.ts';
import type { ApiRequest, UploadedFile, UploadSize } from '../http/endpoint.ts';
import { problemOf } from '../http/problems.ts';
import type { Authorize } from '../kernel/aggregate/command-handler.ts';
import { streamOf } from '../kernel/aggregate/decider.ts';
import { hasAsset, type StoredAsset } from '../kernel/ports/assets.ts';
import { StoreUnavailable } from '../kernel/ports/errors.ts';
import { pause } from '../kernel/ports/system.ts';
import type { Logger } from '../observability/log.ts';
import { createOutageLog } from '../observability/outage-log.ts';
import type { z } from 'zod';
import type { ApiContext } from './context.ts';
import { originOf, requireSuccess, waitUntilReadable, type Sender } from './pipeline.ts';

/*
 * An uploaded file is two things: bytes in the store of assets, under a key that no other upload has, and the event that
 * says that they are the file now. The bytes come first. So whoever loses a race, or is killed in between, has changed
 * nothing, and only leaves bytes that `removeLeftBytes` finds. Files from before there were events have their own key in
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
  return state === null ? null : api.assets.get(state._content);
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
    if (!isRecorded) await discard(api, content.content);
    const done = requireSuccess(outcome);
    const isReadable = await waitUntilReadable(api, done.position, request);
    // Until the read models show the upload, a redirect leads to the bytes of before: `removeLeftBytes` finds them later.
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
  await assets.remove(key).catch((error: unknown) => {
    if (!(error instanceof StoreUnavailable)) throw error;
  });
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

/** How long, in ms, bytes may be there without their event: far longer than any upload takes. */
const LEFT_BYTES_MS = 86_400_000;

/** How often, in ms, bytes of uploads that came to nothing are looked for, and after how many where a store failed. */
const CLEAN_FILES_MS = 86_400_000;
const CLEAN_AGAIN_MS = 60_000;

/** Removes what killed uploads left in the store of files: at the start, and then once a day. */
export async function cleanFiles(
  api: ApiContext,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<void> {
  const outage = createOutageLog(log, 'The search for bytes of no file');
  while (!signal.aborted) {
    try {
      await removeLeftBytes(api, signal);
      outage.recovered();
      await pause(api.clock, CLEAN_FILES_MS, signal);
    } catch (error) {
      outage.failed(error);
      await pause(api.clock, CLEAN_AGAIN_MS, signal);
    }
  }
}

/**
 * Removes bytes that are no file (any more): of uploads that were killed before their event, or after it. Bytes of other
 * histories, and what is no file of ours, stay.
 */
async function removeLeftBytes(api: ApiContext, signal: AbortSignal): Promise<void> {
  const own = `${CONTENT}/${await historyOf(api)}/`;
  for await (const { key, storedAt } of api.assets.list('')) {
    if (signal.aborted) return;
    if (storedAt > api.clock.now() - LEFT_BYTES_MS) continue;
    if (await isLeft(api, own, key)) await api.assets.remove(key);
  }
}

async function isLeft(api: ApiContext, own: string, key: string): Promise<boolean> {
  const [folder = '', ...rest] = (key.startsWith(own) ? key.slice(own.length) : key).split('/');
  if (key.startsWith(own)) return (await load(api, folder)).state?._content !== key;
  const path = { type: folder, name: rest.join('/') };
  return isFilePath(path) && (await load(api, fileIdOf(api.ids, path))).state !== null;
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
