import { BUILT_IN } from '../../projections/index.ts';
import { streamAll } from '../domain/documents.ts';
import { createCheckpointFollower } from '../kernel/checkpoint-follower.ts';
import { deadLetters, RETRIED, retryStreamOf, type DeadLetterDocument } from '../kernel/dead-letters.ts';
import type { Position } from '../kernel/event-store.ts';
import { toIso } from '../kernel/time.ts';
import type { Stores } from '../stores.ts';
import { systemClock, systemIds } from '../system.ts';
import { EXIT, readArguments, UsageError } from './arguments.ts';
import { onStores, usageOf, type GroupCommand } from './group.ts';
import { grouped } from './progress.ts';

const HELP = `usage: timing dead-letters show|retry [--json]

An event that a projection cannot digest is parked as a dead letter, and so are the later events of its stream, while
everything else goes on. After a fix, retry has them digested in their order.

  show         what is parked: stream, type, position, and why
  retry        have all of it digested again, and wait for that
  --json       JSON on standard output, for scripts: an object per line (show), or one (retry)
  -h, --help   this text

The stores are those of the service: DATA_DIR, EVENTSTORE_URL, MONGODB_URL. A retry is done by the projector, which
must run (a service with PROJECTOR=inline, or timing projector); it is recorded in the history as DeadLetterRetried.
Exit codes: 0 nothing is parked (any more), 1 something is, or failed, 2 wrong usage, 130 interrupted.
`;

/** Runs `timing dead-letters`; the result is the exit code. */
export function runDeadLetters(command: GroupCommand): Promise<number> {
  return usageOf(command, 'dead-letters', async () => {
    const { values: { json = false, help }, argument } = readArguments(command.args, { json: { type: 'boolean' } });
    if (help === true) {
      command.out.write(HELP);
      return EXIT.done;
    }
    if (argument !== 'show' && argument !== 'retry') throw new UsageError('say show or retry');
    return onStores(command, 'dead-letters', ({ stores }) => (argument === 'show' ? show : retry)(command, stores, json));
  });
}

async function show({ out }: GroupCommand, stores: Stores, json: boolean): Promise<number> {
  const letters = await waiting(stores);
  for (const letter of letters) out.write(json ? `${JSON.stringify(shownOf(letter))}\n` : lineOf(letter));
  if (letters.length === 0 && !json) out.write('Nothing is parked.\n');
  return letters.length === 0 ? EXIT.done : EXIT.failed;
}

/** In global order. */
async function waiting({ models }: Stores): Promise<readonly DeadLetterDocument[]> {
  const letters: DeadLetterDocument[] = [];
  for await (const batch of streamAll(models, deadLetters, { waiting: true })) letters.push(...batch);
  return letters.sort((a, b) => a.position - b.position);
}

function shownOf({ stream, revision, type, version, position, occurredAt, error, unknown }: DeadLetterDocument) {
  return { stream, revision, type, version, position, occurredAt, error, unknown };
}

function lineOf({ stream, revision, type, position, error }: DeadLetterDocument): string {
  return `${position}  ${type}  ${stream}@${revision}  ${error}\n`;
}

async function retry(command: GroupCommand, stores: Stores, json: boolean): Promise<number> {
  const { out, signal } = command;
  const parked = await waiting(stores);
  let left = parked;
  // While it lasts, more may be parked behind what is retried.
  for (let before = Infinity; left.length > 0 && left.length < before && !signal.aborted;) {
    before = left.length;
    if (!(await passed(command, stores, await ask(stores, left)))) return EXIT.interrupted;
    left = await waiting(stores);
  }
  const counts = { retried: parked.length, waiting: left.length };
  out.write(json ? `${JSON.stringify({ result: left.length === 0 ? 'done' : 'parked', ...counts })}\n`
    : `Retried ${grouped(counts.retried)}; ${grouped(counts.waiting)} are parked.\n${left.map(lineOf).join('')}`);
  return left.length === 0 ? EXIT.done : EXIT.failed;
}

/** Asks for each letter; gives the position past which all are dealt with. */
async function ask({ store }: Stores, letters: readonly DeadLetterDocument[]): Promise<Position> {
  const ids = systemIds(systemClock);
  const commandId = ids.next();
  let last: Position = 0;
  for (const { id } of letters) {
    const metadata = { version: 1, occurredAt: toIso(systemClock.now()), commandId, correlationId: commandId };
    const event = { id: ids.random(), type: RETRIED, data: { letter: id }, metadata };
    last = (await store.append(retryStreamOf(BUILT_IN), [event], 'any')).position;
  }
  return last;
}

/** Wait for the projector, in ms, before saying that it may not run. */
const PATIENCE_MS = 5_000;

async function passed({ err, signal }: GroupCommand, { models }: Stores, position: Position): Promise<boolean> {
  const progress = createCheckpointFollower(models, systemClock);
  for (let said = false; !(await progress.reached(position, PATIENCE_MS)); said = true) {
    if (signal.aborted) return false;
    if (!said) err.write('Waiting for a projector: does a service run?\n');
  }
  return true;
}
