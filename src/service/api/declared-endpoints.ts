import { z } from 'zod';
import { reference } from '../../domain/references.ts';
import { mappingId } from '../../domain/mappings.ts';
import { csvParameters } from '../http/list-body.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { idOf } from '../../kernel/stream-names.ts';
import type { Reading, Resource } from '../resources/resource.ts';
import type { ApiContext } from './context.ts';
import { historyEndpoint } from './history.ts';
import { listEndpoint, listResponse, pageEndpoint } from './lists.ts';
import {
  AcceptedView,
  ANSWERED,
  checkBody,
  checkReferences,
  commandsOf,
  commandRequest,
  createRequest,
  execute,
  problemsOf,
  referencesIn,
  REPLAYED,
  requireExisting,
  requireSuccess,
  waitUntilReadable,
  writtenResponse,
} from './pipeline.ts';
import { requireKnown } from './tokens.ts';
import { idFromPath, oneEndpoint } from './views.ts';
import { endpointBase, fillPath, onePath, pathParams, pluralName, resourceName, wordsOf } from './endpoint-base.ts';

/** The endpoints that a resource's declaration asks for. */
export function declaredEndpoints(api: ApiContext, resource: Resource): readonly Endpoint[] {
  const { reads = ['list', 'page', 'one'], create, change, remove, duplicate, history } = resource;
  const isMapping = remove !== undefined;
  const readings: Readonly<Record<Reading, (api: ApiContext, resource: Resource) => Endpoint>> = {
    list: isMapping ? mappedEndpoint : listEndpoint,
    page: pageEndpoint,
    one: oneEndpoint,
  };
  const createEndpointOf = isMapping ? mapEndpoint : duplicate === 'returned' ? createOneEndpoint : createEndpoint;
  return [
    ...reads.map((reading) => readings[reading](api, resource)),
    ...(history ? [historyEndpoint(api, resource)] : []),
    ...(create === null ? [] : [createEndpointOf(api, resource, create)]),
    ...(change === null ? [] : [changeEndpoint(api, resource, change)]),
    ...(remove === undefined ? [] : [unmapEndpoint(api, resource, remove)]),
  ];
}

function mappedEndpoint(api: ApiContext, { path, query }: Resource): Endpoint {
  return endpoint({
    ...endpointBase('GET', path, query),
    operationId: `list${pluralName(query)}`,
    summary: `List ${wordsOf(pluralName(query))} of one simulator`,
    description: 'Streams all of them.',
    access: 'public',
    params: ofSimulator,
    query: z.object(csvParameters),
    features: ['etag'],
    responses: { 200: z.array(query.view) },
    async handle(request) {
      const { simulatorId } = request.params;
      await requireExisting(api, 'simulator', simulatorId);
      return listResponse(api, { query, where: { ...query.only, simulatorId } }, request);
    },
  });
}

const ofSimulator = z.object({ simulatorId: reference('simulator', 'Id of the simulator.') });

type Create = NonNullable<Resource['create']>;
type Change = NonNullable<Resource['change']>;

const VERBS = { POST: ['create', 'Create'], PATCH: ['update', 'Change'], DELETE: ['delete', 'Delete'] } as const;

/** The fields that endpoints of a write have: it is for rigs where the declaration lets their keys do it. */
function writeBase<M extends keyof typeof VERBS>(method: M, path: string, { query, access }: Resource) {
  const [operation, verb] = VERBS[method];
  const name = resourceName(query);
  const said = { operationId: `${operation}${name}`, summary: `${verb} one ${wordsOf(name)}`, access: access.write };
  const isForRigs = access.rigKeys?.[method === 'POST' ? 'create' : 'change'] !== undefined;
  return { ...endpointBase(method, path, query), ...said, ...(isForRigs && { forRigs: true as const }) };
}

function createEndpoint(api: ApiContext, resource: Resource, make: Create): Endpoint {
  const { path, query, decider } = resource;
  const creation = { path, decider, make };
  return endpoint({
    ...writeBase('POST', path, resource),
    description: `${ANSWERED} Under one Idempotency-Key it may be sent again.`,
    body: make.body,
    responses: { 201: query.view, 202: AcceptedView },
    problems: problemsOf(decider, make.references),
    async handle(request) {
      const command = await createRequest(api, creation, request);
      const { position, recorded } = requireSuccess(await api.handler.handle(command));
      const { id } = command;
      const headers = recorded ? {} : REPLAYED;
      return writtenResponse(api, request, { query, id, location: `${path}/${id}`, position, status: 201, headers });
    },
  });
}

/**
 * POST of a resource that there is one of: 200 with that one where its unique key is taken, so an `Idempotency-Key` has
 * nothing to add and is ignored (docs/interface.md#participants).
 */
function createOneEndpoint(api: ApiContext, resource: Resource, make: Create): Endpoint {
  const { path, query, decider } = resource;
  return endpoint({
    ...writeBase('POST', path, resource),
    summary: `Register one ${wordsOf(resourceName(query))}`,
    description: `A licence has at most one: if it has one already, the answer is 200 with that. ${ANSWERED}`,
    body: make.body,
    features: ['etag', 'respond-async'],
    responses: { 200: query.view, 201: query.view, 202: AcceptedView },
    problems: [422],
    async handle(request) {
      await checkBody(api, make, request);
      const id = api.ids.next();
      const command = commandRequest(api, request, { decider, id, fresh: true, ...commandsOf(make, request) });
      const outcome = await api.handler.handle(command);
      if ('outcome' in outcome && outcome.outcome === 'taken') {
        const [holder, { position }] = [idOf(outcome.owner), outcome];
        const existing = { query, id: holder, location: `${path}/${holder}`, position, status: 200 } as const;
        return writtenResponse(api, request, { ...existing, sent: request.body });
      }
      const { position } = requireSuccess(outcome);
      return writtenResponse(api, request, { query, id, location: `${path}/${id}`, position, status: 201 });
    },
  });
}

function changeEndpoint(api: ApiContext, resource: Resource, make: Change): Endpoint {
  const { query, decider, endsKeys } = resource;
  const path = onePath(resource);
  return endpoint({
    ...writeBase('PATCH', path, resource),
    description: `What may be left out stays as it is, lists are replaced as a whole. ${ANSWERED}`,
    params: pathParams(path),
    body: make.body,
    responses: { 200: query.view, 202: AcceptedView },
    problems: problemsOf(decider, make.references),
    async handle(request) {
      await checkBody(api, make, request);
      const id = idFromPath(request.params);
      const changed = { decider, id, expected: request.headers.ifMatch, ...commandsOf(make, request) };
      const { position, revision } = await execute(api, request, changed);
      if (endsKeys) await requireKnown(api, position, request);
      const location = fillPath(path, request.params);
      return writtenResponse(api, request, { query, id, location, position, revision, status: 200 });
    },
  });
}

/** POST of a mapping: the only reference in the body names what is mapped. */
function mapEndpoint(api: ApiContext, resource: Resource, make: Create): Endpoint {
  const { path, query, decider } = resource;
  return endpoint({
    ...writeBase('POST', path, resource),
    description: ANSWERED,
    params: ofSimulator,
    body: make.body,
    features: ['etag', 'respond-async'],
    responses: { 201: query.view, 202: AcceptedView },
    problems: [409, 422],
    async handle(request) {
      const { simulatorId } = request.params;
      await requireExisting(api, 'simulator', simulatorId);
      await checkReferences(api, make.references, request);
      const [mapped] = referencesIn(make.references ?? {}, request.body);
      if (mapped === undefined) throw new Error('the body of a mapping names what it maps');
      const id = mappingId(simulatorId, mapped.id);
      const made = commandRequest(api, request, { decider, id, ...commandsOf(make, request) });
      // Whose the mapping is that is there already, or was, does not matter: it is taken, or free.
      const { authorize } = made;
      const outcome = await api.handler.handle({ ...made, authorize: () => authorize?.(null) ?? null });
      const location = `${fillPath(path, request.params)}/${mapped.id}`;
      const { position } = requireSuccess(outcome);
      return writtenResponse(api, request, { query, id, location, position, status: 201 });
    },
  });
}

function unmapEndpoint(api: ApiContext, resource: Resource, command: NonNullable<Resource['remove']>): Endpoint {
  const { decider } = resource;
  const path = onePath(resource);
  return endpoint({
    ...writeBase('DELETE', path, resource),
    description: 'Removes the mapping. It may be added again later.',
    params: pathParams(path),
    responses: { 204: null },
    async handle(request) {
      const { position } = await execute(api, request, {
        decider,
        id: idFromPath(request.params),
        commands: [command],
      });
      await waitUntilReadable(api, position, request);
      return { kind: 'empty', status: 204 };
    },
  });
}
