import { dirname, extname, resolve, sep } from 'node:path';
import { loadConfig } from '../../service/config/config.ts';
import { exportView, type ExportResult } from '../export/export.ts';
import type { ExportTarget } from '../export/target.ts';
import { FORMATS, type Format } from '../export/table.ts';
import { viewOf, VIEW_NAMES } from '../export/views.ts';
import { columnsOf, isPersonal } from '../../service/exports/columns.ts';
import { UnfitForParquet } from '../../service/exports/parquet.ts';
import type { ExportView } from '../../service/exports/views.ts';
import { PoisonEvent } from '../../kernel/projection/unit-of-work.ts';
import { ReplayRefused } from '../replay/refused.ts';
import { withStoreAt } from '../../service/stores/stores.ts';
import { describeLocation } from '../history/location.ts';
import { EXIT, flag, JSON_OPTION, jsonLine, text, UsageError } from './command.ts';
import type { Environment, OptionValues } from './command.ts';
import { recordCopyOf } from './personal-copies.ts';
import { createProgress, formatCount, formatRate, secondsSince } from './progress.ts';
import { FROM_OPTION, isDirectory, parsePointOption, sourceLocationOf, storeCommand, UNTIL_OPTION } from './stores.ts';

const SYNTAX = {
  name: 'export',
  argument: 'VIEW',
  about: `
Writes a list, computed from the whole history, as a table for duckdb, pandas or a spreadsheet. The event store is only
read, and no read model of the service is touched.

VIEW is one of: ${VIEW_NAMES.slice(0, 7).join(', ')},
${VIEW_NAMES.slice(7).join(', ')}`,
  options: {
    out: {
      ...text(
        'PATH',
        `a file, whose ending says the format: laps.parquet, laps.csv, laps.ndjson. Or a directory (one that exists, or
        a path that ends in /): each export adds files with the rows that are new or have changed since the last one,
        named after the positions that they hold. Of several rows with one id, the highest position is the valid one`,
      ),
      required: true,
    },
    from: FROM_OPTION,
    until: UNTIL_OPTION,
    names:
      flag(`with personal data: names, contact data and extra fields of people, names of licences. They are left out
        otherwise, as are participantName of laps and licenseDisplayName`),
    month: flag('a subdirectory for each month (UTC) in which rows were created: month=2026-11/…'),
    format: text('FORMAT', 'of files in a directory: parquet, csv or ndjson; default: parquet'),
    replace: flag('replace the file, or the files of VIEW in the directory'),
    json: JSON_OPTION,
  },
  failureOf: refusalOf,
  failuresInJson: true,
  notes: `
  sim-racing-timing export laps --out laps.parquet
  sim-racing-timing export participants --names --out people.csv
  sim-racing-timing export laps --month --out exports/laps/

Disabled records are included. During the export, documents are in .timing-replay beside the output: about 1 kB of disk
for each lap. Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted (the same command resumes).`,
} as const;

type ExportCommandOptions = OptionValues<typeof SYNTAX.options>;

export const run = storeCommand(SYNTAX, async ({ argument, values, env, out, err, signal, waiting }) => {
  const startedAt = performance.now();
  const { location, config, ...request } = requestOf(argument, values, env);
  // What is not the service's own store may be somebody else's, such as a backup, and is only read.
  if (values.from === undefined && isPersonal(request.view, request.names)) {
    const where = request.target.kind === 'file' ? request.target.file : request.target.directory;
    await recordCopyOf(location, config.storeTimeoutMs, { what: 'export', where }, err);
  }
  const progress = createProgress(err, 'Replaying');
  const onRows = (done: number): void => progress.show({ done, share: 1 });
  let result: ExportResult | null = null;
  try {
    result = await waiting.during(`the events of ${request.from}`, () =>
      withStoreAt(location, config.storeTimeoutMs, (store) =>
        exportView({ ...request, store, signal, onProgress: progress.show, onRows }),
      ),
    );
  } finally {
    if (result?.complete !== true) progress.abandon();
    else progress.end(`${formatCount(result.events)} events in ${formatRate(result.events, secondsSince(startedAt))}`);
  }
  if (values.json === true) out.write(jsonOf(result, request.view, secondsSince(startedAt)));
  else err.write(summaryOf(result, request.view));
  return result.complete ? EXIT.done : EXIT.interrupted;
});

/** Why an export cannot be made; null for other errors. */
function refusalOf(error: unknown): string | null {
  if (error instanceof ReplayRefused) return error.message;
  if (error instanceof UnfitForParquet) return `${error.message}; export to CSV or NDJSON instead`;
  if (!(error instanceof PoisonEvent)) return null;
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}. --until ${error.event.position - 1} exports what was before it`;
}

/** @throws {UsageError} */
function requestOf(argument: string | null, values: ExportCommandOptions, env: Environment) {
  const view = argument === null ? null : viewOf(argument);
  if (view === null) {
    const wrong = argument === null ? 'what to export is missing' : `there is no list ${argument}`;
    throw new UsageError(`${wrong}: it is one of ${VIEW_NAMES.join(', ')}`);
  }
  const { names = false, month = false, replace = false } = values;
  const output = targetOf(values);
  if (month) expectMonths(view, output.target);
  const config = loadConfig(env);
  const location = sourceLocationOf(values.from, config);
  const until = parsePointOption('until', values.until);
  return { ...output, view, names, replace, until, from: describeLocation(location), location, config };
}

/** @throws {UsageError} */
function targetOf({ out, format, month = false }: ExportCommandOptions): {
  readonly target: ExportTarget;
  readonly format: Format;
} {
  if (out === undefined || out === '') throw new UsageError('--out is missing: it says where the table goes');
  const path = resolve(out);
  if (isDirectory(path) || out.endsWith('/') || out.endsWith(sep)) {
    return { target: { kind: 'directory', directory: path, byMonth: month }, format: formatOf(format ?? 'parquet') };
  }
  if (format !== undefined)
    throw new UsageError('--format goes with a directory: the ending of a file says its format');
  const ending = FORMATS.find((it) => extname(path) === `.${it}`);
  if (ending === undefined) {
    throw new UsageError(
      '--out takes a file whose name ends in .parquet, .csv or .ndjson, or a directory with / at its end',
    );
  }
  if (!isDirectory(dirname(path))) throw new UsageError(`--out: there is no directory ${dirname(path)}`);
  return { target: { kind: 'file', file: path }, format: ending };
}

function formatOf(text: string): Format {
  const format = FORMATS.find((it) => it === text);
  if (format === undefined) throw new UsageError(`--format takes ${FORMATS.join(', ')}`);
  return format;
}

/** @throws {UsageError} where there are no months to tell apart */
function expectMonths(view: ExportView, target: ExportTarget): void {
  if (target.kind === 'file') throw new UsageError('--month goes with a directory as --out: each month has files');
  const isDated = columnsOf(view, false).some(({ name }) => name === 'createdAt');
  if (!isDated) throw new UsageError(`--month: ${view.name} do not say when they were created`);
}

function jsonOf(result: ExportResult, view: ExportView, seconds: number): string {
  const { complete, events, after, position, files } = result;
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const head = { result: complete ? 'done' : 'interrupted', view: view.name };
  return jsonLine({ ...head, events, after, position, rows, files, seconds });
}

const BYTES_PER_MB = 1_000_000;

function summaryOf(result: ExportResult, { name }: ExportView): string {
  const { complete, after, position, files } = result;
  if (!complete) return 'Interrupted, nothing is lost: the same command resumes from here.\n';
  const since = after === null ? '' : ` since position ${after}`;
  const lines = files.map(({ file, rows, bytes }) => {
    const megabytes = (bytes / BYTES_PER_MB).toFixed(1);
    return `${formatCount(rows)} ${name} in ${file} (${megabytes} MB)\n`;
  });
  const at = position === null ? 'There are no events.' : `The rows are as of position ${position}.`;
  return `${at}\n${lines.length > 0 ? lines.join('') : `Nothing has changed${since}.\n`}`;
}
