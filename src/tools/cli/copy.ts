import { keepsNewestOnly } from '../../../commands/api-keys.ts';
import { loadConfig } from '../../service/config/config.ts';
import { CopyRefused } from '../history/compare.ts';
import { copyHistory, type CopyPhase, type CopyProgress, type CopyResult } from '../history/copy.ts';
import { WrongStoreSettings } from '../../kernel/ports/errors.ts';
import { faultOf } from '../../kernel/event-types.ts';
import type { RecordedEvent } from '../../kernel/ports/event-store.ts';
import { EVENT_TYPES } from '../../service/resources/built-in.ts';
import { reasonOf } from '../../service/config/start-failure.ts';
import { withStoreAt } from '../../service/stores/stores.ts';
import { describeLocation, type StoreLocation } from '../history/location.ts';
import {
  EXIT,
  JSON_OPTION,
  jsonLine,
  required,
  text,
  UsageError,
  type Output,
  type WatchedInvocation,
} from './command.ts';
import { createProgress, formatCount, formatRate, secondsSince, type Progress } from './progress.ts';
import { expectPresent, parseStoreLocation, storeCommand } from './stores.ts';

const SYNTAX = {
  name: 'copy',
  about: `
Copies the whole event history from one event store into another: embedded to EventStoreDB, back, or between two of a
kind. Order, streams, revisions, ids, types, data and metadata are kept.`,
  options: {
    from: { ...text('STORE', 'the store to read; a service may keep writing to it'), required: true },
    to: { ...text('STORE', 'the store to fill: empty, or an interrupted copy'), required: true },
    json: JSON_OPTION,
  },
  failureOf: reasonOfCopy,
  failuresInJson: true,
  notes: `
STORE is a data directory (the service's DATA_DIR) for the embedded store, or an address such as
esdb://host:2113?tls=false (the service's EVENTSTORE_URL) for EventStoreDB.

  sim-racing-timing copy --from ./data --to 'esdb://events.example.org:2113'

Events that the target holds already are compared with those of the source, the rest is copied until the source has no
more, and the copy is read back and compared. An interrupted copy loses nothing: the same command resumes it. A target
that holds anything else is refused. No service may run on the target before the copy is done.

To move a service: copy while it runs, stop it, copy again (that takes moments), start it on the target with empty read
models. Of streams that keep only their newest event (when a key was last used), that event is copied, and revisions
count from 0 again. Uploaded files and the licence signing key are not copied: see docs/operations.md.
Exit codes: 0 done, 1 failed or refused, 2 wrong usage, 130 interrupted (run it again).`,
} as const;

const LABELS: Readonly<Record<CopyPhase, string>> = {
  compare: 'Comparing',
  copy: 'Copying',
  check: 'Checking the copy',
};

/** Waves of appends in flight to a server: while it handles one, the next ones are prepared and sent. */
export const SERVER_WAVES = 4;

type CopyRequest = Readonly<Record<'from' | 'to', StoreLocation>>;

export const run = storeCommand(SYNTAX, async ({ values, ...invocation }) => {
  const source = required('from', values.from);
  const target = required('to', values.to);
  const from = parseStoreLocation('from', source);
  const to = parseStoreLocation('to', target);
  if (describeLocation(from) === describeLocation(to)) throw new UsageError('--from and --to name the same store');
  expectPresent(from);
  const startedAt = performance.now();
  const result = await copyEvents(invocation, { from, to });
  const seconds = secondsSince(startedAt);
  invocation.out.write(values.json === true ? jsonOf(result, seconds) : summaryOf(result, to, seconds));
  return result.complete ? EXIT.done : EXIT.interrupted;
});

export async function copyEvents(
  { env, signal, err, waiting }: WatchedInvocation,
  { from, to }: CopyRequest,
): Promise<CopyResult> {
  const { storeTimeoutMs } = loadConfig(env);
  const wavesInFlight = 'dataDir' in to ? 1 : SERVER_WAVES;
  const { show: onProgress, end, abandon } = createPhaseDisplay(err);
  const options = { newestOnly: keepsNewestOnly, signal, onProgress, wavesInFlight, onEvent: faultReporter(err) };
  try {
    const what = `the events of ${describeLocation(from)}, or ${describeLocation(to)} to take them`;
    const result = await waiting.during(what, () =>
      withStoreAt(from, storeTimeoutMs, (source) =>
        withStoreAt(to, storeTimeoutMs, (target) => copyHistory({ source, target, ...options })),
      ),
    );
    end();
    return result;
  } catch (error) {
    abandon();
    throw error;
  }
}

/** Why a copy failed, in a line; null for a fault of our own. */
export function reasonOfCopy(error: unknown): string | null {
  if (error instanceof WrongStoreSettings) return error.message;
  if (!(error instanceof CopyRefused)) return reasonOf(error);
  return (
    `${error.message}. Nothing was overwritten. The target must be empty or an interrupted copy of this source, ` +
    'and nothing else may write to it'
  );
}

const MAX_REPORTED = 10;

/** Reports events that do not satisfy their schema. They are copied all the same: a copy is the whole history. */
function faultReporter(err: Output): (event: RecordedEvent) => void {
  let reported = 0;
  return (event) => {
    const fault = reported < MAX_REPORTED ? faultOf(EVENT_TYPES, event) : null;
    if (fault === null) return;
    reported += 1;
    err.write(`The ${event.type} at position ${event.position} does not satisfy its schema: ${fault}\n`);
  };
}

function createPhaseDisplay(out: Output) {
  let current: { readonly phase: CopyPhase; readonly progress: Progress; events: number } | null = null;
  const end = (): void => {
    current?.progress.end(`${formatCount(current.events)} events`);
    current = null;
  };
  const show = ({ phase, events, share }: CopyProgress): void => {
    if (current?.phase !== phase) {
      end();
      current = { phase, progress: createProgress(out, LABELS[phase]), events };
    }
    current.events = events;
    current.progress.show({ done: events, share });
  };
  return { show, end, abandon: () => current?.progress.abandon() };
}

function jsonOf({ complete, checked, ...counts }: CopyResult, seconds: number): string {
  const result = complete ? 'done' : 'interrupted';
  return jsonLine({ result, ...counts, ...checked, seconds, perSecond: Math.round(counts.copied / seconds) });
}

function summaryOf({ there, copied, checked, behind }: CopyResult, to: StoreLocation, seconds: number): string {
  const found = there === 0 ? '' : `; ${formatCount(there)} were there already`;
  const counts = `Copied ${formatCount(copied)} events in ${formatRate(copied, seconds)}${found}.\n`;
  if (checked === null) return `${counts}Interrupted, nothing is lost: the same command resumes from here.\n`;
  const whole =
    `The target holds ${formatCount(checked.events)} events of ${formatCount(checked.streams)} streams, ` +
    'the same as the source and in the same order.\n';
  return counts + whole + (behind ? BEHIND : nextSteps(to));
}

const BEHIND = `
The source has been written to meanwhile. Stop its service, then run the same command again: it copies the rest.
`;

function nextSteps(to: StoreLocation): string {
  const settings =
    'dataDir' in to
      ? `DATA_DIR=${to.dataDir} and without EVENTSTORE_URL`
      : `EVENTSTORE_URL=${describeLocation(to)} (with its credentials, if it needs any)`;
  return `
Next
  Make sure that no service writes to the source any more; if one did, run the same command again.
  Start the service with ${settings}.
  It needs empty read models (a new database in MONGODB_URL, or no read-models folder in DATA_DIR) and builds them
  from the events. Uploaded files and the licence signing key have to move too, or stay where they are: see
  docs/operations.md.
`;
}
