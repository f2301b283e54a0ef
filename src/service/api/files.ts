import type { z } from 'zod';
import { fileDecider } from '../../../commands/files.ts';
import type { CdnRequest, File, FileCommand, FileUploaded } from '../../../commands/files.ts';
import { files, type FileDocument } from '../../../projections/files.ts';
import { readOne } from '../../domain/documents.ts';
import { fileKeyOf, type FilePath } from '../../domain/file-path.ts';
import type { Caller } from '../../domain/roles.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import type { Authorize, CommandHandler } from '../../kernel/aggregate/command-handler.ts';
import { hasAsset, type Assets, type StoredAsset } from '../../kernel/ports/assets.ts';
import { StoreUnavailable } from '../../kernel/ports/errors.ts';
import type { ReadModels } from '../../kernel/ports/read-store.ts';
import type { Clock, Ids } from '../../kernel/ports/system.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { ApiRequest, UploadedFile, UploadSize } from '../http/endpoint.ts';
import { problemOf } from '../http/problems.ts';
import { sha256Of } from '../stores/sha256.ts';
import {
  DAY_MS,
  fileIdOf,
  isContentKey,
  noteAsset,
  noteKeyOf,
  ownContentPrefix,
  SET_ASIDE_DAYS,
  setAsideKeyOf,
  UNKNOWN_TYPE,
} from './file-bytes.ts';
import { originOf, requireSuccess, type Sender } from './request-commands.ts';
import type { UploadRoom } from './upload-room.ts';
import type { WriteAnswers } from './write-answers.ts';

/*
 * An uploaded file is two things: bytes in the store of assets, under a key that no other upload has, and the event that
 * says that they are the file now. The bytes come first. So whoever loses a race, or is killed in between, has changed
 * nothing, and only leaves bytes that `cleanFiles` finds. Files from before there were events have their own key in
 * the store of assets.
 */

type UploadRequest = Sender & Pick<ApiRequest<unknown, unknown, z.output<typeof CdnRequest>>, 'body' | 'headers'>;

interface FilesOptions {
  readonly models: ReadModels;
  readonly assets: Assets;
  readonly aggregates: Aggregates;
  readonly authorizer: Pick<Authorizer, 'authorize'>;
  readonly handler: CommandHandler;
  readonly answers: Pick<WriteAnswers, 'waitUntilReadable'>;
  readonly uploadRoom: UploadRoom;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
}

/** Uploaded files. */
export class Files {
  readonly #options: FilesOptions;

  constructor(options: FilesOptions) {
    this.#options = options;
  }

  /** Keeps room for an upload until the result is called. @throws {Problem} 507 */
  reserve(size: UploadSize): Promise<() => void> {
    return this.#options.uploadRoom.reserve(size);
  }

  /** Key of the bytes of a file in the store of assets. There may be none under it. */
  async assetKeyOf(path: FilePath): Promise<string> {
    return (await this.#documentOf(path))?._content ?? fileKeyOf(path);
  }

  /** The bytes of a file; null: there are none. */
  async find(path: FilePath): Promise<StoredAsset | null> {
    const { assets } = this.#options;
    const document = await this.#documentOf(path);
    const asset = await assets.get(document?._content ?? fileKeyOf(path));
    if (asset !== null || document === null) return asset;
    // The bytes may have been replaced since the read models were made: the events know.
    const { state } = await this.#load(document.id);
    if (state === null) return null;
    return (await assets.get(state._content)) ?? this.#findSetAside(state._content);
  }

  /** Stores a file under its name: its id, and whether it can be read already. @throws {Problem} 403, 507 */
  async store(
    request: UploadRequest,
    file: UploadedFile,
  ): Promise<{ readonly id: string; readonly isReadable: boolean }> {
    const { assets, handler, answers, uploadRoom, ids } = this.#options;
    const { caller, body } = request;
    const path = { type: body.type, name: body.targetName };
    const id = fileIdOf(ids, path);
    const authorize = this.#authorization(caller, id, path);
    const loaded = await this.#load(id);
    const { state, created } = loaded;
    const refused = await authorize(created === null ? null : { state, created });
    if (refused !== null) throw problemOf(refused);
    const replaced = state === null ? null : { licenseId: loaded.newest?.licenseId, size: state.size };
    const finish = await uploadRoom.charge({ id, licenseId: caller?.licenseId, size: file.size, replaced });
    let isRecorded = false;
    try {
      const content = await this.#putContent(id, path, file);
      const isLost = state !== null && !(await hasAsset(assets, state._content));
      const command: FileCommand = { type: 'UploadFile', data: { ...content, isLost } };
      const outcome = await handler.handle<File | null, FileCommand>({
        decider: fileDecider,
        id,
        commands: [command],
        authorize,
        origin: originOf(request),
      });
      isRecorded = 'recorded' in outcome && outcome.recorded;
      if (isRecorded) await this.#note(content.content);
      else await this.#discard(content.content);
      const done = requireSuccess(outcome);
      const isReadable = await answers.waitUntilReadable(done.position, request);
      // Until the read models show the upload, a redirect leads to the bytes of before: `cleanFiles` finds them later.
      const isShown = isRecorded && (await this.#documentOf(path))?._content === content.content;
      if (isShown) await this.#discard(done.state?._replaced ?? fileKeyOf(path));
      return { id, isReadable };
    } finally {
      finish(isRecorded);
    }
  }

  #documentOf(path: FilePath): Promise<FileDocument | null> {
    const { models, ids } = this.#options;
    return readOne(models, files, fileIdOf(ids, path));
  }

  #load(id: string) {
    return this.#options.aggregates.load(fileDecider, streamOf(fileDecider.category, id));
  }

  /** Stores the bytes of an upload under a key of their own; the data of its event. */
  async #putContent(id: string, path: FilePath, file: UploadedFile): Promise<FileUploaded> {
    const { assets, aggregates, ids } = this.#options;
    const mediaType = mediaTypeOf(path.name);
    const sha256 = await sha256Of(file.content);
    const content = `${await ownContentPrefix(aggregates)}${id}/${ids.random()}`;
    await assets.put({ ...file, key: content, contentType: mediaType });
    return { ...path, mediaType, size: file.size, sha256, content };
  }

  /** A file without an event has no owner: only ADMIN keys and keys of the root licence may replace it. */
  #authorization(caller: Caller | null, id: string, path: FilePath): Authorize<File | null> {
    const { authorizer, assets } = this.#options;
    return async (current) =>
      authorizer.authorize(caller, fileDecider.category, {
        id,
        change: { ...path },
        state: current?.state ?? null,
        created: current?.created ?? null,
        hasUnknownOwner: current === null && (await hasAsset(assets, fileKeyOf(path))),
      });
  }

  /** Removes bytes that are not a file any more. If the store fails, they are removed later. */
  async #discard(key: string): Promise<void> {
    const { assets } = this.#options;
    try {
      await assets.remove(key);
      if (isContentKey(key)) await assets.remove(noteKeyOf(key));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  /** Notes that an upload is recorded. If the store fails, the next search notes it. */
  async #note(content: string): Promise<void> {
    try {
      await this.#options.assets.put(noteAsset(content));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  /** The bytes of a file that were set aside before the events that name them came back. A search moves them back. */
  async #findSetAside(key: string): Promise<StoredAsset | null> {
    const { assets, clock } = this.#options;
    const now = clock.now();
    for (let days = 0; days <= SET_ASIDE_DAYS; days += 1) {
      const asset = await assets.get(setAsideKeyOf(key, now - days * DAY_MS));
      if (asset !== null) return asset;
    }
    return null;
  }
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

/** The type of a file by its name, whatever it was sent as: all but pictures are downloads, from other servers too. */
export function mediaTypeOf(name: string): string {
  return BY_EXTENSION.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? UNKNOWN_TYPE;
}
