import { z } from 'zod';
import { component } from '../../domain/component.ts';
import { EXAMPLES } from '../../domain/examples.ts';
import { reference } from '../../domain/references.ts';
import { described, instant, inUnit } from '../../domain/fields.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { requested } from '../projector/generation-state.ts';
import type { ProjectionStores } from '../projector/generations.ts';
import { reportRebuild, type RebuildReport } from '../projector/progress.ts';
import type { Clock, Ids } from '../../kernel/ports/system.ts';
import type { KeyRegistry } from '../access/registry.ts';
import { FOR_OPERATORS } from './operations.ts';
import { originOf } from './request-commands.ts';
import { ACCEPTED_RETRY_AFTER_SECONDS } from './write-answers.ts';

const PATH = '/api/v1/operations/rebuild';

const count = z.int().min(0);

const Progress = z
  .object({
    events: described(
      count,
      'Events that were projected since it began, or since it was resumed after a crash.',
      61_200,
    ),
    position: described(count, 'Position of the last of them.', 61_204),
    head: described(count, 'Position of the newest event.', 102_007),
    percent: described(inUnit(count.max(100), '%'), 'How far `position` is on the way to `head`.', 59),
    eventsPerSecond: described(count, 'Average rate so far.', 8_740),
    etaMs: described(
      inUnit(count.nullable(), 'ms'),
      'Time from `at` until it is done, at the same rate; null while that is not known.',
      4_700,
    ),
    at: described(instant, 'Time of these figures.', '2026-05-01T21:10:12.402Z'),
  })
  .meta(component('RebuildProgress', 'How far a rebuild is.'));

/** The rebuild that is under way, or was the last. */
export const RebuildView = z
  .object({
    phase: described(
      z
        .enum(['none', 'requested', 'projecting', 'switching', 'done', 'failed'])
        .meta(component('RebuildPhase', 'How far a rebuild is.')),
      '`requested`: no projector has begun yet. `projecting`: the events are projected again, and the present read ' +
        'models are served. `switching`: the new ones are about to be served. `none`: there was no rebuild yet.',
      'projecting',
    ),
    id: described(
      z.string().nullable(),
      'Id of the request; null for a rebuild by command or after an upgrade.',
      '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e20',
    ),
    generation: described(z.string().nullable(), 'Name of the new read models; null: it has not begun.', 'built-in-2'),
    requestedAt: described(instant.nullable(), 'When it was requested.', '2026-05-01T21:10:05.118Z'),
    apiKeyId: reference('apiKey', 'Key of the request.').nullable(),
    apiKeyName: described(z.string().nullable(), 'Current name of that key.', EXAMPLES.apiKey.name),
    licenseId: reference('license', 'Licence of that key.').nullable(),
    startedAt: described(instant.nullable(), 'When a projector began; null: not yet.', '2026-05-01T21:10:05.402Z'),
    finishedAt: described(instant.nullable(), 'When it was done or given up; null: it is under way.', null),
    error: described(z.string().nullable(), 'Why it was given up; null if it was not.', null),
    process: described(
      z.string().nullable(),
      'The process that builds the new read models; null: none does at present.',
      'process 4711 on timing-1 (since 2026-05-01T17:55:00.000Z)',
    ),
    progress: Progress.nullable().meta({ description: 'How far it is; null while that is not known.' }),
  })
  .meta(component('Rebuild', 'A rebuild of the read models.'));

type RebuildView = z.output<typeof RebuildView>;

interface RebuildServices {
  readonly registry: Pick<KeyRegistry, 'key'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Pick<Ids, 'next'>;
}

/** Endpoints that request a rebuild and show how far it is. */
export function rebuildEndpoints(
  { registry, clock, ids }: RebuildServices,
  stores: ProjectionStores,
): readonly Endpoint[] {
  const view = async (): Promise<RebuildView> => rebuildView(registry, await reportRebuild(stores));
  return [
    endpoint({
      ...FOR_OPERATORS,
      path: PATH,
      method: 'GET',
      operationId: 'getRebuild',
      summary: 'Get the state of the rebuild',
      description:
        'The rebuild that is under way, on whichever node and however it was begun; otherwise the last one that was ' +
        'requested over the API.',
      responses: { 200: RebuildView },
      handle: async () => ({ kind: 'json', status: 200, body: await view() }),
    }),
    endpoint({
      ...FOR_OPERATORS,
      path: PATH,
      method: 'POST',
      operationId: 'requestRebuild',
      manages: 'the service',
      summary: 'Rebuild the read models',
      description:
        'New read models are built from the events. The present ones are served until the new ones are complete. The ' +
        'process that projects does the work; after a crash, another process continues it. While a requested rebuild ' +
        'is under way, the answer is that one, and no other begins.',
      responses: { 202: RebuildView },
      async handle(request) {
        const { correlationId: requestId, apiKeyId = null, licenseId = null } = originOf(request);
        const requestedAt = new Date(clock.now()).toISOString();
        await stores.generations.update(requested({ id: ids.next(), requestedAt, requestId, apiKeyId, licenseId }));
        const headers = { Location: PATH, 'Retry-After': ACCEPTED_RETRY_AFTER_SECONDS };
        return { kind: 'json', status: 202, body: await view(), headers };
      },
    }),
  ];
}

export function rebuildView(
  registry: Pick<KeyRegistry, 'key'>,
  { phase, generation, process, request, progress }: RebuildReport,
): RebuildView {
  const { id, requestedAt, apiKeyId, licenseId, startedAt, endedAt, error } = request ?? NOT_REQUESTED;
  const apiKeyName = apiKeyId === null ? null : (registry.key(apiKeyId)?.name ?? null);
  return {
    phase,
    id,
    generation,
    requestedAt,
    apiKeyId,
    apiKeyName,
    licenseId,
    startedAt: request === null ? (progress?.startedAt ?? null) : startedAt,
    finishedAt: endedAt,
    error,
    process,
    progress: progressView(progress),
  };
}

const NOT_REQUESTED = {
  id: null,
  requestedAt: null,
  apiKeyId: null,
  licenseId: null,
  startedAt: null,
  endedAt: null,
  error: null,
};

function progressView(progress: RebuildReport['progress']): RebuildView['progress'] {
  if (progress === null) return null;
  const { events, position, head, eventsPerSecond, etaMs, writtenAt: at } = progress;
  const percent = head === 0 ? 100 : Math.floor((position / head) * 100);
  return { events, position, head, percent, eventsPerSecond, etaMs, at };
}
