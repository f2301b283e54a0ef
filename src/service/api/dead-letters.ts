import { z } from 'zod';
import { component } from '../../domain/component.ts';
import { EXAMPLES } from '../../domain/examples.ts';
import { reference } from '../../domain/references.ts';
import { readOne } from '../../domain/documents.ts';
import { described, instant, jsonObject } from '../../domain/fields.ts';
import { query } from '../../domain/query.ts';
import { withoutTokens } from '../../domain/secrets.ts';
import { endpoint, type ApiRequest, type Endpoint, type EndpointResponse } from '../http/endpoint.ts';
import { pageParameters, pageSchema } from '../http/paging.ts';
import { metadataOf } from '../../kernel/aggregate/new-event.ts';
import { deadLetters, eventInLetter, type DeadLetterDocument } from '../../kernel/projection/dead-letters.ts';
import type { ProjectionStores } from '../projector/generations.ts';
import { requestRetries } from '../projector/retries.ts';
import type { Clock, Ids } from '../../kernel/ports/system.ts';
import type { FairTurns } from '../http/fair-turns.ts';
import { masked } from './masking.ts';
import { FOR_OPERATORS } from './operations.ts';
import { pageOf } from './lists.ts';
import { notFoundProblem, type Overlay, type ReadSources } from './views.ts';
import { originOf } from './request-commands.ts';
import { acceptedResponse, AcceptedView, ANSWERED_LATER, type WriteAnswers } from './write-answers.ts';

const PATH = '/api/v1/operations/dead-letters';

/** `<stream>:<revision>` of the event. Stores take no longer ids. */
const letterId = described(
  z
    .string()
    .max(255)
    .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters'),
  'Id of the dead letter: the stream of the event, a colon, and its revision.',
  `lap-${EXAMPLES.lap.id}:0`,
);

const DeadLetterView = z
  .object({
    id: letterId,
    stream: described(z.string(), 'Stream of the event.', `lap-${EXAMPLES.lap.id}`),
    revision: described(z.int().min(0), 'Position of the event in its stream, from 0.', 0),
    position: described(z.int().min(0), 'Position of the event among all events of the service.', 48_211),
    type: described(z.string(), 'What happened.', 'LapRecorded'),
    version: described(z.int().min(1), 'Version of the schema of its data.', 1),
    occurredAt: described(instant, 'When it happened.', '2026-05-01T20:03:17.402Z'),
    projection: described(
      z.string().nullable(),
      'Read model that it could not be projected into; null: not known, or an earlier event of its stream is parked.',
      'laps',
    ),
    error: described(z.string(), 'Why it could not be projected.', 'cannot project such a time'),
    unknown: described(z.boolean(), 'True if this release does not know the type or version of the event.', false),
    retries: described(z.int().min(0), 'How often it was retried without success.', 1),
    retriedAt: described(instant.nullable(), 'When it was last retried; null: not yet.', '2026-05-01T21:10:05.118Z'),
    data: described(
      jsonObject,
      'Data of the event; `***` replaces secrets and personal data. If the type is not known, all of it is masked.',
      { totalTime: 138_491, valid: true },
    ),
    apiKeyId: reference('apiKey', 'Key of the request that made the event; null: the service itself.').nullable(),
    licenseId: reference('license', 'Licence of that key; null: the service itself.').nullable(),
    requestId: described(z.string(), '`X-Request-Id` of that request.', 'desk-2-1017'),
  })
  .meta({ id: 'DeadLetter', description: 'An event that could not be projected, and waits until it is retried.' });

const deadLetterQuery = query(deadLetters, { view: DeadLetterView, defaultSort: 'position', only: { waiting: true } });

const RetryView = z
  .object({
    id: letterId,
    outcome: described(
      z.enum(['projected', 'parked']).meta(component('RetryOutcome', 'What became of a dead letter.')),
      '`projected`: it is shown now. `parked`: it could not be projected this time either.',
      'projected',
    ),
    error: described(z.string().nullable(), 'Why it is still parked; null if it is not.', null),
  })
  .meta({ id: 'DeadLetterRetry', description: 'Result of a retry.' });

interface DeadLetterServices {
  readonly reads: ReadSources;
  readonly answers: WriteAnswers;
  readonly longReads: FairTurns;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Endpoints that show dead letters, and retry one. */
export function deadLetterEndpoints(services: DeadLetterServices, { store }: ProjectionStores): readonly Endpoint[] {
  // Only the projector writes documents of this collection.
  const shown: Overlay = (document) => shownOf(document as DeadLetterDocument);
  const sources = { ...services.reads, overlays: new Map([[deadLetters.collection, shown]]) };
  return [
    endpoint({
      ...FOR_OPERATORS,
      method: 'GET',
      path: PATH,
      operationId: 'pageDeadLetters',
      summary: 'Get a page of dead letters',
      description: 'Lists events that could not be projected, and the later events of their streams, oldest first.',
      query: z.object(pageParameters(['position'], 'position')),
      responses: { 200: pageSchema(DeadLetterView, 'DeadLetterPage') },
      async handle(request) {
        const { query: page, caller, signal, usage } = request;
        const listPage = { ...page, where: deadLetterQuery.only, caller, signal, usage };
        const read = () => pageOf(sources, deadLetterQuery, listPage);
        return { kind: 'json', status: 200, body: await services.longReads.run(request, read) };
      },
    }),
    endpoint({
      ...FOR_OPERATORS,
      method: 'POST',
      path: `${PATH}/{deadLetterId}/retry`,
      operationId: 'retryDeadLetter',
      manages: 'the service',
      summary: 'Retry a dead letter',
      description: `Do this after a fix. Retry the first dead letter of a stream first. ${ANSWERED_LATER}`,
      params: z.object({ deadLetterId: letterId }),
      features: ['respond-async'],
      responses: { 200: RetryView, 202: AcceptedView },
      handle: (request) => handleRetry(services, store, request),
    }),
  ];
}

/** A letter that was projected meanwhile is not retried: two people may have looked at the same page. */
async function handleRetry(
  { reads, answers, clock, ids }: DeadLetterServices,
  store: ProjectionStores['store'],
  request: ApiRequest<{ readonly deadLetterId: string }>,
): Promise<EndpointResponse> {
  const { deadLetterId: id } = request.params;
  const before = await readOne(reads.models, deadLetters, id);
  if (before === null) throw notFoundProblem();
  if (!before.waiting) return outcomeOf(before);
  const metadata = metadataOf(originOf(request), undefined, { clock, ids });
  const position = await requestRetries({ store, ids }, [id], metadata);
  const after = (await answers.waitUntilReadable(position, request))
    ? await readOne(reads.models, deadLetters, id)
    : null;
  if (after !== null) return outcomeOf(after);
  return acceptedResponse(id, PATH);
}

function outcomeOf({ id, waiting, error }: DeadLetterDocument): EndpointResponse {
  const body = waiting
    ? { id, outcome: 'parked', error: withoutTokens(error) }
    : { id, outcome: 'projected', error: null };
  return { kind: 'json', status: 200, body };
}

/** The fields of the view that the document does not hold as they are shown. */
function shownOf(letter: DeadLetterDocument): ReturnType<Overlay> {
  const { data, metadata } = masked(eventInLetter(letter), false);
  const { apiKeyId = null, licenseId = null, correlationId: requestId } = metadata;
  const { projection = null, retries = 0, retriedAt = null } = letter;
  return { error: withoutTokens(letter.error), projection, retries, retriedAt, data, apiKeyId, licenseId, requestId };
}
