import type { GivenFile } from './messages.ts';

/** Most files that are taken from folders: the reader says so where there are more than it reads. */
const MOST = 1_001;

/** The files of an input; those of a folder with their paths in it. */
export function filesOfInput(list: FileList | null): readonly GivenFile[] {
  return Array.from(list ?? [])
    .slice(0, MOST)
    .map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** The files that were dropped, and those in folders, in the order of their paths. */
export async function filesDropped(dropped: DataTransfer): Promise<readonly GivenFile[]> {
  // Before anything is waited for: after that, browsers have forgotten what was dropped.
  const entries = Array.from(dropped.items, (item) => item.webkitGetAsEntry());
  const files: GivenFile[] = [];
  for (const entry of entries) if (entry !== null) await collect(entry, '', files);
  return files;
}

async function collect(entry: FileSystemEntry, folder: string, files: GivenFile[]): Promise<void> {
  if (files.length >= MOST) return;
  const path = `${folder}${entry.name}`;
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => {
      entry.file(resolve, reject);
    });
    files.push({ path, file });
    return;
  }
  if (!isFolder(entry)) return;
  const inner = await entriesIn(entry);
  for (const one of inner) await collect(one, `${path}/`, files);
}

/** The entries of a folder, by name: a reader gives some at a time, and none at the end. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  while (entries.length < MOST) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) break;
    entries.push(...some);
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
