import { z } from 'zod';
import { reference } from '../../domain/references.ts';
import { mappingId } from '../../domain/mappings.ts';
import { csvParameters } from '../http/list-body.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { CommandHandler } from '../../kernel/aggregate/command-handler.ts';
import type { Ids } from '../../kernel/ports/system.ts';
import { idOf } from '../../kernel/stream-names.ts';
import type { Reading, Resource } from '../resources/resource.ts';
import { historyEndpoint, type HistorySources } from './history.ts';
import { listEndpoint, listResponse, pageEndpoint } from './lists.ts';
import { referencesIn, type ReferencedResources } from './references.ts';
import { commandsOf, problemsOf, requireSuccess, type RequestCommands } from './request-commands.ts';
import type { KeyChanges } from './tokens.ts';
import { idFromPath, oneEndpoint, type ReadApi } from './views.ts';
import { AcceptedView, ANSWERED, REPLAYED, type WriteAnswers } from './write-answers.ts';
import { endpointBase, fillPath, onePath, pathParams, pluralName, resourceName, wordsOf } from './endpoint-base.ts';

/** The services that a resource's endpoints take. */
interface DeclaredEndpointServices extends HistorySources {
  readonly reads: ReadApi;
  readonly handler: CommandHandler;
  readonly references: ReferencedResources;
  readonly commands: RequestCommands;
  readonly answers: WriteAnswers;
  readonly keyChanges: KeyChanges;
  readonly ids: Ids;
}

/** The endpoints that a resource's declaration asks for. */
export function declaredEndpoints(services: DeclaredEndpointServices, resource: Resource): readonly Endpoint[] {
  const { reads = ['list', 'page', 'one'], create, change, remove, duplicate, history } = resource;
  const isMapping = remove !== undefined;
  const endpoints = reads.map((reading) => readEndpoint(services, resource, reading, isMapping));
  if (history) endpoints.push(historyEndpoint(services, resource));
  if (create !== null) {
    if (isMapping) endpoints.push(mapEndpoint(services, resource, create));
    else if (duplicate === 'returned') endpoints.push(createOneEndpoint(services, resource, create));
    else endpoints.push(createEndpoint(services, resource, create));
  }
  if (change !== null) endpoints.push(changeEndpoint(services, resource, change));
  if (remove !== undefined) endpoints.push(unmapEndpoint(services, resource, remove));
  return endpoints;
}

function readEndpoint(
  { reads, references }: Pick<DeclaredEndpointServices, 'reads' | 'references'>,
  resource: Resource,
  reading: Reading,
  isMapping: boolean,
): Endpoint {
  switch (reading) {
    case 'list':
      return isMapping ? mappedEndpoint(reads, references, resource) : listEndpoint(reads, resource);
    case 'page':
      return pageEndpoint(reads, resource);
    case 'one':
      return oneEndpoint(reads, resource);
  }
}

function mappedEndpoint(reads: ReadApi, references: ReferencedResources, { path, query }: Resource): Endpoint {
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
      await references.requireExisting('simulator', simulatorId);
      return listResponse(reads, query, { ...query.only, simulatorId }, request);
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
  const base = {
    ...endpointBase(method, path, query),
    operationId: `${operation}${name}`,
    summary: `${verb} one ${wordsOf(name)}`,
    access: access.write,
  };
  const isForRigs = access.rigKeys?.[method === 'POST' ? 'create' : 'change'] !== undefined;
  return isForRigs ? { ...base, forRigs: true as const } : base;
}

function createEndpoint(
  { handler, commands, answers }: Pick<DeclaredEndpointServices, 'handler' | 'commands' | 'answers'>,
  resource: Resource,
  bodyCommand: Create,
): Endpoint {
  const { path, query, decider } = resource;
  const creation = { path, decider, bodyCommand };
  return endpoint({
    ...writeBase('POST', path, resource),
    description: `${ANSWERED} Under one Idempotency-Key it may be sent again.`,
    body: bodyCommand.body,
    responses: { 201: query.view, 202: AcceptedView },
    problems: problemsOf(decider, bodyCommand.references),
    async handle(request) {
      const command = await commands.createRequest(creation, request);
      const { position, recorded } = requireSuccess(await handler.handle(command));
      const { id } = command;
      return answers.answer(request, {
        query,
        id,
        location: `${path}/${id}`,
        position,
        status: 201,
        headers: recorded ? {} : REPLAYED,
      });
    },
  });
}

/**
 * POST of a resource that there is one of: 200 with that one where its unique key is taken, so an `Idempotency-Key` has
 * nothing to add and is ignored (docs/interface.md#participants).
 */
function createOneEndpoint(
  { handler, commands, answers, ids }: Pick<DeclaredEndpointServices, 'handler' | 'commands' | 'answers' | 'ids'>,
  resource: Resource,
  bodyCommand: Create,
): Endpoint {
  const { path, query, decider } = resource;
  return endpoint({
    ...writeBase('POST', path, resource),
    summary: `Register one ${wordsOf(resourceName(query))}`,
    description: `A licence has at most one: if it has one already, the answer is 200 with that. ${ANSWERED}`,
    body: bodyCommand.body,
    features: ['etag', 'respond-async'],
    responses: { 200: query.view, 201: query.view, 202: AcceptedView },
    problems: [422],
    async handle(request) {
      await commands.check(bodyCommand, request);
      const id = ids.next();
      const command = commands.request(request, { decider, id, fresh: true, ...commandsOf(bodyCommand, request) });
      const outcome = await handler.handle(command);
      if ('outcome' in outcome && outcome.outcome === 'taken') {
        const holder = idOf(outcome.owner);
        return answers.answer(request, {
          query,
          id: holder,
          location: `${path}/${holder}`,
          position: outcome.position,
          status: 200,
          sent: request.body,
        });
      }
      const { position } = requireSuccess(outcome);
      return answers.answer(request, { query, id, location: `${path}/${id}`, position, status: 201 });
    },
  });
}

function changeEndpoint(
  { commands, answers, keyChanges }: Pick<DeclaredEndpointServices, 'commands' | 'answers' | 'keyChanges'>,
  resource: Resource,
  bodyCommand: Change,
): Endpoint {
  const { query, decider, endsKeys } = resource;
  const path = onePath(resource);
  return endpoint({
    ...writeBase('PATCH', path, resource),
    description: `Fields that are left out stay as they are; lists are replaced as a whole. ${ANSWERED}`,
    params: pathParams(path),
    body: bodyCommand.body,
    responses: { 200: query.view, 202: AcceptedView },
    problems: problemsOf(decider, bodyCommand.references),
    async handle(request) {
      await commands.check(bodyCommand, request);
      const id = idFromPath(request.params);
      const { position, revision } = await commands.execute(request, {
        decider,
        id,
        expected: request.headers.ifMatch,
        ...commandsOf(bodyCommand, request),
      });
      if (endsKeys) await keyChanges.requireKnown(position, request);
      const location = fillPath(path, request.params);
      return answers.answer(request, { query, id, location, position, revision, status: 200 });
    },
  });
}

/** POST of a mapping: the only reference in the body names what is mapped. */
function mapEndpoint(
  services: Pick<DeclaredEndpointServices, 'handler' | 'references' | 'commands' | 'answers'>,
  resource: Resource,
  bodyCommand: Create,
): Endpoint {
  const { handler, references, commands, answers } = services;
  const { path, query, decider } = resource;
  return endpoint({
    ...writeBase('POST', path, resource),
    description: ANSWERED,
    params: ofSimulator,
    body: bodyCommand.body,
    features: ['etag', 'respond-async'],
    responses: { 201: query.view, 202: AcceptedView },
    problems: [409, 422],
    async handle(request) {
      const { simulatorId } = request.params;
      await references.requireExisting('simulator', simulatorId);
      await references.check(bodyCommand.references, request);
      const [mapped] = referencesIn(bodyCommand.references ?? {}, request.body);
      if (mapped === undefined) throw new Error('the body of a mapping names what it maps');
      const id = mappingId(simulatorId, mapped.id);
      const command = commands.request(request, { decider, id, ...commandsOf(bodyCommand, request) });
      // Whose the mapping is that is there already, or was, does not matter: it is taken, or free.
      const { authorize } = command;
      const outcome = await handler.handle({ ...command, authorize: () => authorize?.(null) ?? null });
      const location = `${fillPath(path, request.params)}/${mapped.id}`;
      const { position } = requireSuccess(outcome);
      return answers.answer(request, { query, id, location, position, status: 201 });
    },
  });
}

function unmapEndpoint(
  { commands, answers }: Pick<DeclaredEndpointServices, 'commands' | 'answers'>,
  resource: Resource,
  command: NonNullable<Resource['remove']>,
): Endpoint {
  const { decider } = resource;
  const path = onePath(resource);
  return endpoint({
    ...writeBase('DELETE', path, resource),
    description: 'Removes the mapping. It may be added again later.',
    params: pathParams(path),
    responses: { 204: null },
    async handle(request) {
      const id = idFromPath(request.params);
      const { position } = await commands.execute(request, { decider, id, commands: [command] });
      await answers.waitUntilReadable(position, request);
      return { kind: 'empty', status: 204 };
    },
  });
}
