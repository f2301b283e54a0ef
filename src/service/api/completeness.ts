import { z } from 'zod';
import { Sequence } from '../../../commands/laps.ts';
import { announceSequence, sequenceDecider } from '../../../commands/sequences.ts';
import { completenessOfEvent, completenessOfRig, RigCompletenessView } from '../../../queries/completeness.ts';
import { racingEventQuery } from '../../../queries/racing-events.ts';
import { rigQuery } from '../../../queries/rigs.ts';
import { described } from '../../domain/fields.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import type { ApiContext } from './context.ts';
import { itemBase } from './endpoint-base.ts';
import { commandsOf, execute, requireExisting, waitUntilReadable } from './pipeline.ts';
import { idFromPath } from './views.ts';

const RIG = '/api/v1/rigs/{rigId}';

const Completeness = z
  .object({ rigs: z.array(RigCompletenessView).readonly().meta({ description: 'The rigs, by id.' }) })
  .meta({ id: 'Completeness', description: 'Which numbered laps were received.' });

/** Endpoints that tell which numbered laps of a rig or for an event have come in, and that take what a rig has sent. */
export const completenessEndpoints = {
  ofRig: (api: ApiContext): Endpoint =>
    endpoint({
      ...itemBase('GET', `${RIG}/completeness`, rigQuery),
      operationId: 'getRigCompleteness',
      summary: 'Show which numbered laps of a rig were received, and which are missing',
      description: 'Shows each start of its software, with the laps as they were numbered when they were received.',
      access: 'R',
      features: [],
      query: z.object({ boot: described(Sequence.shape.boot, 'Only since this start of its software.').optional() }),
      responses: { 200: Completeness },
      async handle(request) {
        const rigId = idFromPath(request.params);
        await requireExisting(api, 'rig', rigId);
        const { boot } = request.query;
        const read = () => completenessOfRig(api.models, { rigId, boot }, boundsOf(api, request));
        return { kind: 'json', status: 200, body: { rigs: [await api.longReads.run(request, read)] } };
      },
    }),
  ofEvent: (api: ApiContext): Endpoint =>
    endpoint({
      ...itemBase('GET', '/api/v1/events/{eventId}/completeness', racingEventQuery),
      operationId: 'getEventCompleteness',
      summary: 'Show which numbered laps of an event were received, and which are missing',
      description: 'A lap that was received under another event does not count as missing.',
      access: 'R',
      features: [],
      responses: { 200: Completeness },
      async handle(request) {
        const eventId = idFromPath(request.params);
        await requireExisting(api, 'event', eventId);
        const read = () => completenessOfEvent(api.models, eventId, boundsOf(api, request));
        return { kind: 'json', status: 200, body: { rigs: await api.longReads.run(request, read) } };
      },
    }),
  announce: (api: ApiContext): Endpoint =>
    endpoint({
      ...itemBase('PUT', `${RIG}/sequence`, rigQuery),
      operationId: 'announceSequence',
      summary: 'Report up to which number a rig has sent its laps',
      description:
        'Laps missing at the end then show too. A lower number changes nothing. The answer shows the number that counts.',
      access: 'CRUD',
      forRigs: true,
      body: announceSequence.body,
      responses: { 200: announceSequence.body },
      async handle(request) {
        const rigId = idFromPath(request.params);
        await requireExisting(api, 'rig', rigId);
        const id = api.ids.derived('sequence', rigId, request.body.boot);
        const announced = { decider: sequenceDecider, id, ...commandsOf(announceSequence, request) };
        const { state, position } = await execute(api, request, announced);
        await waitUntilReadable(api, position, request);
        const { boot, upTo } = state ?? request.body;
        return { kind: 'json', status: 200, body: { boot, upTo } };
      },
    }),
};

function boundsOf({ queryBudget: budget }: ApiContext, { signal, usage }: Pick<ApiRequest, 'signal' | 'usage'>) {
  return { budget, signal, visits: usage };
}
