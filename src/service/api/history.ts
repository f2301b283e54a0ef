import { z } from 'zod';
import type { Owner } from '../../domain/access.ts';
import { EXAMPLES } from '../../domain/examples.ts';
import { reference } from '../../domain/references.ts';
import { described, instant, json, uuid } from '../../domain/fields.ts';
import type { Caller } from '../../domain/roles.ts';
import { endpoint, type ApiRequest, type Endpoint, type EndpointResponse } from '../http/endpoint.ts';
import { integer } from '../http/paging.ts';
import { Problem } from '../http/problems.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import { sameJson, type JsonObject } from '../../kernel/json.ts';
import type { EventMetadata, EventStore, RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import type { ApiKeyDocument } from '../../../projections/api-keys.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { KeyRegistry } from '../access/registry.ts';
import type { FairTurns } from '../http/fair-turns.ts';
import type { Resource, ResourcePart } from '../resources/resource.ts';
import { idFromPath, notFoundProblem } from './views.ts';
import { itemBase, onePath, resourceName, wordsOf } from './endpoint-base.ts';

/** Most changes in one response; a client continues from the revision after the last one that it got. */
const MAX_CHANGES = 1000;

const LOST_CHANGE =
  'The history no longer has the change that `after` names: an older backup was restored. Read it from the beginning.';

const HistoryQuery = z.object({
  from: integer(
    0,
    Number.MAX_SAFE_INTEGER,
    'Revision of the first change to return; to continue, one more than the last known.',
    0,
  ),
  after: described(
    uuid,
    'Id of the last change that the client knows (`changeId`): only later ones are returned. 412 if the history no longer ' +
      'has that change, as an older backup was restored: read the history from the beginning then.',
    '018f6f2c-52e1-7d4b-9a58-3f6d2b1c0e97',
  ).optional(),
  limit: integer(1, MAX_CHANGES, 'Changes at most.', MAX_CHANGES, 100),
});

const ChangeView = z
  .object({
    revision: described(z.int().min(0), 'Place among the changes of the resource, from 0.', 1),
    changeId: described(uuid, 'Id of the change, for `after`.', '018f6f2c-52e1-7d4b-9a58-3f6d2b1c0e97'),
    position: described(z.int().min(0), 'Place among all events of the service.', 48_211),
    type: z.string().meta({ description: 'What happened.', examples: ['LapInvalidated'] }),
    at: described(instant, 'When.', '2026-05-01T20:03:17.402Z'),
    changes: described(
      z.array(
        z.object({
          field: z.string().meta({ description: 'Name of the field in requests.', examples: ['valid'] }),
          from: json.meta({
            description: 'The value before; null where there was none, and after an erasure.',
            examples: [true],
          }),
          to: json.meta({ description: 'The value after; null after an erasure.', examples: [false] }),
        }),
      ),
      'The fields that changed.',
    ),
    apiKeyId: reference('apiKey', 'Key of the request; null: the service itself.').nullable(),
    apiKeyName: described(
      z.string().nullable(),
      'Current name of the key; null for callers who may not see it.',
      EXAMPLES.apiKey.name,
    ),
    keyPrefix: described(
      z.string().nullable(),
      'First characters of its token; null for callers who may not see it.',
      'srt_Q7wZp2Xk',
    ),
    licenseId: reference('license', 'Licence of the key; null: the service itself.').nullable(),
    reason: described(
      z.string().nullable(),
      'The reason that the request gave; null: none.',
      'All four wheels off at Raidillon',
    ),
    requestId: described(z.string(), '`X-Request-Id` of the request.', 'desk-2-1017'),
  })
  .meta({ id: 'Change', description: 'One change of a resource.' });

type HistoryEntry = z.output<typeof ChangeView>;

/** The services that histories are read with. */
export interface HistorySources {
  readonly aggregates: Pick<Aggregates, 'read'>;
  readonly store: Pick<EventStore, 'head'>;
  readonly authorizer: Pick<Authorizer, 'mayReadContact' | 'mayReadKeys'>;
  readonly registry: Pick<KeyRegistry, 'key'>;
  readonly longReads: FairTurns;
}

/**
 * GET of the history of a resource: who changed what and when. These are its own events, and those of its parts, oldest
 * first, read from the event store. The stream is always replayed as a whole, to know the values before and after each event, and who owns
 * the resource by now.
 */
export function historyEndpoint(sources: HistorySources, resource: Resource): Endpoint {
  const { query } = resource;
  const path = onePath(resource);
  return endpoint({
    ...itemBase('GET', `${path}/history`, query),
    operationId: `get${resourceName(query)}History`,
    summary: `List the changes of one ${wordsOf(resourceName(query))}`,
    description: 'Shows who changed what and when, with the values before and after, oldest first.',
    access: 'CRUD',
    query: HistoryQuery,
    responses: { 200: z.array(ChangeView) },
    problems: [412],
    handle: (request) => sources.longReads.run(request, () => historyResponse(sources, resource, request)),
  });
}

type HistoryRequest = ApiRequest<{ readonly [name: string]: string }, z.output<typeof HistoryQuery>>;

async function historyResponse(
  { aggregates, store, authorizer, registry }: HistorySources,
  resource: Resource,
  { params, query: { from, after, limit }, signal, usage, caller }: HistoryRequest,
): Promise<EndpointResponse> {
  const { historyParts = [] } = resource;
  const { owner } = resource.access;
  const changes: RecordedChange[] = [];
  const states = new Map<ResourcePart, JsonObject | null>();
  const creatorAfter = owner.kind === 'license' ? owner.orCreator : undefined;
  let creator: string | null = null;
  let isFound = false;
  let isPastKnown = after === undefined;
  let revision = 0;
  for await (const batch of changesOf({ aggregates, store }, [resource, ...historyParts], idFromPath(params))) {
    signal.throwIfAborted();
    usage.documents += batch.length;
    for (const { part, event } of batch) {
      if (part === resource) {
        isFound = true;
        creator = creatorAfter?.(creator, event) ?? null;
      }
      const before = states.get(part) ?? null;
      const state = part.decider.replay(before, event);
      states.set(part, state);
      if (isPastKnown && revision >= from && changes.length < limit) {
        const key = keyOf(event.metadata, { authorizer, registry }, caller);
        const different = differences(before, state, part === resource ? null : part);
        changes.push({ entry: changeView(event, revision, key, different), data: event.data });
      }
      if (event.id === after) isPastKnown = true;
      revision += 1;
    }
  }
  if (!isFound) throw notFoundProblem();
  if (!isPastKnown) throw new Problem('REVISION_MISMATCH', LOST_CHANGE);
  const newest = states.get(resource) ?? null;
  const owners = [...licensesIn(newest, owner), creator];
  const body = shownChanges(resource, newest, changes, authorizer.mayReadContact(caller, owners));
  return { kind: 'json', status: 200, body };
}

/** A change, and the data of its event. */
interface RecordedChange {
  readonly entry: HistoryEntry;
  readonly data: JsonObject;
}

/** The changes without the values that a reader may not see. Of what was erased, nobody sees any personal one. */
function shownChanges(
  { query, isErased }: Resource,
  newest: JsonObject | null,
  changes: readonly RecordedChange[],
  mayReadContact: boolean,
): readonly HistoryEntry[] {
  const personal = new Set(query.personal);
  if (newest !== null && isErased?.(newest) === true) return changes.map((change) => ofErased(change, personal));
  const showsAll = query.contact === null || mayReadContact;
  return changes.map(({ entry }) => (showsAll ? entry : withoutValues(entry, personal)));
}

/** The licences that own a resource in a state because its fields name them. */
function licensesIn(state: JsonObject | null, owner: Owner<JsonObject>): readonly unknown[] {
  if (owner.kind !== 'license') return [];
  const { field, orField = field } = owner;
  return [state?.[field], state?.[orField]];
}

/** An event of a resource, or of a part of it. */
interface PartEvent {
  readonly part: ResourcePart;
  readonly event: RecordedEvent;
}

/**
 * The events of a resource and of its parts, in batches, in the order of the log. Of several streams, what was appended
 * since the first one was read is left out: in another answer, an earlier event of another stream would come before it.
 */
async function* changesOf(
  { aggregates, store }: Pick<HistorySources, 'aggregates' | 'store'>,
  parts: readonly ResourcePart[],
  id: string,
): AsyncGenerator<readonly PartEvent[]> {
  const head = parts.length > 1 ? ((await store.head()) ?? 0) : Infinity;
  const streams = parts.map((part) => ({
    part,
    batches: aggregates.read(streamOf(part.decider.category, id))[Symbol.asyncIterator](),
    events: [] as readonly RecordedEvent[],
    hasEnded: false,
  }));
  try {
    while (true) {
      for (const stream of streams) {
        while (stream.events.length === 0 && !stream.hasEnded) {
          const next = await stream.batches.next();
          if (next.done === true) stream.hasEnded = true;
          else stream.events = next.value;
        }
      }
      // Up to where every stream is known.
      const upTo = streams.reduce(
        (least, { events }) => Math.min(least, events.at(-1)?.position ?? Infinity),
        Infinity,
      );
      if (upTo === Infinity) return;
      const batch: PartEvent[] = [];
      for (const stream of streams) {
        const isDue = ({ position }: RecordedEvent): boolean => position <= upTo;
        for (const event of stream.events.filter(isDue)) batch.push({ part: stream.part, event });
        stream.events = stream.events.filter((event) => !isDue(event));
      }
      batch.sort((a, b) => a.event.position - b.event.position);
      yield batch.filter(({ event }) => event.position <= head);
    }
  } finally {
    for (const { batches } of streams) await batches.return?.();
  }
}

/**
 * The fields that have other values after an event; those that begin with `_` are for the service alone, and the field
 * in which a part names its resource says nothing in the history of that.
 */
function differences(
  before: JsonObject | null,
  after: JsonObject | null,
  part: ResourcePart | null,
): HistoryEntry['changes'] {
  const changes: HistoryEntry['changes'][number][] = [];
  const owner = part?.access.owner;
  const ownField = owner?.kind === 'parent' ? owner.field : null;
  for (const field of Object.keys(after ?? {})) {
    if (field.startsWith('_') || field === ownField) continue;
    const from = before?.[field] ?? null;
    const to = after?.[field] ?? null;
    if (!sameJson(from, to)) changes.push({ field, from, to });
  }
  return changes;
}

/**
 * A change of a resource that was erased later: which personal fields it set, without their values, and all others. It
 * does not depend on whether the values can still be read.
 */
function ofErased({ entry, data }: RecordedChange, personal: ReadonlySet<string>): HistoryEntry {
  const others = entry.changes.filter(({ field }) => !personal.has(field));
  const set = Object.keys(data).filter((field) => personal.has(field));
  return { ...entry, changes: [...set.map((field) => ({ field, from: null, to: null })), ...others] };
}

function withoutValues(entry: HistoryEntry, fields: ReadonlySet<string>): HistoryEntry {
  const changes = entry.changes.map((change) =>
    fields.has(change.field) ? { ...change, from: null, to: null } : change,
  );
  return { ...entry, changes };
}

/** The key that made a change; null: none did, or the caller may not see it. */
function keyOf(
  { apiKeyId, licenseId }: EventMetadata,
  { authorizer, registry }: Pick<HistorySources, 'authorizer' | 'registry'>,
  caller: Caller | null,
): ApiKeyDocument | null {
  if (apiKeyId === undefined || !authorizer.mayReadKeys(caller, licenseId ?? null)) return null;
  return registry.key(apiKeyId);
}

function changeView(
  event: RecordedEvent,
  revision: number,
  key: ApiKeyDocument | null,
  changes: HistoryEntry['changes'],
): HistoryEntry {
  const { id: changeId, position, type, metadata } = event;
  const { occurredAt, apiKeyId = null, licenseId = null, reason = null, correlationId } = metadata;
  return {
    revision,
    changeId,
    position,
    type,
    at: occurredAt,
    changes,
    apiKeyId,
    apiKeyName: key?.name ?? null,
    keyPrefix: key?.keyPrefix ?? null,
    licenseId,
    reason,
    requestId: correlationId,
  };
}
