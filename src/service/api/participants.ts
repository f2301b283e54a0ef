import { registerParticipant } from '../../../commands/participants.ts';
import { participantQuery } from '../../../queries/participants.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { idOf } from '../kernel/aggregate/decider.ts';
import type { ApiContext } from './context.ts';
import { rowBase } from './reads.ts';
import { writtenResponse, requireSuccessOrTaken, AcceptedView, ANSWERED, checkReferences, originOf } from './writes.ts';

/**
 * POST of a participant: idempotent per licence (docs/interface.md#participants), so an `Idempotency-Key` has nothing
 * to add and is ignored.
 */
export function participantRow(api: ApiContext, path: string): Endpoint {
  const { body, decider, command } = registerParticipant;
  return endpoint({
    ...rowBase('POST', path, participantQuery),
    operationId: 'createParticipant',
    summary: 'Register one participant',
    description: `A licence has one at most: 200 with that when there is one already. ${ANSWERED}`,
    access: 'CRUD',
    forRigs: true,
    body,
    features: ['etag', 'respond-async'],
    responses: { 200: participantQuery.view, 201: participantQuery.view, 202: AcceptedView },
    problems: [422],
    async handle(request) {
      await checkReferences(api, registerParticipant.references, request);
      const fresh = { id: api.ids.next(), fresh: true, command: command(request.body, {}) };
      const result = requireSuccessOrTaken(await api.handler.handle({ decider, origin: originOf(request), ...fresh }));
      const [id, status] = result.outcome === 'taken' ? [idOf(result.owner), 200 as const] : [fresh.id, 201 as const];
      const { position } = result;
      return writtenResponse(api, request, {
        query: participantQuery,
        id,
        location: `${path}/${id}`,
        position,
        status,
      });
    },
  });
}
