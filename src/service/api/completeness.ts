import { z } from 'zod';
import { Sequence } from '../../../commands/laps.ts';
import { announceSequence, sequenceDecider } from '../../../commands/sequences.ts';
import { completenessOfEvent, completenessOfRig, RigCompletenessView } from '../../../queries/completeness.ts';
import { racingEventQuery } from '../../../queries/racing-events.ts';
import { rigQuery } from '../../../queries/rigs.ts';
import { described } from '../../domain/fields.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import type { Ids } from '../../kernel/ports/system.ts';
import type { FairTurns } from '../http/fair-turns.ts';
import { itemBase } from './endpoint-base.ts';
import type { ReferencedResources } from './references.ts';
import { commandsOf, type RequestCommands } from './request-commands.ts';
import { idFromPath, type ReadSources } from './views.ts';
import type { WriteAnswers } from './write-answers.ts';

const RIG = '/api/v1/rigs/{rigId}';

const Completeness = z
  .object({ rigs: z.array(RigCompletenessView).readonly().meta({ description: 'The rigs, by id.' }) })
  .meta({ id: 'Completeness', description: 'Which numbered laps were received.' });

interface CompletenessServices {
  readonly reads: ReadSources;
  readonly references: ReferencedResources;
  readonly longReads: FairTurns;
}

/** GET of the numbered laps of a rig that were received, and of those that are missing. */
export function rigCompletenessEndpoint({ reads, references, longReads }: CompletenessServices): Endpoint {
  return endpoint({
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
      await references.requireExisting('rig', rigId);
      const { boot } = request.query;
      const rig = await longReads.run(request, () =>
        completenessOfRig(reads.models, rigId, boot ?? null, boundsOf(reads, request)),
      );
      return { kind: 'json', status: 200, body: { rigs: [rig] } };
    },
  });
}

/** GET of the numbered laps of an event that were received, and of those that are missing. */
export function eventCompletenessEndpoint({ reads, references, longReads }: CompletenessServices): Endpoint {
  return endpoint({
    ...itemBase('GET', '/api/v1/events/{eventId}/completeness', racingEventQuery),
    operationId: 'getEventCompleteness',
    summary: 'Show which numbered laps of an event were received, and which are missing',
    description: 'A lap that was received under another event does not count as missing.',
    access: 'R',
    features: [],
    responses: { 200: Completeness },
    async handle(request) {
      const eventId = idFromPath(request.params);
      await references.requireExisting('event', eventId);
      const rigs = await longReads.run(request, () =>
        completenessOfEvent(reads.models, eventId, boundsOf(reads, request)),
      );
      return { kind: 'json', status: 200, body: { rigs } };
    },
  });
}

interface AnnouncementServices {
  readonly references: ReferencedResources;
  readonly commands: RequestCommands;
  readonly answers: WriteAnswers;
  readonly ids: Ids;
}

/** PUT of the number up to which a rig has sent its laps. */
export function announceSequenceEndpoint({ references, commands, answers, ids }: AnnouncementServices): Endpoint {
  return endpoint({
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
      await references.requireExisting('rig', rigId);
      const id = ids.derived('sequence', rigId, request.body.boot);
      const { state, position } = await commands.execute(request, {
        decider: sequenceDecider,
        id,
        ...commandsOf(announceSequence, request),
      });
      await answers.waitUntilReadable(position, request);
      const { boot, upTo } = state ?? request.body;
      return { kind: 'json', status: 200, body: { boot, upTo } };
    },
  });
}

function boundsOf({ queryBudget: budget }: ReadSources, { signal, usage }: Pick<ApiRequest, 'signal' | 'usage'>) {
  return { budget, signal, visits: usage };
}
