import { constants, setPriority } from 'node:os';
import { pause } from '../kernel/ports/system.ts';
import { createLogger } from '../observability/log.ts';
import { AlreadyRunning } from '../projector/exclusive-job.ts';
import type { GenerationState } from '../projector/generation-state.ts';
import { RETIRE_AFTER_MS } from '../projector/generations.ts';
import { createProjector, type Projector } from '../projector/projector.ts';
import { buildNextGeneration, type RebuildResult } from '../projector/rebuild.ts';
import { EXIT, readOptions, usageOf, type Invocation } from './arguments.ts';
import { onStores, type GroupStores } from './built-in-stores.ts';
import { grouped, progressOn, type Output } from './progress.ts';

const HELP = `usage: sim-racing-timing rebuild [--keep-old] [--json]

Makes the built-in read models anew from the events, in a new generation beside the present one, and goes over to
it in one write. A service may run meanwhile: it goes on with the present ones, and nobody sees less than before.
Its projector does the going over; where none runs, this command does it by itself.

  --keep-old   keep the generation before, as it was when it was left, until the next rebuild
  --json       one JSON object with the result on standard output, for scripts
  -h, --help   this text

The stores are those of the service: DATA_DIR, EVENTSTORE_URL, MONGODB_URL. They need space for both generations.
Ctrl-C, SIGTERM, kill -9 or a failing store lose nothing: the same command goes on where it was. A second rebuild
at the same time is refused. Progress goes to standard error.
Exit codes: 0 done, 1 failed or refused, 2 wrong usage, 130 interrupted (run it again).
`;

/** Runs `sim-racing-timing rebuild`; the result is the exit code. */
export function runRebuild(command: Invocation): Promise<number> {
  return usageOf(command, 'rebuild', async () => {
    const {
      'keep-old': keepOld = false,
      json = false,
      help,
    } = readOptions(command.args, { 'keep-old': { type: 'boolean' }, json: { type: 'boolean' } });
    if (help !== true) return onStores(command, 'rebuild', (opened) => rebuild(command, { ...opened, keepOld, json }));
    command.out.write(HELP);
    return EXIT.done;
  });
}

interface RebuildRequest extends GroupStores {
  readonly keepOld: boolean;
  readonly json: boolean;
}

async function rebuild(command: Invocation, wish: RebuildRequest): Promise<number> {
  const { out, err } = command;
  const startedAt = performance.now();
  // A service on the same machine goes first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    const parked = { count: 0 };
    const built = await buildShown(command, wish, parked);
    const seconds = (performance.now() - startedAt) / 1_000;
    if (built === null || !(await goOver(command, wish, built))) {
      err.write('Interrupted, nothing is lost: the same command goes on from here.\n');
      return EXIT.interrupted;
    }
    const told = { result: 'done', ...built, parked: parked.count, seconds: Number(seconds.toFixed(3)) };
    out.write(wish.json ? `${JSON.stringify(told)}\n` : summaryOf(built, parked.count, seconds));
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error;
    err.write(`sim-racing-timing rebuild: refused: ${error.message}\n`);
    return EXIT.failed;
  }
}

async function buildShown(
  { err, signal }: Invocation,
  { stores, config, keepOld }: RebuildRequest,
  parked: { count: number },
): Promise<RebuildResult | null> {
  const progress = progressOn(err, 'Rebuilding');
  const built = await buildNextGeneration({
    stores,
    leaseTermMs: config.leaseTermMs,
    keepOld,
    signal,
    events: {
      onBatch: () => undefined,
      onError: (error) => {
        err.write(`\n${error.message}\n`);
      },
      onParked: () => {
        parked.count += 1;
      },
    },
    onProgress: ({ events: done, position, head }) => {
      progress.show({ done, share: head === 0 ? 1 : Math.min(1, position / head) });
    },
  });
  if (built === null) progress.leave();
  else progress.end(`${grouped(built.events)} events`);
  return built;
}

/**
 * Waits until the generation is current. The projector of a service goes over to it; where there is none, this process
 * is the projector until the generation before is left. False when it was told to stop before.
 * @throws what keeps this process from projecting.
 */
async function goOver(
  { err, signal }: Invocation,
  { stores, config }: RebuildRequest,
  built: RebuildResult,
): Promise<boolean> {
  const { generations } = stores;
  const stop = new AbortController();
  const log = createLogger({ level: 'error', destination: { write: (line) => err.write(line) } });
  const projector = createProjector({ stores, leaseTermMs: config.leaseTermMs, log, metrics: null });
  const tell = telling(err, { projector, built, describe: stores.processes.describe });
  const running = projector.run(stop.signal);
  try {
    for (;;) {
      const state = await generations.refresh();
      const current = isCurrent(state, built);
      const left = state.retiring === null && state.dropping.length === 0;
      if (signal.aborted || (current && (left || !leads(projector)))) return current;
      const { runner } = projector.status();
      if (runner.state === 'stopped' && runner.error !== null) throw runner.error;
      tell(current);
      await pause(stores.clock, LOOK_MS, signal);
    }
  } finally {
    stop.abort();
    await running;
  }
}

/** How often, in ms, to look whether it is over. */
const LOOK_MS = 100;

/** Wait, in ms, for another process before saying for whom. */
const PATIENCE_MS = 5_000;

/** It is, or was, before another rebuild. */
function isCurrent({ next }: GenerationState, { namespace }: RebuildResult): boolean {
  return next?.namespace !== namespace;
}

function leads(projector: Projector): boolean {
  return projector.status().lease.state === 'holding';
}

interface Telling {
  readonly projector: Projector;
  readonly built: RebuildResult;
  readonly describe: (holder: string) => string;
}

/** Says for what we wait, once each; to be called again and again. */
function telling(err: Output, { projector, built: { namespace }, describe }: Telling): (current: boolean) => void {
  const startedAt = performance.now();
  const said = new Set<string>();
  const say = (line: string): void => {
    if (!said.has(line)) err.write(line);
    said.add(line);
  };
  return (current) => {
    const { holder } = projector.status().lease;
    if (current) say(`${namespace} is current; the one before is left within ${RETIRE_AFTER_MS / 1_000} s.\n`);
    else if (!leads(projector) && holder !== null && performance.now() - startedAt > PATIENCE_MS) {
      say(`Waiting for ${describe(holder)} to go over to ${namespace}: it must be of this release.\n`);
    }
  };
}

function summaryOf({ namespace, events, resumed }: RebuildResult, parked: number, seconds: number): string {
  const rate = `${seconds.toFixed(1)} s (${grouped(events / seconds)}/s)`;
  const begun = resumed ? ', going on from an earlier run' : '';
  const letters =
    parked === 0 ? '' : `${grouped(parked)} could not be digested: see sim-racing-timing dead-letters show.\n`;
  return `Projected ${grouped(events)} events in ${rate}${begun}; ${namespace} is current.\n${letters}`;
}
