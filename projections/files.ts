import { fileEvents, type File } from '../commands/files.ts';
import { isShared } from '../src/domain/access.ts';
import type { DocumentOf } from '../src/domain/documents.ts';
import { fileKeyOf } from '../src/domain/file-path.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';

/** A file as its newest upload left it. */
export type FileDocument = DocumentOf<
  Omit<File, '_replaced'> & {
    readonly key: string;
    /** The licence that owns it; null: it is shared. */
    readonly licenseId: string | null;
    /** The licence whose key sent the bytes that are there now, against whose quota they count. */
    readonly _uploadedBy: string | null;
  }
>;

export const files = readModel<FileDocument>('files', {
  category: 'file',
  version: 2,
  indexes: [['key']],
  columns: ['key', 'licenseId', 'type'],
});

export const filesProjection = projection(
  files,
  { own: fileEvents },
  {
    FileUploaded: ({ data: { type, name, content, ...bytes }, id, at, recorded: { metadata, revision } }) => {
      const now = { ...bytes, _content: content, _uploadedBy: metadata.licenseId ?? null, updatedAt: at };
      if (revision > 0) return files.set(id, now);
      // The first upload decides who owns the name.
      const licenseId = isShared(metadata) ? null : (metadata.licenseId ?? null);
      return files.insert(id, { key: fileKeyOf({ type, name }), type, name, licenseId, createdAt: at, ...now });
    },
  },
);
