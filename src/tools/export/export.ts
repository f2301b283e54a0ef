import { BUILT_IN_VERSION, REPLACEABLE_EVENTS } from '../../service/resources/read-models.ts';
import type { Bound } from '../history/bounds.ts';
import { OtherHistory } from '../../service/kernel/ports/errors.ts';
import type { EventStore, Position, RecordedEvent } from '../../service/kernel/ports/event-store.ts';
import type { Document, ReadModels } from '../../service/kernel/ports/read-store.ts';
import { LineageCheck, type LineageDocument } from '../../service/kernel/projection/lineage.ts';
import { openWorkingDirectory } from '../replay/destination.ts';
import { project } from '../replay/project.ts';
import { ReplayRefused } from '../replay/refused.ts';
import { system } from '../../service/stores/stores.ts';
import type { Exported } from './directory.ts';
import { openTarget, type ExportTarget, type OpenTarget, type Rows } from './target.ts';
import type { Format, Table, WrittenFile } from './table.ts';
import { columnsOf, type ExportView } from './views.ts';

/** Options of an export. */
export interface ExportOptions {
  readonly view: ExportView;
  /** Whether personal data is written, too. */
  readonly names: boolean;
  readonly format: Format;
  readonly target: ExportTarget;
  /** Whether existing files are replaced. */
  readonly replace: boolean;
  readonly store: EventStore;
  /** The event store as text for people. */
  readonly from: string;
  /** Null: up to the newest event. */
  readonly until: Bound | null;
  readonly signal: AbortSignal;
  /** Called with the number of events that were replayed, and an estimate from positions, from 0 to 1. */
  readonly onProgress: (progress: { readonly done: number; readonly share: number }) => void;
  /** Called with the number of rows that were written. */
  readonly onRows: (rows: number) => void;
}

/** Result of an export. */
export interface ExportResult {
  /** False when it was stopped before the end: the same export resumes it. */
  readonly complete: boolean;
  /** Events that were replayed. */
  readonly events: number;
  /** Positions up to which rows were exported before (null: never), and are now (null: there are no events). */
  readonly after: Position | null;
  readonly position: Position | null;
  readonly files: readonly WrittenFile[];
}

/** Namespace of the working directory. */
const NAMESPACE = 'export';

/**
 * Writes a view, made anew from the events, to a file; or, in a directory, what has changed in it since the last export
 * to a further file. The event store is only read. Memory does not grow with the number of rows: documents are on disk
 * beside the output until it is whole.
 * @throws {ReplayRefused} when it cannot be written, or the target holds something else.
 * @throws {StoreUnavailable}
 */
export async function exportView(options: ExportOptions): Promise<ExportResult> {
  const { view, names, format, target, replace } = options;
  const opened = openTarget({ view: view.name, columns: columnsOf(view, names), format, target, replace });
  const history = new LineageCheck({ store: options.store, clock: system.clock, replaceable: REPLACEABLE_EVENTS });
  const before = opened.exported();
  if (before !== null) await expectSame(history, before, { target: opened, signal: options.signal });
  const job = { fingerprint: `export of ${view.name}, ${BUILT_IN_VERSION}`, from: options.from, until: options.until };
  const { projections } = view;
  const working = await openWorkingDirectory(opened.path, NAMESPACE, { projections, job, fresh: false });
  let complete = false;
  try {
    const result = await new Export(options, { target: opened, before, history, models: working.models }).run();
    ({ complete } = result);
    return result;
  } finally {
    await working.close({ complete });
  }
}

/** @throws {ReplayRefused} when the existing files were made from other events. */
async function expectSame(
  history: LineageCheck,
  { position, history: id, last }: Exported,
  { target, signal }: { readonly target: OpenTarget; readonly signal: AbortSignal },
): Promise<void> {
  const reached = last?.position ?? position;
  const made: LineageDocument = {
    id: 'history',
    _created: reached,
    _position: reached,
    _revision: 0,
    history: id,
    last,
  };
  try {
    await history.expectSurelySame({ get: async () => made, checkpoint: async () => position }, signal);
  } catch (error) {
    throw error instanceof OtherHistory ? target.otherHistory() : error;
  }
}

/** What an export works with. */
interface Setting {
  readonly target: OpenTarget;
  readonly before: Exported | null;
  readonly history: LineageCheck;
  readonly models: ReadModels;
}

class Export {
  readonly #options: ExportOptions;
  readonly #setting: Setting;
  /** The last event that was read and is never deleted. */
  #last: RecordedEvent | null = null;
  #events = 0;

  constructor(options: ExportOptions, setting: Setting) {
    this.#options = options;
    this.#setting = setting;
  }

  async run(): Promise<ExportResult> {
    const { before } = this.#setting;
    const after = before?.position ?? null;
    const { complete, checkpoint: upTo } = await this.#replay();
    const stopped = { complete: false, events: this.#events, after, position: upTo, files: [] };
    if (!complete) return stopped;
    if (after !== null && (upTo ?? 0) < after) {
      throw new ReplayRefused(`the rows are there up to position ${after} already, which is past --until`);
    }
    if (upTo === after && this.#options.target.kind === 'directory') return { ...stopped, complete };
    const files = await this.#write({ after, upTo: upTo ?? 0 });
    return files === null ? stopped : { ...stopped, complete, files };
  }

  #replay() {
    const { store, view, until, signal, onProgress } = this.#options;
    return project({
      store,
      models: this.#setting.models,
      projections: view.projections,
      until,
      follow: false,
      signal,
      onProjected: (events, share) => {
        this.#last = events.findLast(({ type }) => !REPLACEABLE_EVENTS.has(type)) ?? this.#last;
        this.#events += events.length;
        onProgress({ done: this.#events, share });
      },
      onCaughtUp: async () => undefined,
    });
  }

  /** Null when it was stopped. */
  async #write(rows: Rows): Promise<readonly WrittenFile[] | null> {
    const { target } = this.#setting;
    const table = target.table(rows);
    try {
      if (!(await this.#fill(table, rows))) return null;
      table.finish();
      return target.publish(table, rows.after, await this.#exported(rows.upTo));
    } finally {
      table.discard();
    }
  }

  /** Adds the rows in the order of their creation; false when it was stopped. */
  async #fill(table: Table, { after }: Rows): Promise<boolean> {
    const { view, signal, onRows } = this.#options;
    const isNew = ({ _position }: Document): boolean => after === null || _position > after;
    let count = 0;
    for await (const documents of this.#setting.models.stream(view.query.model.collection, { where: {} })) {
      if (signal.aborted) return false;
      const fresh = documents.filter(isNew);
      for (const document of fresh) table.add(document);
      onRows((count += fresh.length));
    }
    return true;
  }

  /** Null where there are no events. */
  async #exported(position: Position): Promise<Exported | null> {
    const last = this.#last;
    const id = await this.#setting.history.id();
    if (id === null) return null;
    if (last === null) return { position, history: id, last };
    return {
      position,
      history: id,
      last: { stream: last.stream, revision: last.revision, eventId: last.id, position: last.position },
    };
  }
}
