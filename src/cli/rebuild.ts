import type { FeedingEvents } from '../projector/feeding.ts';
import type { Config } from '../config.ts';
import { pause } from '../kernel/time.ts';
import { createLogger } from '../log.ts';
import { createProjector } from '../projector/projector.ts';
import { buildNext, RebuildUnderWay, type Built } from '../projector/rebuild.ts';
import type { Stores } from '../stores.ts';
import { systemClock } from '../system.ts';
import { EXIT, readOptions } from './arguments.ts';
import { onStores, usageOf, type GroupCommand } from './group.ts';
import { grouped, progressOn } from './progress.ts';

const HELP = `usage: timing rebuild [--keep-old] [--json]

Makes the built-in read models anew from the events, in a new generation beside the present one, and goes over to
it in one write. A service may run meanwhile: it goes on with the present ones, and nobody sees less than before.

  --keep-old   keep the generation of before, as it was when it was left, until the next rebuild
  --json       one JSON object with the result on standard output, for scripts
  -h, --help   this text

The stores are those of the service: DATA_DIR, EVENTSTORE_URL, MONGODB_URL.
Ctrl-C, SIGTERM, kill -9 or a failing store lose nothing: the same command goes on where it was. A second rebuild
at the same time is refused. Progress goes to standard error.
Exit codes: 0 done, 1 failed or refused, 2 wrong usage, 130 interrupted (run it again).
`;

/** Runs `timing rebuild`; the result is the exit code. */
export function runRebuild(command: GroupCommand): Promise<number> {
  return usageOf(command, 'rebuild', async () => {
    const { 'keep-old': keepOld = false, json = false, help } = readOptions(command.args, {
      'keep-old': { type: 'boolean' }, json: { type: 'boolean' },
    });
    if (help !== true) return onStores(command, 'rebuild', (opened) => rebuild(command, { ...opened, keepOld, json }));
    command.out.write(HELP);
    return EXIT.done;
  });
}

interface Wish {
  readonly stores: Stores;
  readonly config: Config;
  readonly keepOld: boolean;
  readonly json: boolean;
}

async function rebuild(command: GroupCommand, wish: Wish): Promise<number> {
  const { out, err } = command;
  const startedAt = performance.now();
  try {
    const parked = { count: 0 };
    const built = await buildShown(command, wish, parked);
    if (built === null || !(await goOver(command, wish, built))) {
      err.write('Interrupted, nothing is lost: the same command goes on from here.\n');
      return EXIT.interrupted;
    }
    const seconds = Number(((performance.now() - startedAt) / 1_000).toFixed(3));
    const told = { result: 'done', ...built, parked: parked.count, seconds };
    out.write(wish.json ? `${JSON.stringify(told)}\n` : summaryOf(built, parked.count, seconds));
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof RebuildUnderWay)) throw error;
    err.write(`timing rebuild: ${error.message}\n`);
    return EXIT.failed;
  }
}

async function buildShown(
  { err, signal }: GroupCommand, { stores, config, keepOld }: Wish, parked: { count: number },
): Promise<Built | null> {
  const progress = progressOn(err, 'Rebuilding');
  const events: FeedingEvents = {
    onBatch: () => undefined,
    onError: (error) => {
      err.write(`\n${error.message}\n`);
    },
    onParked: () => {
      parked.count += 1;
    },
  };
  const built = await buildNext({
    stores, config, keepOld, signal, events,
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
 * is the projector for as long as it takes. False when it was told to stop before.
 */
async function goOver({ signal }: GroupCommand, { stores, config }: Wish, { namespace }: Built): Promise<boolean> {
  const { generations } = stores;
  const stop = new AbortController();
  const projector = createProjector({ stores, config, log: createLogger({ level: 'error' }), metrics: null });
  const running = projector.run(stop.signal);
  const isOver = (): boolean => {
    const state = generations.seen();
    const left = state?.retiring === null || projector.status().lease.state === 'standby';
    return state?.current.namespace === namespace && left;
  };
  while (!signal.aborted && !isOver()) await pause(systemClock, LOOK_MS, signal);
  stop.abort();
  await running;
  return isOver() || generations.seen()?.current.namespace === namespace;
}

/** How often, in ms, to look whether it is over. */
const LOOK_MS = 50;

function summaryOf({ namespace, events, resumed }: Built, parked: number, seconds: number): string {
  const rate = `${seconds.toFixed(1)} s (${grouped(events / seconds)}/s)`;
  const begun = resumed ? ', going on from an earlier run' : '';
  const letters = parked === 0 ? '' : `${grouped(parked)} could not be digested: see timing dead-letters show.\n`;
  return `Projected ${grouped(events)} events in ${rate}${begun}; ${namespace} is current.\n${letters}`;
}
