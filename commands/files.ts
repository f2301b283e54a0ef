import { z } from 'zod';
import { component } from '../src/domain/component.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { bodyOf, Integer, Text } from '../src/domain/facts.ts';
import { described } from '../src/domain/fields.ts';
import type { FilePath } from '../src/domain/file-path.ts';
import { decider } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';

const FileUploaded = z.object({
  /** The folder of the file. */
  type: Text,
  /** Its name below the folder. Folder and name together are the file's key. */
  name: Text,
  mediaType: Text,
  /** Bytes. */
  size: Integer,
  /** In hex. */
  sha256: Text,
  /** Key of the bytes in the store of assets: each upload has its own. */
  content: Text,
});
export type FileUploaded = z.output<typeof FileUploaded>;

/** The only event of a file: an upload under its name. The sender of the first owns the name; the newest one counts. */
export const fileEvents = { FileUploaded: eventType(FileUploaded) };

/** A file. Fields that begin with `_` are internal. */
export type File = Omit<FileUploaded, 'content'> & {
  readonly _content: string;
  /** Key of the bytes of the upload before this one; null: there was none. */
  readonly _replaced: string | null;
};

/** An upload, and whether the bytes of the current file are lost, so that the same ones are accepted again. */
type Upload = FileUploaded & { readonly isLost: boolean };

export type FileCommand = { readonly type: 'UploadFile'; readonly data: Upload };

export const fileDecider = decider<File, FileCommand, typeof fileEvents>({
  category: 'file',
  events: fileEvents,
  evolve: {
    FileUploaded: (before, { content, ...file }) => ({
      ...file,
      _content: content,
      _replaced: before?._content ?? null,
    }),
  },
  decide: {
    UploadFile: (file, { isLost, ...upload }) => {
      const isThere = file?.sha256 === upload.sha256 && file.mediaType === upload.mediaType && !isLost;
      return isThere ? [] : [{ type: 'FileUploaded', data: upload }];
    },
  },
});

/** Folders of uploaded files (docs/interface.md#uploaded-files). */
const FILE_TYPES = ['BRAND', 'CLASS', 'COUNTRY', 'LOGO', 'TRACK'] as const;

/**
 * Most characters of a name: with the longest type, a key still fits the 255 characters of the fields that refer to it.
 */
const MAX_NAME = 240;

/**
 * Whether a text is a name below its type's folder, subfolders included: `gt3/acc.png`. No segment is empty, blank, `.`
 * or `..`, and nothing in it has a meaning to a file system: no backslash, no drive letter, no control character.
 * Percent signs are just text.
 */
function isFileName(name: string): boolean {
  if (name.length > MAX_NAME || /[\\\p{Cc}\p{Cs}]|^[a-z]:/iu.test(name)) return false;
  return name.split('/').every((segment) => segment.trim() !== '' && segment !== '.' && segment !== '..');
}

export function isFilePath({ type, name }: FilePath): boolean {
  return FILE_TYPES.some((one) => one === type) && isFileName(name);
}

const folder = described(
  z.enum(FILE_TYPES).meta(component('FileType', 'Folder of a file.')),
  'Folder of the file: what it shows.',
  'TRACK',
);

export const File = bodyOf(FileUploaded.omit({ content: true }), {
  type: folder,
  name: described(z.string(), 'Name below the folder of its type, folders included.', EXAMPLES.file.name),
  mediaType: described(z.string(), 'Media type, by the ending of the name.', 'image/svg+xml'),
  size: described(z.int().min(0), 'Size in bytes.', 48_211),
  sha256: described(
    z.string(),
    'SHA-256 of its bytes, in hex.',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
});

/** Body of the `cdnRequest` part of an upload. */
export const CdnRequest = z
  .object({
    type: folder,
    targetName: z
      .string()
      .refine(isFileName, { error: 'must be a relative file name' })
      .meta({
        minLength: 1,
        maxLength: MAX_NAME,
        description: 'Name below the folder of its type, folders included.',
        examples: [EXAMPLES.file.name],
      }),
  })
  .meta({ id: 'CdnRequest', description: 'Where an uploaded file goes.' });
