import { statSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { loadConfig, type Config } from '../../service/config/config.ts';
import { namespaceProblem } from '../replay/namespace.ts';
import { recall, remember, type Compiled } from '../replay/compile-cache.ts';
import type { Destination, ReplayFailure, ReplaySummary, ReplayTask } from '../replay/messages.ts';
import { ReplayRefused } from '../replay/refused.ts';
import { runTask } from '../replay/run-worker.ts';
import { EXIT, runCommand, UsageError, type Invocation, type OptionValues } from './arguments.ts';
import { formatCount, createProgress } from './progress.ts';
import { describeLocation, parseBoundOption, sourceLocationOf } from './stores.ts';

const HELP = `usage: sim-racing-timing replay FILE (--out FILE.ndjson | --out FILE.csv | --out - | --into NAMESPACE)
                    [--from STORE] [--until POINT] [--follow] [--fresh] [--event-timeout SECONDS] [--json]

Runs your own projection over the whole history, and gives you the documents that it makes. The event store is only
read: nothing is appended, and no read model of the service is touched.

FILE is a TypeScript or JavaScript module whose default export is a projection or a list of them:

  import { gatheringLaps, lapEvents, lapLookUps, projection, table } from 'sim-racing-timing';

  const bestLaps = table<{ ms: number | null; _laps: { [lapId: string]: number } }>('bestLaps');

  export default [...lapLookUps, projection(bestLaps, { own: {}, others: lapEvents }, {
    ...gatheringLaps({   // laps are corrected: a row keeps those that it is made of
      idOf: ({ participantId }) => participantId,
      async rewrite({ id, left, joined }, look) {
        const row = await look(bestLaps, id);
        const { [left?.lap.lapId ?? '']: _, ...laps } = row?._laps ?? {};
        if (joined?.facts.valid) laps[joined.lap.lapId] = joined.lap.totalTime;
        const fields = { ms: Object.values(laps).toSorted((a, b) => a - b)[0] ?? null, _laps: laps };
        return row === null ? bestLaps.insert(id, fields) : bestLaps.set(id, fields);
      },
    }),
    LapMovedToRig: () => null,   // makes no difference here
  })];

Where the documents go
  --out FILE     to a file, when the replay is over: .ndjson (one JSON object a line) or .csv (RFC 4180; null is
                 empty, nested values are JSON; it is meant for notebooks, and formulas in texts are left alone).
                 Ordered by id. Of several tables each has a file, as FILE.<table>.csv. Until then they are in
                 .timing-replay beside the file, so that the same command goes on where it was killed.
  --out -        as NDJSON to standard output; of several tables, each line says which by "collection".
                 Killed, it begins anew.
  --into NAME    to a namespace of their own in the read store of the environment (MONGODB_URL, else DATA_DIR). The
                 same command goes on where the last one ended. Names of the service's own read models are refused.
  --fresh        drop what an earlier run has left, and begin anew: needed with --into when the module has changed

What is read
  --from STORE   a data directory (the service's DATA_DIR) or an address such as esdb://host:2113?tls=false; left out:
                 the store of the environment (EVENTSTORE_URL, else DATA_DIR, else ./data). A service may go on
                 there. The locks of a directory need leave to write in it: read a copy where there is none
  --until POINT  the position of the last event to read, or a time such as 2026-03-01T18:00Z (without an offset, UTC):
                 the first event that happened later ends the replay. Left out: the newest event. Documents go on
                 to a later point, never back
  --follow       go on with events to come, until Ctrl-C; files are written anew when something has changed

  --event-timeout SECONDS   end the replay when the module takes longer for one event; 10
  --json         one JSON object with the result on standard output, for scripts
  -h, --help     this text

  sim-racing-timing replay projections/examples/track-records.ts --out records.csv
  sim-racing-timing replay best-laps.ts --from ./backup --until 2026-01-01 --out - | head
  sim-racing-timing replay best-laps.ts --into best-laps --follow

Types are checked first. Fields whose names begin with _ are the projection's own and are left out of files. Names and
addresses of people are not masked here: handle what you export with care.

Progress goes to standard error, as does what the module prints. Exit codes: 0 done, 1 failed, 2 wrong usage, 130
interrupted (nothing lost: the same command goes on).
`;

/** Default time limit, in seconds, of the module for one event. */
const EVENT_TIMEOUT_S = 10;
const MAX_EVENT_TIMEOUT_S = 86_400;

interface ReplayRequest extends Omit<ReplayTask, 'source' | 'fingerprint'> {
  readonly file: string;
  readonly eventTimeoutMs: number;
  readonly json: boolean;
}

const OPTIONS = {
  from: { type: 'string' },
  until: { type: 'string' },
  into: { type: 'string' },
  out: { type: 'string' },
  follow: { type: 'boolean' },
  fresh: { type: 'boolean' },
  'event-timeout': { type: 'string' },
  json: { type: 'boolean' },
} as const;

type ReplayCommandOptions = OptionValues<typeof OPTIONS>;

/** Runs `sim-racing-timing replay`; the result is the exit code. */
export function runReplay(command: Invocation): Promise<number> {
  const syntax = { name: 'replay', help: HELP, options: OPTIONS, takesArgument: true };
  return runCommand(command, syntax, (values, argument) => {
    if (argument === null) throw new UsageError('the file of a projection module is missing');
    return replay(command, requestOf(resolve(argument), values, loadConfig(command.env)));
  });
}

function requestOf(file: string, values: ReplayCommandOptions, config: Config): ReplayRequest {
  const destination = destinationOf(values);
  const json = values.json === true;
  const toStdout = destination.kind === 'output' && destination.target.file === null;
  if (json && toStdout) throw new UsageError('--json and --out - both write to standard output');
  if (values.follow === true && toStdout) throw new UsageError('--follow goes with --into or with a file as --out');
  const location = sourceLocationOf(values.from, config);
  const { storeTimeoutMs } = config;
  return {
    file,
    destination,
    json,
    events: { dataDir: '', eventStoreUrl: null, storeTimeoutMs, ...location },
    from: describeLocation(location),
    settings: {
      dataDir: config.dataDir,
      eventStoreUrl: config.eventStoreUrl,
      mongodbUrl: config.mongodbUrl,
      storeTimeoutMs,
    },
    until: parseBoundOption('until', values.until),
    follow: values.follow === true,
    eventTimeoutMs: eventTimeoutOf(values['event-timeout']),
  };
}

function destinationOf({ into, out, fresh = false }: ReplayCommandOptions): Destination {
  if ((into === undefined) === (out === undefined)) {
    throw new UsageError('one of --out FILE and --into NAMESPACE is needed: it says where the documents go');
  }
  if (into !== undefined) {
    const wrong = namespaceProblem(into);
    if (wrong !== null) throw new UsageError(`--into: ${wrong}`);
    return { kind: 'namespace', name: into, fresh };
  }
  if (out === undefined || out === '-') return { kind: 'output', target: { file: null, format: 'ndjson' }, fresh };
  const file = resolve(out);
  const ending = extname(file);
  if (ending !== '.ndjson' && ending !== '.csv') {
    throw new UsageError(`--out takes a file whose name ends in .ndjson or .csv, or - for standard output`);
  }
  if (!isDirectory(dirname(file))) throw new UsageError(`--out: there is no directory ${dirname(file)}`);
  if (isDirectory(file)) throw new UsageError(`--out: ${file} is a directory`);
  return { kind: 'output', target: { file, format: ending === '.csv' ? 'csv' : 'ndjson' }, fresh };
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function eventTimeoutOf(value: string | undefined): number {
  const seconds = value === undefined ? EVENT_TIMEOUT_S : Number(value);
  if (seconds >= 1 && seconds <= MAX_EVENT_TIMEOUT_S) return seconds * 1_000;
  throw new UsageError(`--event-timeout takes a number of seconds from 1 to ${MAX_EVENT_TIMEOUT_S}`);
}

async function replay({ out, err, signal }: Invocation, { file, eventTimeoutMs, json, ...request }: ReplayRequest) {
  const startedAt = performance.now();
  const compiled = await compiledOrFailure(file);
  if ('message' in compiled) return reportFailure({ out, err }, { json, failure: compiled });
  const { fingerprint, entry, outputs } = compiled;
  const progress = createProgress(err, 'Replaying');
  const outcome = await runTask(
    { ...request, source: { entry, outputs }, fingerprint },
    {
      eventTimeoutMs,
      signal,
      onProgress: ({ events, share }) => progress.show({ done: events, share }),
      onNote: (text) => err.write(`sim-racing-timing replay: ${text}\n`),
      onOutput: (text) => err.write(text),
    },
  );
  if (outcome.kind === 'failed') {
    progress.abandon();
    return reportFailure({ out, err }, { json, failure: outcome.failure });
  }
  const { summary } = outcome;
  const seconds = (performance.now() - startedAt) / 1_000;
  progress.end(`${formatCount(summary.events)} events in ${seconds.toFixed(1)} s`);
  if (json) out.write(jsonOf(summary, request.destination, seconds));
  else err.write(summaryOf(summary, request.destination));
  return summary.complete ? EXIT.done : EXIT.interrupted;
}

/** Compiles the module. TypeScript is loaded only where it is needed: it takes most of a second. */
async function compiledOrFailure(file: string): Promise<Compiled | ReplayFailure> {
  const known = recall(file);
  if (known !== null) return known;
  const { compile } = await import('../replay/compile.ts');
  try {
    const compiled = compile(file);
    remember(file, compiled);
    return compiled;
  } catch (error) {
    if (error instanceof ReplayRefused) return { message: error.message, event: null };
    throw error;
  }
}

function reportFailure(
  { out, err }: Pick<Invocation, 'out' | 'err'>,
  { json, failure }: { json: boolean; failure: ReplayFailure },
): number {
  const { message, event } = failure;
  err.write(`sim-racing-timing replay: ${message}\n`);
  if (json) out.write(`${JSON.stringify({ result: 'failed', error: message, event })}\n`);
  return EXIT.failed;
}

function jsonOf(summary: ReplaySummary, destination: Destination, seconds: number): string {
  const { complete, events, from, position, written } = summary;
  const documents = Object.fromEntries(written.map(({ collection, documents: count }) => [collection, count]));
  const where =
    destination.kind === 'namespace' ? { into: destination.name } : { files: written.map(({ file }) => file) };
  return `${JSON.stringify({
    result: complete ? 'done' : 'interrupted',
    events,
    from,
    position,
    documents,
    ...where,
    seconds: Number(seconds.toFixed(3)),
    perSecond: Math.round(events / seconds),
  })}\n`;
}

function summaryOf({ complete, position, written }: ReplaySummary, destination: Destination): string {
  const at = position === null ? 'No event has been read.' : `The documents are as of position ${position}.`;
  if (!complete) {
    const restarts = destination.kind === 'output' && destination.target.file === null;
    return `${at}\nInterrupted: the same command ${restarts ? 'begins anew' : 'goes on from here, nothing is lost'}.\n`;
  }
  const lines = written.map(({ collection, documents, file }) => {
    const where = destination.kind === 'namespace' ? `in namespace ${destination.name}` : `in ${file ?? 'the output'}`;
    return `${formatCount(documents)} ${collection} ${where}\n`;
  });
  return `${at}\n${lines.join('')}`;
}
