import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Position } from '../../service/kernel/ports/event-store.ts';
import type { Document } from '../../service/kernel/ports/read-store.ts';
import { ReplayRefused } from '../replay/refused.ts';
import { ExportDirectory, type Exported } from './directory.ts';
import { Table, type Format, type WrittenFile } from './table.ts';
import type { Column } from './views.ts';

/** Where an export goes: to a file, or to a directory as files that later exports add to. */
export type ExportTarget =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'directory'; readonly directory: string; readonly byMonth: boolean };

/** Which rows to write: those that were changed after one position (null: all), up to another. */
export interface Rows {
  readonly after: Position | null;
  readonly upTo: Position;
}

/** A target that is ready to be written. */
export interface OpenTarget {
  /** A path beside which the export may put temporary files. */
  readonly path: string;
  /** How far the earlier exports are that this one adds to. @throws {ReplayRefused} when it cannot. */
  readonly exported: () => Exported | null;
  /** An empty table for rows. */
  readonly table: (rows: Rows) => Table;
  /** Publishes the finished table, and records how far the target is now. */
  readonly publish: (table: Table, after: Position | null, exported: Exported | null) => readonly WrittenFile[];
  /** The error that says that the target holds rows of another history. */
  readonly otherHistory: () => ReplayRefused;
}

/** Options of opening a target. */
export interface TargetOptions {
  readonly target: ExportTarget;
  readonly view: string;
  readonly format: Format;
  readonly columns: readonly Column[];
  /** Whether existing files are replaced. */
  readonly replace: boolean;
}

/** Opens a target. */
export function openTarget({ target, ...options }: TargetOptions): OpenTarget {
  return target.kind === 'file' ? fileAt(target.file, options) : directoryAt(target, options);
}

function fileAt(file: string, { format, columns, replace }: Omit<TargetOptions, 'target'>): OpenTarget {
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
      const table = new Table({ format, columns, fileOf: () => file });
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

function directoryAt(
  { directory, byMonth }: Extract<ExportTarget, { kind: 'directory' }>,
  { view, format, columns, replace }: Omit<TargetOptions, 'target'>,
): OpenTarget {
  const files = new ExportDirectory({ directory, view, format, byMonth, columns });
  return {
    path: join(directory, view),
    exported() {
      files.make();
      return replace ? null : files.exported();
    },
    table({ after, upTo }) {
      files.removeParts();
      const fileOf = (document: Document): string => files.fileOf(after, upTo, byMonth ? monthOf(document) : null);
      return new Table({ format, columns, fileOf });
    },
    publish(table, after, exported) {
      if (after === null) files.write(null);
      files.removeAfter(after);
      const written = table.publish();
      files.write(exported);
      return written;
    },
    otherHistory: () => files.refusal('of other events than these'),
  };
}

/** Characters of `2026-11`. */
const MONTH_CHARS = 7;

/** The month, in UTC, in which a row was created; corrections do not change it. */
function monthOf({ createdAt }: Document): string {
  if (typeof createdAt !== 'string') throw new TypeError('a view without createdAt has no months');
  return createdAt.slice(0, MONTH_CHARS);
}
