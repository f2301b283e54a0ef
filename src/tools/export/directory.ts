import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { BUILT_IN_VERSION } from '../../service/resources/read-models.ts';
import { sameJson } from '../../service/kernel/json.ts';
import type { Position } from '../../service/kernel/ports/event-store.ts';
import { ReplayRefused } from '../replay/refused.ts';
import { naming, PartFile, PART_ENDING } from './part-file.ts';
import type { Format } from './table.ts';
import type { Column } from './views.ts';

/** What the files of a view in a directory have in common; only an export of the same kind adds to them. */
const Kind = z.object({
  view: z.string(),
  format: z.string(),
  byMonth: z.boolean(),
  /** Names of the columns. */
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

/** Options of an export to a directory. */
export interface DirectoryOptions {
  readonly directory: string;
  readonly view: string;
  readonly format: Format;
  readonly byMonth: boolean;
  readonly columns: readonly Column[];
}

/** Digits of a position in a name, so that names sort as positions do: those of the largest safe integer. */
const POSITION_DIGITS = 16;

/** Directory of a month, as Hive, Spark, DuckDB and pandas partition. */
const MONTH = /^month=\d{4}-\d\d$/;

/**
 * The files of a view in a directory. Each is named after the positions whose changes it holds; a small file beside them
 * says what they are, and up to which position they are complete. Other files in the directory are left alone.
 */
export class ExportDirectory {
  readonly #options: DirectoryOptions;
  readonly #kind: Kind;

  constructor(options: DirectoryOptions) {
    const { view, format, byMonth, columns } = options;
    this.#options = options;
    this.#kind = { view, format, byMonth, columns: columns.map(({ name }) => name), readModels: BUILT_IN_VERSION };
  }

  /**
   * How far earlier exports are; null where there are none.
   * @throws {ReplayRefused} when they are of another kind, or nothing says what the files are.
   */
  exported(): Exported | null {
    const state = this.#read();
    if (state === null) {
      const [file] = this.#files();
      if (file === undefined) return null;
      throw this.refusal(`of which nothing is known: there is ${file}, but no ${basename(this.#stateFile)}`);
    }
    const differing = differenceOf(state, this.#kind);
    if (differing !== null) throw this.refusal(differing);
    return state.exported;
  }

  /** The file of the rows that were changed after one position (null: ever), up to another. */
  fileOf(after: Position | null, upTo: Position, month: string | null): string {
    const { directory, view, format } = this.#options;
    const [first, last] = [after === null ? 0 : after + 1, upTo].map((it) => String(it).padStart(POSITION_DIGITS, '0'));
    const name = `${view}-${first}-${last}.${format}`;
    return month === null ? join(directory, name) : join(directory, `month=${month}`, name);
  }

  /** Deletes the unfinished files of an export that was killed. */
  removeParts(): void {
    for (const file of this.#files()) if (file.endsWith(PART_ENDING)) this.#remove(file);
  }

  /**
   * Deletes the files that begin after a position (null: all): leftovers of an export that was killed between two files,
   * or files to be replaced.
   */
  removeAfter(position: Position | null): void {
    for (const file of this.#files()) {
      const first = Number(this.#name.exec(basename(file))?.[1]);
      if (!file.endsWith(PART_ENDING) && first > (position ?? -1)) this.#remove(file);
    }
  }

  /** Records how far the files are; null: the first are about to be written, and any others may be deleted. */
  write(exported: Exported | null): void {
    const file = new PartFile(this.#stateFile);
    try {
      file.write(`${JSON.stringify({ ...this.#kind, exported }, null, 2)}\n`);
      file.end();
      file.publish();
    } finally {
      file.discard();
    }
  }

  /** Creates the directory. @throws {ReplayRefused} */
  make(): void {
    naming(this.#options.directory, () => mkdirSync(this.#options.directory, { recursive: true }));
  }

  #remove(file: string): void {
    const path = join(this.#options.directory, file);
    naming(path, () => rmSync(path, { force: true }));
  }

  /** The error that says why nothing can be added to the existing files. */
  refusal(why: string): ReplayRefused {
    const { view, directory } = this.#options;
    return new ReplayRefused(
      `${directory} has an export of ${view} ${why}. Export to another directory, or with --replace, which removes it`,
    );
  }

  /** Readers of a whole directory skip names that begin with `_`. */
  get #stateFile(): string {
    return join(this.#options.directory, `_${this.#options.view}.export.json`);
  }

  /** Pattern of the names of the view's files, unfinished ones included. */
  get #name(): RegExp {
    return new RegExp(
      `^\\.?${this.#options.view}-(\\d{${POSITION_DIGITS}})-\\d{${POSITION_DIGITS}}\\.[a-z]+(${PART_ENDING})?$`,
    );
  }

  /** Paths of the view's files, relative to the directory. */
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
      throw this.refusal(`of which nothing is known: ${this.#stateFile} is not what an export writes`);
    }
  }
}

function differenceOf(before: Kind, now: Kind): string | null {
  if (before.format !== now.format) return `as ${before.format}`;
  if (before.byMonth !== now.byMonth) return before.byMonth ? 'by month' : 'that is not by month';
  if (before.readModels !== now.readModels) return 'by another release, whose rows differ';
  return sameJson(before.columns, now.columns) ? null : `with other columns: ${before.columns.join(', ')}`;
}
