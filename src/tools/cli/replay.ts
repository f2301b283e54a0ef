import { dirname, extname, resolve } from 'node:path';
import { loadConfig } from '../../service/config/config.ts';
import { reasonOf } from '../../service/config/start-failure.ts';
import type { RecordedEvent } from '../../kernel/ports/event-store.ts';
import { PoisonEvent } from '../../kernel/projection/unit-of-work.ts';
import { UnknownPoint } from '../history/bounds.ts';
import { describeLocation } from '../history/location.ts';
import { checkProjections, WANTED_EXPORT } from '../replay/check-projections.ts';
import { namespaceProblem } from '../replay/namespace.ts';
import type { Destination } from '../replay/destination.ts';
import { describeThrown, loadModule } from '../replay/load-module.ts';
import { ReplayRefused } from '../replay/refused.ts';
import { replay, type ReplaySummary } from '../replay/replay.ts';
import { AnalystCode } from './analyst-code.ts';
import { command, EXIT, flag, JSON_OPTION, jsonLine, text, UsageError } from './command.ts';
import type { Environment, Invocation, OptionValues } from './command.ts';
import { createProgress, formatCount, secondsSince } from './progress.ts';
import { FROM_OPTION, isDirectory, parsePointOption, sourceLocationOf, UNTIL_OPTION } from './stores.ts';

const SYNTAX = {
  name: 'replay',
  argument: 'FILE',
  about: `
Runs your own projection over the whole history, and gives you the documents that it makes. The event store is only
read: nothing is appended, and no read model of the service is touched.

FILE is a TypeScript or JavaScript module. ${WANTED_EXPORT}
docs/examples has larger ones, which follow corrections of laps, too; docs/analysts.md explains them.`,
  options: {
    out: text(
      'FILE',
      `write the documents to a file when the replay is over, ordered by id: .ndjson (one JSON object a line) or .csv
        (RFC 4180; null is empty, nested values are JSON, an apostrophe stands before what a spreadsheet would run, a
        tab before a telephone number; docs/interface.md#texts-in-csv says how to take them away).
        Several tables have a file each, FILE.<table>.csv. Until then they are in .timing-replay beside the file, from
        where the same command resumes. -: standard output, as NDJSON with a "collection" where there are several`,
    ),
    into: text(
      'NAME',
      `keep the documents in a namespace of their own in the read store of the environment (MONGODB_URL, else
        DATA_DIR). The same command resumes where the last one ended. Names of the service's own read models are
        refused`,
    ),
    fresh: flag('drop what an earlier run has left, and start again: needed with --into when the module has changed'),
    from: FROM_OPTION,
    until: UNTIL_OPTION,
    follow: flag('continue with new events until Ctrl-C; files are rewritten when something has changed'),
    json: JSON_OPTION,
  },
  notes: `
  sim-racing-timing replay docs/examples/track-records.ts --out records.csv
  sim-racing-timing replay best-laps.ts --from ./backup --until 2026-01-01 --out - | head
  sim-racing-timing replay best-laps.ts --into best-laps --follow

Types are not checked: an editor does that. Fields whose names begin with _ are the projection's own, and left out of
files. Names and addresses of people are not masked: handle what you export with care. Progress goes to standard error,
as does what the module prints. Ctrl-C ends a module that never returns; press it twice for one that waits.
Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted (what was committed is kept: the same command resumes).`,
} as const;

type ReplayCommandOptions = OptionValues<typeof SYNTAX.options>;

type ReplayRequest = ReturnType<typeof requestOf>;

export const run = command(SYNTAX, async ({ argument, values, ...invocation }) => {
  if (argument === null) throw new UsageError('the file of a projection module is missing');
  const request = requestOf(resolve(argument), values, invocation.env);
  const code = new AnalystCode();
  const onExit = (): void => {
    process.exitCode = reportFailure(invocation, request, unfinished(request.file, code.event));
  };
  try {
    const what = `the events of ${describeLocation(request.from)}, and the module`;
    return await invocation.waiting.during(what, () => code.run(() => runModule(invocation, request, code), onExit));
  } catch (error) {
    const failure = failureOf(error, request.file);
    if (failure === null) throw error;
    return reportFailure(invocation, request, failure);
  }
});

function requestOf(file: string, values: ReplayCommandOptions, env: Environment) {
  const { json = false, follow = false, fresh = false } = values;
  const destination = destinationOf(values);
  const toStdout = destination.kind === 'output' && destination.target.file === null;
  if (json && toStdout) throw new UsageError('--json and --out - both write to standard output');
  if (follow && toStdout) throw new UsageError('--follow goes with --into or with a file as --out');
  const from = sourceLocationOf(values.from, loadConfig(env));
  return { file, destination, json, from, until: parsePointOption('until', values.until), follow, fresh };
}

function destinationOf({ into, out }: ReplayCommandOptions): Destination {
  if ((into === undefined) === (out === undefined)) {
    throw new UsageError('one of --out FILE and --into NAMESPACE is needed: it says where the documents go');
  }
  if (into !== undefined) {
    const wrong = namespaceProblem(into);
    if (wrong !== null) throw new UsageError(`--into: ${wrong}`);
    return { kind: 'namespace', name: into };
  }
  if (out === undefined || out === '-') return { kind: 'output', target: { file: null, format: 'ndjson' } };
  const file = resolve(out);
  const ending = extname(file);
  if (ending !== '.ndjson' && ending !== '.csv') {
    throw new UsageError(`--out takes a file whose name ends in .ndjson or .csv, or - for standard output`);
  }
  if (!isDirectory(dirname(file))) throw new UsageError(`--out: there is no directory ${dirname(file)}`);
  if (isDirectory(file)) throw new UsageError(`--out: ${file} is a directory`);
  return { kind: 'output', target: { file, format: ending === '.csv' ? 'csv' : 'ndjson' } };
}

async function runModule(
  { out, err, env, signal }: Invocation,
  { file, json, ...request }: ReplayRequest,
  code: AnalystCode,
): Promise<number> {
  const startedAt = performance.now();
  const progress = createProgress(err, 'Replaying');
  try {
    const { exported, version } = await code.load(() => loadModule(file));
    const summary = await replay(checkProjections(exported, file), {
      ...request,
      name: file,
      env,
      version,
      signal,
      onEvent: code.enter,
      onProgress: progress.show,
      onNote: (text) => err.write(`sim-racing-timing replay: ${text}\n`),
    });
    const seconds = secondsSince(startedAt);
    progress.end(`${formatCount(summary.events)} events in ${seconds.toFixed(1)} s`);
    if (json) out.write(jsonOf(summary, request.destination, seconds));
    else err.write(summaryOf(summary, request.destination));
    return summary.complete ? EXIT.done : EXIT.interrupted;
  } catch (error) {
    progress.abandon();
    throw error;
  }
}

interface Failure {
  readonly message: string;
  readonly event: RecordedEvent | null;
}

/** Null for a fault of this program. */
function failureOf(error: unknown, file: string): Failure | null {
  if (error instanceof PoisonEvent) {
    const { event, cause } = error;
    return { message: `${file} cannot project ${placeOf(event)}: ${describeThrown(cause)}`, event };
  }
  const isRefused = error instanceof ReplayRefused || error instanceof UnknownPoint;
  const message = isRefused ? error.message : reasonOf(error);
  return message === null ? null : { message, event: null };
}

function unfinished(file: string, event: RecordedEvent | null): Failure {
  const at = event === null ? 'its start, before the first event,' : placeOf(event);
  return { message: `${file} at ${at} has not finished: it called process.exit(), or waits for ever`, event };
}

function placeOf({ type, position, stream }: RecordedEvent): string {
  return `${type} at position ${position} of ${stream}`;
}

function reportFailure({ out, err }: Invocation, { json }: ReplayRequest, { message, event: at }: Failure): number {
  err.write(`sim-racing-timing replay: ${message}\n`);
  const event = at === null ? null : { type: at.type, stream: at.stream, position: at.position };
  if (json) out.write(jsonLine({ result: 'failed', error: message, event }));
  return EXIT.failed;
}

function jsonOf(summary: ReplaySummary, destination: Destination, seconds: number): string {
  const { complete, events, from, position, written } = summary;
  const documents = Object.fromEntries(written.map(({ collection, documents: count }) => [collection, count]));
  const where =
    destination.kind === 'namespace' ? { into: destination.name } : { files: written.map(({ file }) => file) };
  return jsonLine({
    result: complete ? 'done' : 'interrupted',
    events,
    from,
    position,
    documents,
    ...where,
    seconds,
    perSecond: Math.round(events / seconds),
  });
}

function summaryOf({ complete, position, written }: ReplaySummary, destination: Destination): string {
  const at = position === null ? 'No event has been read.' : `The documents are as of position ${position}.`;
  if (!complete) {
    const restarts = destination.kind === 'output' && destination.target.file === null;
    return `${at}\nInterrupted: the same command ${restarts ? 'starts again' : 'resumes from here, nothing is lost'}.\n`;
  }
  const lines = written.map(({ collection, documents, file }) => {
    const where = destination.kind === 'namespace' ? `in namespace ${destination.name}` : `in ${file ?? 'the output'}`;
    return `${formatCount(documents)} ${collection} ${where}\n`;
  });
  return `${at}\n${lines.join('')}`;
}
