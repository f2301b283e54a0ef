import { z } from 'zod';
import { Sequence } from '../../commands/laps.ts';
import { announceSequence } from '../../commands/sequences.ts';
import { completenessOfEvent, completenessOfRig } from '../../queries/completeness.ts';
import { racingEventQuery } from '../../queries/racing-events.ts';
import { rigQuery } from '../../queries/rigs.ts';
import type { Category } from '../domain/body-command.ts';
import { uuid } from '../domain/fields.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import type { ApiContext } from './context.ts';
import { idFromPath, notFoundProblem, pathParams, rowBase } from './reads.ts';
import { commandRequest, requireSuccess, waitUntilReadable } from './writes.ts';

const RIG = '/api/v1/rigs/{rigId}';

const number = z.int().min(1);
const count = z.int().min(0);

const BootCompleteness = z
  .object({
    boot: z.string().meta({ description: 'One start of the software of the rig.' }),
    received: count.meta({ description: 'How many different numbers have come in.' }),
    expected: count.meta({ description: 'How many should have.' }),
    missing: z
      .array(z.array(number).min(2).max(2).readonly())
      .readonly()
      .meta({ description: 'Those that have not: ranges, first and last number of each, ascending.' }),
    late: z.array(number).readonly().meta({ description: 'Numbers that came in after a higher one, ascending.' }),
    conflicts: z
      .array(number)
      .readonly()
      .meta({
        description: 'Numbers that came in with different laps, ascending: two rigs that take themselves for one.',
      }),
  })
  .meta({ id: 'BootCompleteness' });

const RigCompleteness = z
  .object({ rigId: uuid, boots: z.array(BootCompleteness).readonly() })
  .meta({ id: 'RigCompleteness' });

const Completeness = z.object({ rigs: z.array(RigCompleteness).readonly() }).meta({ id: 'Completeness' });

/** GET of which numbered laps of a rig, or for an event, have come in; PUT of what a rig has sent. */
export const completenessRows = {
  ofRig: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('GET', `${RIG}/completeness`, rigQuery),
      operationId: 'getRigCompleteness',
      summary: 'Tell which numbered laps of a rig have come in, and which are missing',
      access: 'R',
      features: [],
      params: pathParams(RIG),
      query: z.object({
        boot: Sequence.shape.boot.optional().meta({ description: 'Only since this start of its software.' }),
      }),
      responses: { 200: Completeness },
      async handle(request) {
        const rigId = idFromPath(request.params);
        await requireExisting(api, 'rig', rigId);
        const rig = await completenessOfRig(api.models, { rigId, boot: request.query.boot }, boundsOf(api, request));
        return { kind: 'json', status: 200, body: { rigs: [rig] } };
      },
    }),
  ofEvent: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('GET', '/api/v1/events/{eventId}/completeness', racingEventQuery),
      operationId: 'getEventCompleteness',
      summary: 'Tell which numbered laps for an event have come in, and which are missing',
      access: 'R',
      features: [],
      params: pathParams('/api/v1/events/{eventId}'),
      responses: { 200: Completeness },
      async handle(request) {
        const eventId = idFromPath(request.params);
        await requireExisting(api, 'event', eventId);
        const rigs = await completenessOfEvent(api.models, eventId, boundsOf(api, request));
        return { kind: 'json', status: 200, body: { rigs } };
      },
    }),
  announce: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('PUT', `${RIG}/sequence`, rigQuery),
      operationId: 'announceSequence',
      summary: 'Say up to which number a rig has sent its laps',
      access: 'CRUD',
      forRigs: true,
      params: pathParams(RIG),
      body: announceSequence.body,
      responses: { 200: announceSequence.body },
      async handle(request) {
        const rigId = idFromPath(request.params);
        await requireExisting(api, 'rig', rigId);
        const id = api.ids.derived('sequence', rigId, request.body.boot);
        const command = commandRequest(api, announceSequence, { id, request });
        const { state, position } = requireSuccess(await api.handler.handle(command));
        await waitUntilReadable(api, position, request);
        const { boot, upTo } = state ?? request.body;
        return { kind: 'json', status: 200, body: { boot, upTo } };
      },
    }),
};

/** @throws {Problem} 404 */
async function requireExisting({ references }: ApiContext, category: Category, id: string): Promise<void> {
  if (!(await references.exists(category, id))) throw notFoundProblem();
}

function boundsOf({ queryBudget: budget }: ApiContext, { signal }: Pick<ApiRequest, 'signal'>) {
  return { budget, signal };
}
