import { z } from 'zod';
import { BatchLap, lapDecider, recordLap } from '../../../commands/laps.ts';
import { lapQuery } from '../../../queries/laps.ts';
import { component } from '../domain/component.ts';
import { described, jsonObject, list } from '../domain/fields.ts';
import { reference } from '../domain/examples.ts';
import { giveWay } from '../domain/give-way.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { parseBody } from '../http/parameters.ts';
import { ProblemView } from '../http/openapi-components.ts';
import { problemDocument, toProblem } from '../http/problems.ts';
import { requireStorable } from '../http/read-body.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import type { ApiContext } from './context.ts';
import { endpointBase } from './naming.ts';
import { createRequest, requireSuccess, waitUntilReadable } from './pipeline.ts';

const LAPS_PATH = '/api/v1/laps';
const RECORDING = { path: LAPS_PATH, decider: lapDecider, make: recordLap };

/**
 * Longest wait, in ms, of a batch until the laps of the one before can be read: laps that are posted one by one wait behind
 * all of them until they can be read themselves. Read models that have stopped must not stop the recording.
 */
const PACE_MS = 250;

/** Laps that are checked before other requests are served; a bad lap takes longest. */
const STEP_LAPS = 32;

/** The items are looked at one by one: a bad one costs no other. */
const Batch = z.object({ laps: list(z.unknown(), { least: 1 }) });

const RecordedLap = z
  .object({
    verdict: described(
      z.enum(['created', 'duplicate']).meta(component('RecordedVerdict', 'What became of a lap that is recorded.')),
      'created: recorded now; duplicate: recorded before, under the same key.',
      'created',
    ),
    id: reference('lap', 'The lap, created now or before.'),
  })
  .meta({ id: 'RecordedLap', description: 'Outcome of a lap of a batch: it is recorded.' });

const RefusedLap = z
  .object({
    verdict: described(
      z.enum(['rejected', 'retry']).meta(component('RefusedVerdict', 'What became of a lap that may not be recorded.')),
      'rejected: it cannot be recorded as it is; retry: the outcome is unknown, send it again.',
      'rejected',
    ),
    problem: ProblemView.meta({
      description: 'The problem that the lap would get if it were sent alone. Pointers refer to the item.',
    }),
  })
  .meta({ id: 'RefusedLap', description: 'Outcome of a lap of a batch: it may not be recorded.' });

const Verdict = z
  .discriminatedUnion('verdict', [RecordedLap, RefusedLap])
  .meta({ id: 'LapVerdict', description: 'Outcome of a lap of a batch.' });
type Verdict = z.output<typeof Verdict>;

const Verdicts = z
  .object({ results: z.array(Verdict).meta({ description: 'One for each lap of the batch, in the same order.' }) })
  .meta({ id: 'LapVerdicts', description: 'Outcome of each lap of a batch.' });

/** A verdict, and where the lap is in the history. */
type Outcome = Verdict & { readonly position?: Position };

/** POST of many laps at once (docs/interface.md#batches-of-laps). */
export function lapBatchEndpoint(api: ApiContext): Endpoint {
  let last: Position = 0;
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
      const outcomes = await api.largeBodies.run({ address, signal }, async () => {
        await api.checkpointWaiter.waitFor(last, PACE_MS);
        const all = await recordAll(api, request);
        last = Math.max(last, newestOf(all));
        return all;
      });
      const own = newestOf(outcomes);
      if (own >= 0) await waitUntilReadable(api, own, request);
      const results = outcomes.map(({ position: _, ...verdict }): Verdict => verdict);
      const verdicts = results.map(({ verdict }) => verdict);
      api.onLapBatch({ verdicts, rigId: request.caller?.rigId ?? null });
      return { kind: 'json', status: 200, body: { results } };
    },
  });
}

function newestOf(outcomes: readonly Outcome[]): Position {
  return Math.max(...outcomes.map(({ position = -1 }) => position));
}

/** Records laps as one group, in their order; each has an outcome of its own. */
async function recordAll(api: ApiContext, request: ApiRequest<undefined, undefined, z.output<typeof Batch>>) {
  const { id, caller, deadline, signal, headers } = request;
  const prepare = async (item: unknown) => {
    const { body, json, key } = lapOf(item, api.bodyDepthLimit);
    const sent = { id, caller, deadline, signal, params: undefined, body, json };
    const request = { headers: { ...headers, idempotencyKey: key }, ...sent };
    return createRequest(api, RECORDING, request);
  };
  const { laps } = request.body;
  const prepared: PromiseSettledResult<Awaited<ReturnType<typeof prepare>>>[] = [];
  while (prepared.length < laps.length) {
    const step = laps.slice(prepared.length, prepared.length + STEP_LAPS);
    prepared.push(...(await Promise.allSettled(step.map(prepare))));
    await giveWay(signal);
  }
  const valid = prepared.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const handled = (await api.handler.handleAll(valid)).values();
  return prepared.map((one): Outcome => {
    try {
      if (one.status === 'rejected') throw one.reason;
      const outcome = handled.next().value;
      if (outcome?.status !== 'fulfilled') throw outcome?.reason;
      const { recorded, position } = requireSuccess(outcome.value);
      return { verdict: recorded ? 'created' : 'duplicate', id: one.value.id, position };
    } catch (error) {
      return refusal(error);
    }
  });
}

/** What an item says: all but the key is what a lap alone has in its body. @throws {Problem} 400, 413 */
function lapOf(item: unknown, levels: number) {
  requireStorable(item, levels);
  const { key = null, ...body } = parseBody(BatchLap, item);
  const { key: _, ...json } = jsonObject.parse(item);
  return { body, json, key };
}

/** @throws what was not foreseen: nobody can say what became of the lap. */
function refusal(error: unknown): Outcome {
  const problem = toProblem(error);
  if (problem.code === 'INTERNAL') throw error;
  return { verdict: problem.status >= 500 ? 'retry' : 'rejected', problem: problemDocument(problem, LAPS_PATH) };
}
