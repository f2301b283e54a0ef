import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { Column } from '../../service/exports/columns.ts';
import { BUILT_IN_VERSION } from '../../service/resources/read-models.ts';
import { sameJson } from '../../service/kernel/json.ts';
import type { Position } from '../../service/kernel/ports/event-store.ts';
import type { Document } from '../../service/kernel/ports/read-store.ts';
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
  readModels: z.number(),
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

export interface OpenTarget {
  /** A path beside which the export may put temporary files. */
  readonly path: string;
  /** How far the earlier exports are that this one adds to. @throws {ReplayRefused} when it cannot. */
  readonly exported: () => Exported | null;
  readonly table: (rows: Rows) => Table;
  /** Publishes the finished table, and records how far the target is now. */
  readonly publish: (table: Table, after: Position | null, exported: Exported | null) => readonly WrittenFile[];
  readonly otherHistory: () => ReplayRefused;
}

export interface FileOptions {
  readonly view: string;
  readonly format: Format;
  readonly columns: readonly Column[];
  readonly replace: boolean;
}

interface DirectoryOptions extends FileOptions {
  readonly directory: string;
  readonly byMonth: boolean;
}

/** Digits of a position in a name, so that names sort as positions do: those of the largest safe integer. */
const POSITION_DIGITS = 16;

/** Directory of a month, as Hive, Spark, DuckDB and pandas partition. */
const MONTH = /^month=\d{4}-\d\d$/;

/** The files of a view in a directory, named after the positions whose changes they hold, and a file about them. */
export class ExportDirectory implements OpenTarget {
  readonly #options: DirectoryOptions;
  readonly #kind: Kind;

  constructor(options: DirectoryOptions) {
    const { view, format, byMonth, columns } = options;
    this.#options = options;
    this.#kind = { view, format, byMonth, columns: columns.map(kindOf(format)), readModels: BUILT_IN_VERSION };
  }

  get path(): string {
    return join(this.#options.directory, this.#options.view);
  }

  /** @throws {ReplayRefused} when the earlier exports are of another kind, or nothing says what the files are. */
  exported(): Exported | null {
    const { directory, replace } = this.#options;
    naming(directory, () => mkdirSync(directory, { recursive: true }));
    if (replace) return null;
    const state = this.#read();
    if (state === null) {
      const [file] = this.#files();
      if (file === undefined) return null;
      throw this.#refusal(`in an unknown state: there is ${file}, but no ${basename(this.#stateFile)}`);
    }
    const differing = differenceOf(state, this.#kind);
    if (differing !== null) throw this.#refusal(differing);
    return state.exported;
  }

  table({ after, upTo }: Rows): Table {
    const { format, columns, byMonth } = this.#options;
    this.#removeParts();
    const fileOf = (document: Document): string => this.#fileOf(after, upTo, byMonth ? monthOf(document) : null);
    return createTable({ format, columns, fileOf });
  }

  publish(table: Table, after: Position | null, exported: Exported | null): readonly WrittenFile[] {
    if (after === null) this.#write(null);
    this.#removeAfter(after);
    const written = table.publish();
    this.#write(exported);
    return written;
  }

  otherHistory(): ReplayRefused {
    return this.#refusal('of other events than these');
  }

  /** The file of the rows that were changed after one position (null: ever), up to another. */
  #fileOf(after: Position | null, upTo: Position, month: string | null): string {
    const { directory, view, format } = this.#options;
    const [first, last] = [after === null ? 0 : after + 1, upTo].map((it) => String(it).padStart(POSITION_DIGITS, '0'));
    const name = `${view}-${first}-${last}.${format}`;
    return month === null ? join(directory, name) : join(directory, `month=${month}`, name);
  }

  #removeParts(): void {
    for (const file of this.#files()) if (file.endsWith(PART_ENDING)) this.#remove(file);
  }

  /** Deletes the files that begin after a position (null: all): leftovers of a killed export, or to be replaced. */
  #removeAfter(position: Position | null): void {
    for (const file of this.#files()) {
      const first = Number(this.#name.exec(basename(file))?.[1]);
      if (!file.endsWith(PART_ENDING) && first > (position ?? -1)) this.#remove(file);
    }
  }

  /** Records how far the files are; null: the first are about to be written, and any others may be deleted. */
  #write(exported: Exported | null): void {
    const file = createPartFile(this.#stateFile);
    try {
      file.write(`${JSON.stringify({ ...this.#kind, exported }, null, 2)}\n`);
      file.end();
      file.publish();
    } finally {
      file.discard();
    }
  }

  #remove(file: string): void {
    const path = join(this.#options.directory, file);
    naming(path, () => rmSync(path, { force: true }));
  }

  #refusal(why: string): ReplayRefused {
    const { view, directory } = this.#options;
    return new ReplayRefused(
      `${directory} has an export of ${view} ${why}. Export to another directory, or with --replace, which removes it`,
    );
  }

  /** Readers of a whole directory skip names that begin with `_`. */
  get #stateFile(): string {
    return join(this.#options.directory, `_${this.#options.view}.export.json`);
  }

  get #name(): RegExp {
    return new RegExp(
      `^\\.?${this.#options.view}-(\\d{${POSITION_DIGITS}})-\\d{${POSITION_DIGITS}}\\.[a-z]+(${PART_ENDING})?$`,
    );
  }

  #files(): readonly string[] {
    const { directory } = this.#options;
    const months = readdirSync(directory).filter((name) => MONTH.test(name));
    const inMonths = months.flatMap((month) => readdirSync(join(directory, month)).map((name) => join(month, name)));
    return [...readdirSync(directory), ...inMonths].filter((file) => this.#name.test(basename(file)));
  }

  #read(): z.output<typeof State> | null {
    if (!existsSync(this.#stateFile)) return null;
    try {
      return State.parse(JSON.parse(readFileSync(this.#stateFile, 'utf8')));
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
      throw this.#refusal(`in an unknown state: ${this.#stateFile} is not what an export writes`);
    }
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
  if (before.readModels !== now.readModels) return 'by another release, whose rows differ';
  return sameJson(before.columns, now.columns) ? null : `with other columns: ${before.columns.join(', ')}`;
}

/** The month, in UTC, in which a row was created; corrections do not change it. */
function monthOf({ createdAt }: Document): string {
  if (typeof createdAt !== 'string') throw new TypeError('a view without createdAt has no months');
  return createdAt.slice(0, '2026-11'.length);
}
