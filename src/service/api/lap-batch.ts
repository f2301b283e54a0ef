import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { BatchLap, lapDecider, recordLap } from '../../../commands/laps.ts';
import { lapQuery } from '../../../queries/laps.ts';
import { component } from '../../domain/component.ts';
import { AnyObject } from '../../domain/facts.ts';
import { described, list } from '../../domain/fields.ts';
import { reference } from '../../domain/references.ts';
import { giveWay } from '../../runtime/give-way.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { FairTurns } from '../http/fair-turns.ts';
import { parseBody } from '../http/parameters.ts';
import { ProblemView } from '../http/openapi-components.ts';
import { problemDocument, toProblem } from '../http/problems.ts';
import { requireStorable } from '../http/json-body.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import type { CommandHandler, CommandOutcome } from '../../kernel/aggregate/command-handler.ts';
import type { CheckpointReader } from '../../kernel/projection/checkpoint-waiter.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { endpointBase } from './endpoint-base.ts';
import { requireSuccess, type RequestCommands } from './request-commands.ts';
import type { WriteAnswers } from './write-answers.ts';

const LAPS_PATH = '/api/v1/laps';
const CREATION = { path: LAPS_PATH, decider: lapDecider, bodyCommand: recordLap };

/**
 * Longest time, in ms, that a batch waits until the laps of the previous one from the same address can be read. Laps that
 * are posted one by one wait behind all of them. Read models that have stopped must not stop the recording.
 */
const PACE_MS = 250;

/** Most addresses whose last batch is known. */
const MAX_PACED = 10_000;

/** Laps that are checked before other requests are served; a bad lap takes longest. */
const STEP_LAPS = 32;

/** The body of a batch. Its items are checked one by one, so that a bad one does not affect the others. */
const Batch = z.object({ laps: list(z.unknown(), { least: 1 }) });

const RecordedLap = z
  .object({
    verdict: described(
      z.enum(['created', 'duplicate']).meta(component('RecordedVerdict', 'Outcome of a lap that is recorded.')),
      'created: recorded now; duplicate: recorded before, under the same key.',
      'created',
    ),
    id: reference('lap', 'The lap, created now or before.'),
  })
  .meta({ id: 'RecordedLap', description: 'Outcome of a lap of a batch: it is recorded.' });

const RefusedLap = z
  .object({
    verdict: described(
      z
        .enum(['rejected', 'retry'])
        .meta(component('RefusedVerdict', 'Outcome of a lap that may not have been recorded.')),
      'rejected: it cannot be recorded as it is; retry: the outcome is unknown, send it again.',
      'rejected',
    ),
    problem: ProblemView.meta({
      description: 'The problem that the lap would get if it were sent alone. Pointers refer to the item.',
    }),
  })
  .meta({ id: 'RefusedLap', description: 'Outcome of a lap of a batch: it may not have been recorded.' });

const Verdict = z
  .discriminatedUnion('verdict', [RecordedLap, RefusedLap])
  .meta({ id: 'LapVerdict', description: 'Outcome of a lap of a batch.' });
type Verdict = z.output<typeof Verdict>;

const Verdicts = z
  .object({ results: z.array(Verdict).meta({ description: 'One for each lap of the batch, in the same order.' }) })
  .meta({ id: 'LapVerdicts', description: 'Outcome of each lap of a batch.' });

/** A verdict, and where the lap is in the history. */
type Outcome = Verdict & { readonly position?: Position };

interface LapBatchServices {
  readonly handler: CommandHandler;
  readonly commands: RequestCommands;
  readonly answers: WriteAnswers;
  readonly checkpointWaiter: Pick<CheckpointReader, 'waitFor'>;
  readonly largeBodies: FairTurns;
  readonly onLapBatch: Metrics['observeLapBatch'];
  readonly log: Logger;
}

/** POST of many laps at once (docs/interface.md#batches-of-laps). */
export function lapBatchEndpoint(services: LapBatchServices, bodyDepthLimit: number): Endpoint {
  const { commands, answers, largeBodies, onLapBatch } = services;
  const paced = pacedByAddress(services.checkpointWaiter);
  // Separate turns: a batch that waits for the event store does not delay requests whose large body is only parsed.
  const recording = new FairTurns();
  return endpoint({
    ...endpointBase('POST', `${LAPS_PATH}/batch`, lapQuery),
    operationId: 'createLaps',
    summary: 'Record up to 1,000 laps',
    description:
      'Each lap gets its own verdict; a bad one does not affect others. With keys on its laps, a batch may be sent again.',
    access: 'CRUD',
    forRigs: true,
    features: ['respond-async'],
    refusedHeaders: { 'Idempotency-Key': 'The laps of a batch have keys of their own: `key` in each.' },
    body: Batch,
    describedBody: z
      .object({ laps: list(BatchLap, { least: 1 }).meta({ description: 'The laps, in the order of driving.' }) })
      .meta({ id: 'RecordLaps', description: 'Laps to be recorded.' }),
    cost: ({ laps }) => laps.length,
    responses: { 200: Verdicts },
    async handle(request) {
      const { address, signal } = request;
      const prepared = await largeBodies.run({ address, signal }, () => prepareAll(commands, bodyDepthLimit, request));
      const outcomes = await paced(address, () =>
        recording.run({ address, signal }, () => recordAll(services, prepared, request)),
      );
      const newest = newestOf(outcomes);
      if (newest >= 0) await answers.waitUntilReadable(newest, request);
      const results = outcomes.map(({ position: _, ...verdict }): Verdict => verdict);
      const verdicts = results.map(({ verdict }) => verdict);
      onLapBatch({ verdicts, rigId: request.caller?.rigId ?? null });
      return { kind: 'json', status: 200, body: { results } };
    },
  });
}

/** Position of the newest lap that a batch has recorded, or found recorded; -1: there is none. */
function newestOf(outcomes: readonly { readonly position?: Position }[]): Position {
  return Math.max(-1, ...outcomes.map(({ position = -1 }) => position));
}

/**
 * Runs the batches of an address one after the other, each once the laps of the one before can be read, or after
 * `PACE_MS`. The wait takes no turn, so nobody else waits meanwhile.
 */
export function pacedByAddress(checkpointWaiter: Pick<CheckpointReader, 'waitFor'>) {
  const last = new LRUCache<string, Promise<Position>>({ max: MAX_PACED });
  return <T extends readonly { readonly position?: Position }[]>(
    address: string,
    record: () => Promise<T>,
  ): Promise<T> => {
    const before = last.get(address);
    const recorded = (async () => {
      if (before !== undefined) await checkpointWaiter.waitFor(await before, PACE_MS);
      return record();
    })();
    last.set(
      address,
      recorded.then(newestOf, async () => (await before) ?? 0),
    );
    return recorded;
  };
}

type BatchRequest = ApiRequest<undefined, undefined, z.output<typeof Batch>>;

type Prepared = Awaited<ReturnType<typeof prepareAll>>;

/** Checks each lap. A bad one is rejected here. */
async function prepareAll(commands: RequestCommands, bodyDepthLimit: number, request: BatchRequest) {
  const { id, caller, deadline, signal, headers } = request;
  const seatOf = commands.lookingUpSeatsOnce();
  const prepare = async (item: unknown) => {
    const { body, json, key } = lapOf(item, bodyDepthLimit);
    const alone = {
      id,
      caller,
      deadline,
      signal,
      headers: { ...headers, idempotencyKey: key },
      params: undefined,
      body,
      json,
    };
    return commands.createRequest(CREATION, alone, seatOf);
  };
  const { laps } = request.body;
  const prepared: PromiseSettledResult<Awaited<ReturnType<typeof prepare>>>[] = [];
  while (prepared.length < laps.length) {
    const step = laps.slice(prepared.length, prepared.length + STEP_LAPS);
    prepared.push(...(await Promise.allSettled(step.map(prepare))));
    await giveWay(signal);
  }
  return prepared;
}

/** Records laps as one group, in their order; each has an outcome of its own. */
async function recordAll(
  { handler, log }: Pick<LapBatchServices, 'handler' | 'log'>,
  prepared: Prepared,
  { id: requestId }: BatchRequest,
) {
  const valid = prepared.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  return outcomesOf(prepared, await handler.handleAll(valid), log, requestId);
}

/** The outcome of each lap, independent of the others. `handled` has the outcomes of the valid ones. */
export function outcomesOf(
  prepared: readonly PromiseSettledResult<{ readonly id: string }>[],
  handled: readonly PromiseSettledResult<CommandOutcome<unknown>>[],
  log: Pick<Logger, 'error'>,
  requestId: string,
): readonly Outcome[] {
  const rest = handled.values();
  return prepared.map((one): Outcome => {
    try {
      if (one.status === 'rejected') throw one.reason;
      const outcome = rest.next().value;
      if (outcome?.status !== 'fulfilled') throw outcome?.reason;
      const { recorded, position } = requireSuccess(outcome.value);
      return { verdict: recorded ? 'created' : 'duplicate', id: one.value.id, position };
    } catch (error) {
      const problem = toProblem(error);
      // The outcome of the lap is unknown.
      if (problem.code === 'INTERNAL')
        log.error({ err: error, requestId }, 'A lap of a batch failed for a reason that was not foreseen');
      return { verdict: problem.status >= 500 ? 'retry' : 'rejected', problem: problemDocument(problem, LAPS_PATH) };
    }
  });
}

/** The key of an item, and the rest of it, which is the body of a lap that is sent alone. @throws {Problem} 400, 413 */
function lapOf(item: unknown, levels: number) {
  requireStorable(item, levels);
  const { key = null, ...body } = parseBody(BatchLap, item);
  const { key: _, ...json } = AnyObject.parse(item);
  return { body, json, key };
}
