import { BUILT_IN_VERSION, REPLACEABLE_EVENTS } from '../../service/resources/read-models.ts';
import type { Bound } from '../history/bounds.ts';
import { OtherHistory } from '../../service/kernel/ports/errors.ts';
import type { EventStore, Position, RecordedEvent } from '../../service/kernel/ports/event-store.ts';
import type { Document, ReadModels } from '../../service/kernel/ports/read-store.ts';
import { LineageCheck, type LineageDocument } from '../../service/kernel/projection/lineage.ts';
import { removeWorkingDirectory, reserveIn, workingDirectoryOf } from '../replay/destination.ts';
import { project } from '../replay/project.ts';
import { ReplayRefused } from '../replay/refused.ts';
import { openEmbeddedReadStore, system } from '../../service/stores/stores.ts';
import { columnsOf } from './columns.ts';
import type { Exported } from './directory.ts';
import type { Format } from './encoders.ts';
import { placeOf, type ExportTarget, type Place, type Rows } from './places.ts';
import type { Table, WrittenFile } from './table.ts';
import type { ExportView } from './views.ts';

/** Options of an export. */
export interface ExportOptions {
  readonly view: ExportView;
  /** Whether personal data is written, too. */
  readonly names: boolean;
  readonly format: Format;
  readonly target: ExportTarget;
  /** Whether what is there is replaced. */
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
  /** False when it was stopped before the end: the same export goes on where it was. */
  readonly complete: boolean;
  /** Events that were replayed. */
  readonly events: number;
  /** Up to where the rows had been exported before (null: nothing had), and are now (null: there are no events). */
  readonly after: Position | null;
  readonly position: Position | null;
  readonly files: readonly WrittenFile[];
}

/** Namespace of the working directory. */
const NAMESPACE = 'export';

/**
 * Writes a view, made anew from the events, to a file; or what has changed in it since the last export to a file more
 * in a directory. The event store is only read. Memory does not grow with the number of rows: documents lie on the disk
 * beside the output until it is whole.
 * @throws {ReplayRefused} when it cannot be written, or what is there is something else.
 * @throws {StoreUnavailable}
 */
export async function exportView(options: ExportOptions): Promise<ExportResult> {
  const { view, names, format, target, replace } = options;
  const place = placeOf({ view: view.name, columns: columnsOf(view, names), format, target, replace });
  const history = new LineageCheck({ store: options.store, clock: system.clock, replaceable: REPLACEABLE_EVENTS });
  const before = place.exported();
  if (before !== null) await expectSame(history, before, { place, signal: options.signal });
  const working = await openWorkingDirectory(place.path, options);
  let complete = false;
  try {
    const result = await new Export(options, { place, before, history, models: working.models }).run();
    ({ complete } = result);
    return result;
  } finally {
    await working.close(complete);
  }
}

/** @throws {ReplayRefused} when the files of before were made from other events. */
async function expectSame(
  history: LineageCheck,
  { position, history: id, last }: Exported,
  { place, signal }: { readonly place: Place; readonly signal: AbortSignal },
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
    throw error instanceof OtherHistory ? place.otherHistory() : error;
  }
}

/** Opens the documents that the rows are taken from; what an export that was killed has left is gone on with. */
async function openWorkingDirectory(path: string, { view, from, until }: ExportOptions) {
  const directory = workingDirectoryOf(path);
  const readStore = await openEmbeddedReadStore(directory);
  const job = { fingerprint: `export of ${view.name}, ${BUILT_IN_VERSION}`, from, until };
  const { projections } = view;
  const place = { readStore, namespace: NAMESPACE, otherJob: 'drop' } as const;
  const { models, close } = await reserveIn(place, { projections, job, fresh: false });
  return {
    models,
    async close(complete: boolean) {
      await close();
      if (complete) removeWorkingDirectory(directory);
    },
  };
}

/** What an export works with. */
interface Setting {
  readonly place: Place;
  readonly before: Exported | null;
  readonly history: LineageCheck;
  readonly models: ReadModels;
}

class Export {
  readonly #options: ExportOptions;
  readonly #setting: Setting;
  /** The last event that was taken in and will always be there. */
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
    const { place } = this.#setting;
    const table = place.table(rows);
    try {
      if (!(await this.#fill(table, rows))) return null;
      table.finish();
      return place.publish(table, rows.after, await this.#exported(rows.upTo));
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
