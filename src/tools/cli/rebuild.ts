import { constants, setPriority } from 'node:os';
import type { LeaseStatus } from '../../kernel/lease.ts';
import { pause } from '../../kernel/ports/system.ts';
import { createLogger } from '../../service/observability/log.ts';
import { createProjector } from '../../service/projector/projector.ts';
import { buildNextGeneration, type RebuildResult } from '../../service/projector/rebuild.ts';
import { EXIT, flag, JSON_OPTION, jsonLine, type Invocation } from './command.ts';
import { formatCount, formatRate, parkedNote, replayWithProgress, secondsSince } from './progress.ts';
import { serviceCommand, type ServiceStores } from './stores.ts';

const SYNTAX = {
  name: 'rebuild',
  about: `
Rebuilds the built-in read models from the events, in a new generation beside the current one, and then makes the new
one current in one write. A service may keep running: it uses the current one until then, so readers never see less
than before. The projector of the service makes the new one current; where none runs, this command does.`,
  options: {
    'keep-old': flag('keep the former generation, as it was when it was retired, until the next rebuild'),
    json: JSON_OPTION,
  },
  notes: `
The stores are those of the service: DATA_DIR, EVENTSTORE_URL, MONGODB_URL. They need space for both generations.
Ctrl-C, SIGTERM, kill -9 or a failing store lose nothing: the same command resumes. A second rebuild at the same time
is refused. Progress goes to standard error.
Exit codes: 0 done, 1 failed or refused, 2 wrong usage, 130 interrupted (run it again).`,
} as const;

export const run = serviceCommand(SYNTAX, ({ values, ...invocation }) => async (opened) => {
  const { out, err, signal, waiting } = invocation;
  const { stores, config } = opened;
  const { 'keep-old': keepOld = false, json = false } = values;
  const startedAt = performance.now();
  // A service on the same machine has priority.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const { result: built, parked } = await replayWithProgress(err, 'Rebuilding', (callbacks) =>
    buildNextGeneration({ stores, leaseTermMs: config.leaseTermMs, keepOld, signal, ...callbacks }),
  );
  const seconds = secondsSince(startedAt);
  const promoted = (namespace: string): string => `the projector of a service to make ${namespace} current`;
  if (
    built === null ||
    !(await waiting.during(promoted(built.namespace), () => waitForPromotion(invocation, opened, built)))
  ) {
    err.write('Interrupted, nothing is lost: the same command resumes from here.\n');
    return EXIT.interrupted;
  }
  out.write(json ? jsonLine({ result: 'done', ...built, parked, seconds }) : summaryOf(built, parked, seconds));
  return EXIT.done;
});

/**
 * Waits until the generation is current; false when interrupted before. The projector of a service makes it current;
 * where there is none, this process is the projector until the former generation has been dropped.
 * @throws the error that stopped this process's projector.
 */
async function waitForPromotion(
  { err, signal }: Invocation,
  { stores, config }: ServiceStores,
  { namespace }: RebuildResult,
): Promise<boolean> {
  const { generations, processes, clock } = stores;
  const stop = new AbortController();
  const log = createLogger({ level: 'error', destination: { write: (line) => err.write(line) } });
  const { leaseTermMs, retireAfterMs } = config;
  const projector = createProjector({ stores, leaseTermMs, log, metrics: null });
  const noticeAt = performance.now() + NOTICE_AFTER_MS;
  const noticeOf = (isCurrent: boolean, { state, holder }: LeaseStatus): string => {
    if (isCurrent) return `${namespace} is current; the one before is left within ${retireAfterMs / 1_000} s.\n`;
    if (state === 'holding' || holder === null || performance.now() < noticeAt) return '';
    return `Waiting for ${processes.describe(holder)} to make ${namespace} current: it must be of this release.\n`;
  };
  const printed = new Set<string>();
  const running = projector.run(stop.signal);
  try {
    for (;;) {
      const { next, retiring, dropping } = await generations.refresh();
      const { lease, runner } = projector.status();
      const isLeader = lease.state === 'holding';
      // It may have been current already, and then been replaced by another rebuild.
      const isCurrent = next?.namespace !== namespace;
      const isAlone = retiring === null && dropping.length === 0;
      if (signal.aborted || (isCurrent && (isAlone || !isLeader))) return isCurrent;
      if (!isLeader && runner.state === 'stopped' && runner.error !== null) throw runner.error;
      const notice = noticeOf(isCurrent, lease);
      if (!printed.has(notice)) err.write(notice);
      printed.add(notice);
      await pause(clock, CHECK_INTERVAL_MS, signal);
    }
  } finally {
    stop.abort();
    await running;
  }
}

/** Interval, in ms, of checks whether it is current. */
const CHECK_INTERVAL_MS = 100;

/** Time, in ms, that another process is waited for before a notice names it. */
const NOTICE_AFTER_MS = 5_000;

function summaryOf({ namespace, events, resumed }: RebuildResult, parked: number, seconds: number): string {
  const continued = resumed ? ', resuming an earlier run' : '';
  const projected = `Projected ${formatCount(events)} events in ${formatRate(events, seconds)}`;
  return `${projected}${continued}; ${namespace} is current.\n${parkedNote(parked)}`;
}
