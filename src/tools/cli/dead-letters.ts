import { findSome } from '../../domain/documents.ts';
import { createCheckpointPoller } from '../../kernel/projection/checkpoint-waiter.ts';
import { deadLetters, type DeadLetterDocument } from '../../kernel/projection/dead-letters.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import { lineageCheck } from '../../service/projector/generation-runner.ts';
import type { ProjectionStores } from '../../service/projector/generations.ts';
import { requestRetries } from '../../service/projector/retries.ts';
import { EXIT, flag, jsonLine, UsageError, type Invocation } from './command.ts';
import { formatCount } from './progress.ts';
import { serviceCommand } from './stores.ts';

const SYNTAX = {
  name: 'dead-letters',
  argument: 'show|retry',
  about: `
An event that could not be projected is parked as a dead letter, and so are the later events of its stream and those
that need a document that it would have made. Everything else is projected. After a fix, retry projects them in order.

  show         list the dead letters, oldest first: position, type, stream@revision, and the error
  retry        project all of them again, and wait until that is done`,
  options: {
    json: flag('JSON on standard output, for scripts: an object per dead letter (show), or the result (retry)'),
  },
  notes: `
The stores are those of the service: DATA_DIR, EVENTSTORE_URL, MONGODB_URL. A retry is done by the projector, which
must run (a service with PROJECTOR=inline, or sim-racing-timing projector); the history records it as DeadLetterRetried.
The data of the events is not shown: sim-racing-timing events --stream NAME shows it.
Exit codes: 0 no dead letters (any more), 1 there are some, or it failed, 2 wrong usage, 130 interrupted.`,
} as const;

export const run = serviceCommand(SYNTAX, (given) => {
  const { argument, values } = given;
  if (argument !== 'show' && argument !== 'retry') throw new UsageError('say show or retry');
  const work = argument === 'show' ? show : retry;
  return ({ stores }) => work(given, stores, values.json === true);
});

async function show({ out, signal }: Invocation, stores: ProjectionStores, json: boolean): Promise<number> {
  let count = 0;
  for await (const letters of parkedLetters(stores)) {
    if (signal.aborted) return EXIT.interrupted;
    count += letters.length;
    out.write(letters.map((letter) => lineOf(letter, json)).join(''));
  }
  if (count === 0 && !json) out.write('Nothing is parked.\n');
  return count === 0 ? EXIT.done : EXIT.failed;
}

/** Dead letters of a page. */
const PAGE = 100;

/** The dead letters that wait, in global order. */
async function* parkedLetters({ models }: ProjectionStores): AsyncGenerator<readonly DeadLetterDocument[]> {
  const sort = { field: 'position', direction: 'asc' } as const;
  for (let from = 0; ;) {
    const page = { where: { waiting: true, position: { from } }, sort, offset: 0, limit: PAGE };
    const letters = await findSome(models, deadLetters, page);
    yield letters;
    const last = letters.at(-1);
    if (last === undefined) return;
    from = last.position + 1;
  }
}

function lineOf(letter: DeadLetterDocument, json: boolean): string {
  const { stream, revision, type, version, position, occurredAt, error, unknown } = letter;
  if (json) return jsonLine({ stream, revision, type, version, position, occurredAt, error, unknown });
  return `${position}  ${type}  ${stream}@${revision}  ${error}\n`;
}

async function retry(invocation: Invocation, stores: ProjectionStores, json: boolean): Promise<number> {
  const { out, signal } = invocation;
  // The letters of another history would be of streams that these events do not have.
  await lineageCheck(stores).expectSameAfterLag(stores.models, signal);
  const { clock, ids } = stores;
  const commandId = ids.next();
  const occurredAt = new Date(clock.now()).toISOString();
  const metadata = { version: 1, occurredAt, commandId, correlationId: commandId };
  let waiting = await idsOfParked(stores);
  let retried = 0;
  // Meanwhile later events of the same streams may have been parked.
  for (let before = Infinity; waiting.length > 0 && waiting.length < before;) {
    before = waiting.length;
    let last = 0;
    for (let from = 0; from < before && !signal.aborted; from += RETRIES_PER_APPEND) {
      last = await requestRetries(stores, waiting.slice(from, from + RETRIES_PER_APPEND), metadata);
    }
    if (!(await waitForCheckpoint(invocation, stores, last)) || signal.aborted) return EXIT.interrupted;
    retried += before;
    waiting = await idsOfParked(stores);
  }
  const left = waiting.length;
  out.write(
    json
      ? jsonLine({ result: left === 0 ? 'done' : 'parked', retried, waiting: left })
      : `Retried ${formatCount(retried)}; ${left === 0 ? 'nothing is parked any more' : stillParked(left)}.\n`,
  );
  return left === 0 ? EXIT.done : EXIT.failed;
}

async function idsOfParked(stores: ProjectionStores): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const letters of parkedLetters(stores)) ids.push(...letters.map(({ id }) => id));
  return ids;
}

function stillParked(left: number): string {
  return `${formatCount(left)} ${left === 1 ? 'is' : 'are'} still parked: see sim-racing-timing dead-letters show`;
}

/** Retries in one append: far fewer than the limit of a store. */
const RETRIES_PER_APPEND = 100;

/** Interval, in ms, of checks whether to stop, and checks before a notice that no projector may be running. */
const CHECK_INTERVAL_MS = 250;
const CHECKS_BEFORE_NOTICE = 20;

async function waitForCheckpoint(
  { err, signal }: Invocation,
  { models, clock }: ProjectionStores,
  position: Position,
): Promise<boolean> {
  const checkpoint = createCheckpointPoller(models, clock);
  for (let checks = 1; !(await checkpoint.waitFor(position, CHECK_INTERVAL_MS)); checks += 1) {
    if (signal.aborted) return false;
    if (checks === CHECKS_BEFORE_NOTICE) err.write('Waiting for a projector: does a service run?\n');
  }
  return true;
}
