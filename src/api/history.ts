import { z } from 'zod';
import { instant, jsonObject, uuid } from '../domain/fields.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { wholeNumber } from '../http/paging.ts';
import { unavailable } from '../http/problems.ts';
import { streamOf } from '../kernel/aggregate.ts';
import type { Decider } from '../kernel/decider.ts';
import type { RecordedEvent } from '../kernel/event-store.ts';
import { upcast } from '../kernel/event-types.ts';
import type { Api } from './context.ts';
import { headOf, idIn, nameOf, pathParams, type AnyQuery } from './read-rows.ts';
import { notFound } from './reading.ts';

/** Changes in one answer at most; a client goes on from the revision after the last one that it got. */
const MOST = 1000;

const HistoryQuery = z.object({
  from: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0).meta({
    type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0,
    description: 'Revision of the first change to be told; the one after the last that is known, to go on.',
  }),
  limit: wholeNumber(1, MOST).default(MOST).meta({
    type: 'integer', minimum: 1, maximum: MOST, default: MOST, description: 'Changes at most.',
  }),
});

/** One change of a resource: an event of its stream. */
const ChangeView = z.object({
  revision: z.int().min(0).meta({ description: 'Place among the changes of the resource, from 0.' }),
  type: z.string().meta({ description: 'What happened.' }),
  at: instant,
  data: jsonObject,
  apiKeyId: uuid.nullable().meta({ description: 'Key of the request; null: the service itself.' }),
  apiKeyName: z.string().nullable().meta({ description: 'Name of the key by now.' }),
  licenseId: uuid.nullable(),
  requestId: z.string().meta({ description: '`X-Request-Id` of the request.' }),
}).meta({ id: 'Change' });

/** What happened to a resource: its query names it, its decider knows its events. */
export interface Historic {
  readonly query: AnyQuery;
  readonly decider: Pick<Decider<never, never>, 'category' | 'events'>;
}

/** GET of who changed a resource, what and when: its own events, oldest first, straight from the event store. */
export function historyRow(api: Api, path: string, { query, decider }: Historic): Endpoint {
  return endpoint({
    ...headOf('GET', path, query),
    operationId: `get${nameOf(query)}History`,
    summary: `List the changes of one ${nameOf(query)}, oldest first`,
    access: 'CRUD',
    params: pathParams(path),
    query: HistoryQuery,
    responses: { 200: z.array(ChangeView) },
    async handle({ params, query: asked, deadline }) {
      const stream = streamOf(decider.category, idIn(params));
      const changes: z.output<typeof ChangeView>[] = [];
      let exists = false;
      for await (const batch of api.handler.recorded(stream)) {
        exists = true;
        if (api.clock.now() > deadline) throw unavailable('The changes could not be read in time.');
        const wanted = batch.filter(({ revision }) => revision >= asked.from);
        for (const event of wanted.slice(0, asked.limit - changes.length)) changes.push(shown(api, decider, event));
        if (changes.length === asked.limit) break;
      }
      if (!exists) throw notFound();
      return { kind: 'json', status: 200, body: changes };
    },
  });
}

function shown({ registry }: Api, { events }: Historic['decider'], event: RecordedEvent): z.output<typeof ChangeView> {
  const { revision, type, metadata } = event;
  const { occurredAt, apiKeyId, licenseId, correlationId } = metadata;
  return {
    revision,
    type,
    at: occurredAt,
    data: upcast(events, event),
    apiKeyId: apiKeyId ?? null,
    apiKeyName: apiKeyId === undefined ? null : registry.key(apiKeyId)?.name ?? null,
    licenseId: licenseId ?? null,
    requestId: correlationId,
  };
}
