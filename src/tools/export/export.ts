import { columnsOf } from '../../service/exports/columns.ts';
import type { ExportView } from '../../service/exports/views.ts';
import { READ_MODELS_FINGERPRINT, REPLACEABLE_EVENTS } from '../../service/resources/built-in.ts';
import { resolvePoint, type Bound, type Point } from '../history/bounds.ts';
import { OtherHistory } from '../../kernel/ports/errors.ts';
import type { EventStore, Position, RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { Document, ReadModels } from '../../kernel/ports/read-store.ts';
import { LineageCheck } from '../../kernel/projection/lineage.ts';
import { matches } from '../../kernel/where.ts';
import { openWorkingDirectory } from '../replay/destination.ts';
import { replayLineage } from '../replay/namespace.ts';
import { project } from '../replay/project.ts';
import { ReplayRefused } from '../replay/refused.ts';
import { system } from '../../service/stores/stores.ts';
import { openTarget, type Exported, type ExportTarget, type OpenTarget, type Rows } from './target.ts';
import type { Format, Table, WrittenFile } from './table.ts';

export interface ExportOptions {
  readonly view: ExportView;
  /** Whether personal data is written, too. */
  readonly names: boolean;
  readonly format: Format;
  readonly target: ExportTarget;
  readonly replace: boolean;
  readonly store: EventStore;
  /** The event store as text for people. */
  readonly from: string;
  /** Null: up to the newest event. */
  readonly until: Point | null;
  readonly signal: AbortSignal;
  /** Called with the number of events that were replayed, and an estimate from positions, from 0 to 1. */
  readonly onProgress: (progress: { readonly done: number; readonly share: number }) => void;
  readonly onRows: (rows: number) => void;
}

export type ExportResult = Awaited<ReturnType<typeof exportView>>;

/**
 * Writes a view, computed from the events, to a file; or, in a directory, what has changed in it since the last export
 * to a further file. The event store is only read. Memory does not grow with the number of rows: documents are on disk
 * beside the output until it is complete.
 * @throws {ReplayRefused} when it cannot be written, or the target holds something else.
 * @throws {StoreUnavailable}
 */
export async function exportView(options: ExportOptions) {
  const { view, names, format, target, replace } = options;
  const opened = openTarget(target, { view: view.name, columns: columnsOf(view, names), format, replace });
  const history = new LineageCheck({ store: options.store, clock: system.clock, replaceable: REPLACEABLE_EVENTS });
  const before = opened.exported();
  if (before !== null) await expectSame(history, before, opened, options.signal);
  const until = await resolvePoint(options.until, options.store, options.signal);
  const job = { fingerprint: `export of ${view.name}, ${READ_MODELS_FINGERPRINT}`, from: options.from, until };
  const { projections } = view;
  const lineage = replayLineage(options.store);
  const jobOptions = { projections, job, fresh: false };
  const working = await openWorkingDirectory(opened.path, 'export', jobOptions, lineage, options.signal);
  let complete = false;
  try {
    const result = await replayAndWrite({
      ...options,
      until,
      opened,
      before,
      history,
      lineage,
      models: working.models,
    });
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
  target: OpenTarget,
  signal: AbortSignal,
): Promise<void> {
  const reached = last?.position ?? position;
  const made = { id: 'history', _created: reached, _position: reached, _revision: 0, history: id, last };
  try {
    await history.expectSameAfterLag({ get: async () => made, checkpoint: async () => position }, signal);
  } catch (error) {
    throw error instanceof OtherHistory ? target.otherHistory() : error;
  }
}

interface OpenExport extends ExportOptions {
  readonly until: Bound | null;
  readonly opened: OpenTarget;
  readonly before: Exported | null;
  /** Of the rows that are in the target. */
  readonly history: LineageCheck;
  /** Of the documents that the rows are made from. */
  readonly lineage: LineageCheck;
  readonly models: ReadModels;
}

/** `complete` is false when it was stopped before the end: the same export resumes it. */
async function replayAndWrite(run: OpenExport) {
  const { store, models, lineage, view, until, signal, before, onProgress } = run;
  const after = before?.position ?? null;
  // The last event that is never deleted, and the number of all.
  const seen: { last: RecordedEvent | null; events: number } = { last: null, events: 0 };
  const { complete, checkpoint: upTo } = await project({
    store,
    models,
    projections: view.projections,
    lineage,
    until,
    follow: false,
    signal,
    onProjected(events, share) {
      seen.last = events.findLast(({ type }) => !REPLACEABLE_EVENTS.has(type)) ?? seen.last;
      seen.events += events.length;
      onProgress({ done: seen.events, share });
    },
    onCaughtUp: async () => undefined,
  });
  const files: readonly WrittenFile[] = [];
  // Positions up to which rows were exported before (null: never), and are now (null: there are no events).
  const stopped = { complete: false, events: seen.events, after, position: upTo, files };
  if (!complete) return stopped;
  if (after !== null && (upTo ?? 0) < after) {
    throw new ReplayRefused(`the rows are there up to position ${after} already, which is past --until`);
  }
  if (upTo === after && run.target.kind === 'directory') return { ...stopped, complete };
  const written = await write(run, { after, upTo: upTo ?? 0 }, seen.last);
  return written === null ? stopped : { ...stopped, complete, files: written };
}

/** Null when it was stopped. */
async function write(run: OpenExport, rows: Rows, last: RecordedEvent | null): Promise<readonly WrittenFile[] | null> {
  const table = run.opened.table(rows);
  try {
    if (!(await fill(table, run, rows))) return null;
    table.finish();
    return run.opened.publish(table, rows.after, await exportedBy(run, rows.upTo, last));
  } finally {
    table.discard();
  }
}

/** Adds the rows in the order of their creation; false when it was stopped. */
async function fill(table: Table, { models, view, signal, onRows }: OpenExport, { after }: Rows): Promise<boolean> {
  // What was deleted matters only to those who may have it.
  const isNew = (document: Document): boolean =>
    after === null ? matches(document, view.query.only) : document._position > after;
  let count = 0;
  for await (const documents of view.rows(models, {})) {
    if (signal.aborted) return false;
    const fresh = documents.filter(isNew);
    for (const document of fresh) table.add(document);
    onRows((count += fresh.length));
  }
  return true;
}

/** Null where there are no events. */
async function exportedBy(run: OpenExport, position: Position, event: RecordedEvent | null): Promise<Exported | null> {
  const id = await run.history.id();
  if (id === null) return null;
  const last = event && { stream: event.stream, revision: event.revision, eventId: event.id, position: event.position };
  return { position, history: id, last };
}
