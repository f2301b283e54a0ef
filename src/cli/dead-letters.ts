import { BUILT_IN } from '../../projections/index.ts';
import { createCheckpointPoller } from '../kernel/projection/checkpoint-waiter.ts';
import {
  deadLetters,
  DEAD_LETTER_RETRIED,
  retryStreamOf,
  type DeadLetterDocument,
} from '../kernel/projection/dead-letters.ts';
import type { NewEvent, Position } from '../kernel/ports/event-store.ts';
import { toIso } from '../kernel/ports/system.ts';
import type { ProjectionStores } from '../projector/generations.ts';
import { EXIT, readArguments, UsageError, usageOf, type Invocation } from './arguments.ts';
import { onStores } from './built-in-stores.ts';
import { grouped } from './progress.ts';

const HELP = `usage: sim-racing-timing dead-letters show|retry [--json]

An event that a projection cannot digest is parked as a dead letter, and so are the later events of its stream, and
those that need what it would have made; everything else goes on. After a fix, retry has them digested in their order.

  show         what is parked, oldest first: position, type, stream@revision, and why
  retry        have all of it digested again, and wait for that
  --json       JSON on standard output, for scripts: an object per letter (show), or one with the result (retry)
  -h, --help   this text

The stores are those of the service: DATA_DIR, EVENTSTORE_URL, MONGODB_URL. A retry is done by the projector, which
must run (a service with PROJECTOR=inline, or sim-racing-timing projector); the history records it as DeadLetterRetried.
What the events hold is not shown: sim-racing-timing events --stream NAME shows it.
Exit codes: 0 nothing is parked (any more), 1 something is, or failed, 2 wrong usage, 130 interrupted.
`;

/** Runs `sim-racing-timing dead-letters`; the result is the exit code. */
export function runDeadLetters(command: Invocation): Promise<number> {
  return usageOf(command, 'dead-letters', async () => {
    const {
      values: { json = false, help },
      argument,
    } = readArguments(command.args, { json: { type: 'boolean' } });
    if (help === true) {
      command.out.write(HELP);
      return EXIT.done;
    }
    if (argument !== 'show' && argument !== 'retry') throw new UsageError('say show or retry');
    const run = argument === 'show' ? show : retry;
    return onStores(command, 'dead-letters', ({ stores }) => run(command, stores, json));
  });
}

async function show({ out, signal }: Invocation, stores: ProjectionStores, json: boolean): Promise<number> {
  let count = 0;
  for await (const letters of waiting(stores)) {
    if (signal.aborted) return EXIT.interrupted;
    count += letters.length;
    out.write(letters.map((letter) => (json ? `${JSON.stringify(shownOf(letter))}\n` : lineOf(letter))).join(''));
  }
  if (count === 0 && !json) out.write('Nothing is parked.\n');
  return count === 0 ? EXIT.done : EXIT.failed;
}

/** What is parked, in global order. */
async function* waiting({ models }: ProjectionStores): AsyncGenerator<readonly DeadLetterDocument[]> {
  const wanted = { where: { waiting: true }, sort: { field: 'position', direction: 'asc' } } as const;
  for await (const batch of models.stream(deadLetters.collection, wanted)) {
    // Written through the typed functions of this very read model.
    yield batch as readonly DeadLetterDocument[];
  }
}

function shownOf({ stream, revision, type, version, position, occurredAt, error, unknown }: DeadLetterDocument) {
  return { stream, revision, type, version, position, occurredAt, error, unknown };
}

function lineOf({ stream, revision, type, position, error }: DeadLetterDocument): string {
  return `${position}  ${type}  ${stream}@${revision}  ${error}\n`;
}

async function retry(command: Invocation, stores: ProjectionStores, json: boolean): Promise<number> {
  const { out, signal } = command;
  const count = (): Promise<number> => stores.models.count(deadLetters.collection, { waiting: true });
  let left = await count();
  let retried = 0;
  // While it lasts, more may be parked behind what is retried.
  for (let before = Infinity; left > 0 && left < before;) {
    before = left;
    const asked = await ask(stores, signal);
    if (!(await passed(command, stores, asked.last)) || signal.aborted) return EXIT.interrupted;
    retried += asked.count;
    left = await count();
  }
  const result = { result: left === 0 ? 'done' : 'parked', retried, waiting: left };
  if (json) out.write(`${JSON.stringify(result)}\n`);
  else out.write(`Retried ${grouped(retried)}; ${left === 0 ? 'nothing is parked any more' : toldOf(left)}.\n`);
  return left === 0 ? EXIT.done : EXIT.failed;
}

function toldOf(left: number): string {
  return `${grouped(left)} ${left === 1 ? 'is' : 'are'} still parked: see sim-racing-timing dead-letters show`;
}

/** Asks for each letter, in their order; gives the position past which all are dealt with. */
async function ask(
  stores: ProjectionStores,
  signal: AbortSignal,
): Promise<{ readonly last: Position; readonly count: number }> {
  const { clock, ids } = stores;
  const commandId = ids.next();
  const asked = { last: 0, count: 0 };
  for await (const letters of waiting(stores)) {
    for (let from = 0; from < letters.length && !signal.aborted; from += APPENDED_TOGETHER) {
      const events = letters
        .slice(from, from + APPENDED_TOGETHER)
        .map(({ id }): NewEvent => ({
          id: ids.random(),
          type: DEAD_LETTER_RETRIED,
          data: { letter: id },
          metadata: { version: 1, occurredAt: toIso(clock.now()), commandId, correlationId: commandId },
        }));
      asked.last = (await stores.store.append(retryStreamOf(BUILT_IN), events, 'any')).position;
      asked.count += events.length;
    }
  }
  return asked;
}

/** Retries in one append: far less than a store takes at once. */
const APPENDED_TOGETHER = 100;

/** How often, in ms, to look whether to stop, and looks before saying that no projector may run. */
const LOOK_MS = 250;
const PATIENCE = 20;

async function passed(
  { err, signal }: Invocation,
  { models, clock }: ProjectionStores,
  position: Position,
): Promise<boolean> {
  const checkpoint = createCheckpointPoller(models, clock);
  for (let looks = 1; !(await checkpoint.waitFor(position, LOOK_MS)); looks += 1) {
    if (signal.aborted) return false;
    if (looks === PATIENCE) err.write('Waiting for a projector: does a service run?\n');
  }
  return true;
}
