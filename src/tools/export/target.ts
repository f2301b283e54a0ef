import { existsSync } from 'node:fs';
import { ReplayRefused } from '../replay/refused.ts';
import { directoryAt, type FileOptions, type OpenTarget } from './directory.ts';
import { createTable } from './table.ts';

/** Where an export goes: to a file, or to a directory as files that later exports add to. */
export type ExportTarget =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'directory'; readonly directory: string; readonly byMonth: boolean };

export function openTarget(target: ExportTarget, options: FileOptions): OpenTarget {
  return target.kind === 'file' ? fileAt(target.file, options) : directoryAt(target, options);
}

function fileAt(file: string, { format, columns, replace }: FileOptions): OpenTarget {
  const expectFree = (): void => {
    if (!replace && existsSync(file)) throw new ReplayRefused(`${file} is there already; --replace replaces it`);
  };
  return {
    path: file,
    exported() {
      expectFree();
      return null;
    },
    table() {
      const table = createTable(format, columns, () => file);
      table.open(file);
      return table;
    },
    publish(table) {
      // Somebody may have created it meanwhile.
      expectFree();
      return table.publish();
    },
    otherHistory: () => new ReplayRefused(`${file} is of other events`),
  };
}
