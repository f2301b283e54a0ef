import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { Column } from '../../service/exports/columns.ts';
import { BUILT_IN_VERSION, READ_MODELS_FINGERPRINT } from '../../service/resources/built-in.ts';
import { sameJson } from '../../kernel/json.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { Document } from '../../kernel/ports/read-store.ts';
import { createPartFile, naming, PART_ENDING } from '../replay/part-file.ts';
import { ReplayRefused } from '../replay/refused.ts';
import { createTable, type Format, type Table, type WrittenFile } from './table.ts';

/** What the files of a view in a directory have in common; only an export of the same kind adds to them. */
const Kind = z.object({
  view: z.string(),
  format: z.string(),
  byMonth: z.boolean(),
  /** Names of the columns; of those in Parquet that were texts in earlier releases, with the type. */
  columns: z.array(z.string()),
  /** Version of the read models that the rows were taken from. */
  /** The versions of the read models; their sum where an earlier release wrote it. */
  readModels: z.union([z.string(), z.number()]),
});
type Kind = z.output<typeof Kind>;

const Exported = z.object({
  /** Position up to which the files hold all rows. */
  position: z.int(),
  /** Id of the history: that of its first event. */
  history: z.string(),
  /** The last event that was read, if it is known. */
  last: z.object({ stream: z.string(), revision: z.int(), eventId: z.string(), position: z.int() }).nullable(),
});

/** How far the files of a view in a directory are, and in which history. */
export type Exported = z.output<typeof Exported>;

/** `exported` is null while the first files are being written. */
const State = Kind.extend({ exported: Exported.nullable() });

/** Which rows to write: those that were changed after one position (null: all), up to another. */
export interface Rows {
  readonly after: Position | null;
  readonly upTo: Position;
}

interface FileOptions {
  readonly view: string;
  readonly format: Format;
  readonly columns: readonly Column[];
  readonly replace: boolean;
}

/** Where an export goes: to a file, or to a directory as files that later exports add to. */
export type ExportTarget =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'directory'; readonly directory: string; readonly byMonth: boolean };

export type OpenTarget = ReturnType<typeof directoryAt>;

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

/** Digits of a position in a name, so that names sort as positions do: those of the largest safe integer. */
const POSITION_DIGITS = 16;

/** Directory of a month, as Hive, Spark, DuckDB and pandas partition. */
const MONTH = /^month=\d{4}-\d\d$/;

/** The files of a view in a directory, named after the positions whose changes they hold, and a file about them. */
function directoryAt(
  { directory, byMonth }: Extract<ExportTarget, { readonly kind: 'directory' }>,
  { view, format, columns, replace }: FileOptions,
) {
  const kind = { view, format, byMonth, columns: columns.map(kindOf(format)), readModels: READ_MODELS_FINGERPRINT };
  // Readers of a whole directory skip names that begin with `_`.
  const stateFile = join(directory, `_${view}.export.json`);
  const refusal = (why: string): ReplayRefused =>
    new ReplayRefused(
      `${directory} has an export of ${view} ${why}. Export to another directory, or with --replace, which removes it`,
    );
  return {
    /** A path beside which the export may put temporary files. */
    path: join(directory, view),
    /**
     * How far the earlier exports are that this one adds to.
     * @throws {ReplayRefused} when they are of another kind, or nothing says what the files are.
     */
    exported(): Exported | null {
      naming(directory, () => mkdirSync(directory, { recursive: true }));
      if (replace) return null;
      const state = readState(stateFile);
      if (state === 'unknown') throw refusal(`in an unknown state: ${stateFile} is not what an export writes`);
      if (state === null) {
        const [file] = filesOf(view, directory);
        if (file === undefined) return null;
        throw refusal(`in an unknown state: there is ${file}, but no ${basename(stateFile)}`);
      }
      const differing = differenceOf(state, kind);
      if (differing !== null) throw refusal(differing);
      return state.exported;
    },
    table({ after, upTo }: Rows): Table {
      for (const file of filesOf(view, directory)) if (file.endsWith(PART_ENDING)) remove(directory, file);
      const first = after === null ? 0 : after + 1;
      const name = `${view}-${digitsOf(first)}-${digitsOf(upTo)}.${format}`;
      const fileOf = (document: Document): string =>
        byMonth ? join(directory, `month=${monthOf(document)}`, name) : join(directory, name);
      return createTable(format, columns, fileOf);
    },
    /** Publishes the finished table, and records how far the directory is now. */
    publish(table: Table, after: Position | null, exported: Exported | null): readonly WrittenFile[] {
      // While the first files are written, any others may be deleted.
      if (after === null) writeState(stateFile, { ...kind, exported: null });
      // Those that begin later are leftovers of a killed export, or to be replaced.
      for (const file of filesOf(view, directory)) {
        const first = Number(nameOf(view).exec(basename(file))?.[1]);
        if (!file.endsWith(PART_ENDING) && first > (after ?? -1)) remove(directory, file);
      }
      const written = table.publish();
      writeState(stateFile, { ...kind, exported });
      return written;
    },
    otherHistory: () => refusal('of other events than these'),
  };
}

/** The files of a view in a directory, those too that are being written. */
function filesOf(view: string, directory: string): readonly string[] {
  const entries = readdirSync(directory, { withFileTypes: true });
  // What a link points to is not part of the export.
  const months = entries.filter((entry) => entry.isDirectory() && MONTH.test(entry.name)).map(({ name }) => name);
  const inMonths = months.flatMap((month) => readdirSync(join(directory, month)).map((name) => join(month, name)));
  return [...readdirSync(directory), ...inMonths].filter((file) => nameOf(view).test(basename(file)));
}

/** A position as it stands in a name. */
function digitsOf(position: Position): string {
  return String(position).padStart(POSITION_DIGITS, '0');
}

/** The names of the files of a view, with the first position. */
function nameOf(view: string): RegExp {
  return new RegExp(`^\\.?${view}-(\\d{${POSITION_DIGITS}})-\\d{${POSITION_DIGITS}}\\.[a-z]+(${PART_ENDING})?$`);
}

function remove(directory: string, file: string): void {
  const path = join(directory, file);
  naming(path, () => rmSync(path, { force: true }));
}

function writeState(path: string, state: z.output<typeof State>): void {
  const file = createPartFile(path);
  try {
    file.write(`${JSON.stringify(state, null, 2)}\n`);
    file.end();
    file.publish();
  } finally {
    file.discard();
  }
}

function readState(path: string): z.output<typeof State> | 'unknown' | null {
  if (!existsSync(path)) return null;
  try {
    return State.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return 'unknown';
    throw error;
  }
}

function kindOf(format: Format): (column: Column) => string {
  return ({ name, type }) => {
    if (format !== 'parquet' || (typeof type === 'string' && type !== 'uuid')) return name;
    return `${name} (${typeof type === 'string' ? type : 'struct'})`;
  };
}

function differenceOf(before: Kind, now: Kind): string | null {
  if (before.format !== now.format) return `as ${before.format}`;
  if (before.byMonth !== now.byMonth) return before.byMonth ? 'by month' : 'not by month';
  if (before.readModels !== now.readModels && before.readModels !== BUILT_IN_VERSION)
    return 'by another release, whose rows differ';
  return sameJson(before.columns, now.columns) ? null : `with other columns: ${before.columns.join(', ')}`;
}

/** The beginning of a moment in ISO 8601: its month. */
const MONTH_OF_MOMENT = /^\d{4}-(?:0[1-9]|1[0-2])(?=-)/;

/**
 * The month, in UTC, in which a row was created; corrections do not change it.
 * @throws {ReplayRefused} when the events say anything else: it becomes the name of a directory.
 */
function monthOf({ id, createdAt }: Document): string {
  if (typeof createdAt !== 'string') throw new TypeError('a view without createdAt has no months');
  const [month] = MONTH_OF_MOMENT.exec(createdAt) ?? [];
  if (month !== undefined) return month;
  throw new ReplayRefused(`${id} was created at ${JSON.stringify(createdAt)}, which has no month`);
}
