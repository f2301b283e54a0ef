import { statSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { loadConfig, type Config } from '../config/config.ts';
import { wrongNamespace } from '../replay/namespace.ts';
import { recall, remember } from '../replay/compile-cache.ts';
import type { Compiled } from '../replay/compile.ts';
import type { Destination, Failure, Summary, Task } from '../replay/messages.ts';
import { ReplayRefused } from '../replay/refused.ts';
import { runTask } from '../replay/run-worker.ts';
import { EXIT, readArguments, UsageError, usageOf, type Invocation } from './arguments.ts';
import { grouped, progressOn } from './progress.ts';
import { REPLAY_HELP } from './replay-help.ts';
import { boundOf, describePlace, isMissing, placeOf } from './store-location.ts';

/** Seconds that a module may take for one event, unless it is told otherwise. */
const EVENT_TIMEOUT_S = 10;
const MAX_EVENT_TIMEOUT_S = 86_400;

interface ReplayRequest extends Omit<Task, 'source' | 'fingerprint'> {
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

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];

/** Runs `sim-racing-timing replay`; the result is the exit code. */
export function runReplay(command: Invocation): Promise<number> {
  return usageOf(command, 'replay', async () => {
    const { values, argument } = readArguments(command.args, OPTIONS);
    if (values.help === true) {
      command.out.write(REPLAY_HELP);
      return EXIT.done;
    }
    if (argument === null) throw new UsageError('the file of a projection module is missing');
    return replay(command, wishOf(resolve(argument), values, loadConfig(command.env)));
  });
}

function wishOf(file: string, values: Values, config: Config): ReplayRequest {
  const destination = destinationOf(values);
  const json = values.json === true;
  const toStdout = destination.kind === 'output' && destination.target.file === null;
  if (json && toStdout) throw new UsageError('--json and --out - both want standard output');
  if (values.follow === true && toStdout) throw new UsageError('--follow goes with --into or with a file as --out');
  const place = placeOf('from', values.from, config);
  if (isMissing(place)) throw new UsageError(`--from: there is no event store in ${describePlace(place)}`);
  const { storeTimeoutMs } = config;
  return {
    file,
    destination,
    json,
    events: { dataDir: '', eventStoreUrl: null, storeTimeoutMs, ...place },
    from: describePlace(place),
    settings: {
      dataDir: config.dataDir,
      eventStoreUrl: config.eventStoreUrl,
      mongodbUrl: config.mongodbUrl,
      storeTimeoutMs,
    },
    until: boundOf('until', values.until),
    follow: values.follow === true,
    eventTimeoutMs: eventTimeoutOf(values['event-timeout']),
  };
}

function destinationOf({ into, out, fresh = false }: Values): Destination {
  if ((into === undefined) === (out === undefined)) {
    throw new UsageError('one of --out FILE and --into NAMESPACE is wanted, to say where the documents go');
  }
  if (into !== undefined) {
    const wrong = wrongNamespace(into);
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

async function replay({ out, err, signal }: Invocation, { file, eventTimeoutMs, json, ...wish }: ReplayRequest) {
  const startedAt = performance.now();
  const compiled = await compiledOrFailure(file);
  if ('message' in compiled) return failed({ out, err }, { json, failure: compiled });
  const { fingerprint, entry, outputs } = compiled;
  const progress = progressOn(err, 'Replaying');
  const outcome = await runTask(
    { ...wish, source: { entry, outputs }, fingerprint },
    {
      eventTimeoutMs,
      signal,
      onProgress: ({ events, share }) => {
        progress.show({ done: events, share });
      },
      onNote: (text) => {
        err.write(`sim-racing-timing replay: ${text}\n`);
      },
      onOutput: (text) => {
        err.write(text);
      },
    },
  );
  if (outcome.kind === 'failed') {
    progress.leave();
    return failed({ out, err }, { json, failure: outcome.failure });
  }
  const { summary } = outcome;
  const seconds = (performance.now() - startedAt) / 1_000;
  progress.end(`${grouped(summary.events)} events in ${seconds.toFixed(1)} s`);
  if (json) out.write(jsonOf(summary, wish.destination, seconds));
  else err.write(summaryOf(summary, wish.destination));
  return summary.complete ? EXIT.done : EXIT.interrupted;
}

/** TypeScript is loaded only where it is needed: it costs a start most of a second. */
async function compiledOrFailure(file: string): Promise<Compiled | Failure> {
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

function failed({ out, err }: Pick<Invocation, 'out' | 'err'>, told: { json: boolean; failure: Failure }): number {
  const { message, event } = told.failure;
  err.write(`sim-racing-timing replay: ${message}\n`);
  if (told.json) out.write(`${JSON.stringify({ result: 'failed', error: message, event })}\n`);
  return EXIT.failed;
}

function jsonOf(summary: Summary, destination: Destination, seconds: number): string {
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

function summaryOf({ complete, position, written }: Summary, destination: Destination): string {
  const at = position === null ? 'No event has been read.' : `The documents are those of position ${position}.`;
  if (!complete) {
    const begins = destination.kind === 'output' && destination.target.file === null;
    return `${at}\nInterrupted: the same command ${begins ? 'begins anew' : 'goes on from here, nothing is lost'}.\n`;
  }
  const lines = written.map(({ collection, documents, file }) => {
    const place = destination.kind === 'namespace' ? `in namespace ${destination.name}` : `in ${file ?? 'the output'}`;
    return `${grouped(documents)} ${collection} ${place}\n`;
  });
  return `${at}\n${lines.join('')}`;
}
