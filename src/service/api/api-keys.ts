import { z } from 'zod';
import {
  apiKeyDecider,
  apiKeyIntents,
  ChangeApiKeyBody,
  IssueApiKeyBody,
  RotateApiKeyBody,
  type ApiKeyCommand,
  type Managing,
} from '../../../commands/api-keys.ts';
import type { ApiKeyDocument } from '../../../projections/api-keys.ts';
import { apiKeyQuery } from '../../../queries/api-keys.ts';
import type { AdminKeyGuard } from '../access/admin-keys.ts';
import { hasRigLeft, type KeyIssuer } from '../access/keys.ts';
import type { KeyRegistry } from '../access/registry.ts';
import type { Caller } from '../../domain/roles.ts';
import { csvParameters } from '../http/list-body.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { Problem, problemOf, unauthenticatedProblem } from '../http/problems.ts';
import { Rejection } from '../../kernel/aggregate/rejection.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import type { Clock, Ids } from '../../kernel/ports/system.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { endpointBase, itemBase } from './endpoint-base.ts';
import { identityOf, originOf, type RequestCommands } from './request-commands.ts';
import { ApiKeyCreatedView, API_KEYS_PATH, type KeyChanges, type RequestedKeys } from './tokens.ts';
import { listResponse } from './lists.ts';
import { documentOf, idFromPath, oneViewOf, resourceResponse, type ReadSources } from './views.ts';
import { AcceptedView, ANSWERED, REPLAYED, type WriteAnswers } from './write-answers.ts';

const ONE = `${API_KEYS_PATH}/{apiKeyId}`;

/** Keys are managed by people with a current token, not by rigs. */
const FOR_MANAGERS = { access: 'CRUD', manages: 'keys' } as const;

/** The services that the endpoints of API keys take. */
interface ApiKeyServices {
  readonly reads: ReadSources;
  readonly registry: KeyRegistry;
  readonly keyIssuer: KeyIssuer;
  readonly requestedKeys: RequestedKeys;
  readonly keyChanges: KeyChanges;
  readonly guardAdminKeys: AdminKeyGuard;
  readonly commands: RequestCommands;
  readonly answers: WriteAnswers;
  readonly aggregates: Aggregates;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Endpoints of API keys: seen and managed by keys of the same licence with role CRUD, but by no rig's key
 * (docs/interface.md#api-keys).
 */
export function apiKeyEndpoints(services: ApiKeyServices): readonly Endpoint[] {
  return [
    listKeysEndpoint(services.reads),
    oneKeyEndpoint(services.reads),
    currentKeyEndpoint(services),
    createKeyEndpoint(services),
    changeKeyEndpoint(services),
    revokeKeyEndpoint(services),
    rotateKeyEndpoint(services),
  ];
}

function listKeysEndpoint(reads: ReadSources): Endpoint {
  return endpoint({
    ...endpointBase('GET', API_KEYS_PATH, apiKeyQuery),
    operationId: 'listApiKeys',
    summary: 'List API keys',
    description: "Lists the keys of the calling key's licence, without their tokens.",
    ...FOR_MANAGERS,
    query: z.object(csvParameters),
    responses: { 200: apiKeyQuery.view.array() },
    handle: (request) => {
      const { licenseId } = requireCaller(request);
      return listResponse(reads, apiKeyQuery, { licenseId }, request);
    },
  });
}

function oneKeyEndpoint(reads: ReadSources): Endpoint {
  return endpoint({
    ...itemBase('GET', ONE, apiKeyQuery),
    operationId: 'getApiKey',
    summary: 'Get one API key',
    description: "Shows a key of the calling key's licence. An ADMIN key sees keys of any licence.",
    ...FOR_MANAGERS,
    responses: { 200: apiKeyQuery.view },
    async handle(request) {
      const { role, licenseId } = requireCaller(request);
      const document = await documentOf(reads, apiKeyQuery, idFromPath(request.params));
      const isVisible = role === 'ADMIN' || document?.['licenseId'] === licenseId;
      return resourceResponse(reads, apiKeyQuery, isVisible ? document : null, request.caller);
    },
  });
}

function currentKeyEndpoint(services: ApiKeyServices): Endpoint {
  return endpoint({
    ...endpointBase('GET', `${API_KEYS_PATH}/current`, apiKeyQuery),
    operationId: 'getCurrentApiKey',
    summary: 'Get the calling key',
    description: 'Shows the key without its token. Its role says what it may do.',
    access: 'R',
    responses: { 200: apiKeyQuery.view },
    handle: ({ caller }) => {
      const document = caller === null ? null : services.registry.key(caller.apiKeyId);
      return resourceResponse(services.reads, apiKeyQuery, document, caller);
    },
  });
}

function createKeyEndpoint(services: ApiKeyServices): Endpoint {
  return endpoint({
    ...endpointBase('POST', API_KEYS_PATH, apiKeyQuery),
    operationId: 'createApiKey',
    summary: 'Create one API key',
    description: "Creates a key in the caller's licence, with at most the caller's role. Its token is shown only here.",
    ...FOR_MANAGERS,
    body: IssueApiKeyBody,
    features: ['idempotency-key'],
    responses: { 201: ApiKeyCreatedView },
    problems: [409],
    handle: (request) => create(services, request),
  });
}

function changeKeyEndpoint(services: ApiKeyServices): Endpoint {
  return endpoint({
    ...itemBase('PATCH', ONE, apiKeyQuery),
    operationId: 'updateApiKey',
    summary: 'Change one API key',
    description: `Changes its name, role or expiry. ${ANSWERED}`,
    ...FOR_MANAGERS,
    body: ChangeApiKeyBody,
    responses: { 200: apiKeyQuery.view, 202: AcceptedView },
    problems: [409],
    async handle(request) {
      const id = idFromPath(request.params);
      const { position, revision } = await manage(services, request, request.body, (managing) =>
        apiKeyIntents(request.body, managing),
      );
      const location = `${API_KEYS_PATH}/${id}`;
      return services.answers.answer(request, { query: apiKeyQuery, id, location, position, revision, status: 200 });
    },
  });
}

function revokeKeyEndpoint(services: ApiKeyServices): Endpoint {
  return endpoint({
    ...itemBase('DELETE', ONE, apiKeyQuery),
    operationId: 'deleteApiKey',
    summary: 'Revoke one API key',
    description: 'The key is revoked for ever. Requests under way with it fail at once.',
    ...FOR_MANAGERS,
    revokes: 'apiKeyId',
    features: [],
    responses: { 204: null },
    problems: [409],
    async handle(request) {
      await manage(services, request, {}, ({ lastAdmin }) => [{ type: 'RevokeApiKey', data: { lastAdmin } }]);
      return { kind: 'empty', status: 204 };
    },
  });
}

function rotateKeyEndpoint(services: ApiKeyServices): Endpoint {
  return endpoint({
    ...itemBase('POST', `${ONE}/rotate`, apiKeyQuery),
    operationId: 'rotateApiKey',
    summary: 'Give an API key a new token',
    description:
      'The new token is shown only here. The previous token may record and read for a while; older ones end at once.',
    ...FOR_MANAGERS,
    revokes: 'apiKeyId',
    body: RotateApiKeyBody,
    bodyOptional: true,
    features: [],
    responses: { 200: ApiKeyCreatedView },
    problems: [409],
    async handle(request) {
      const id = idFromPath(request.params);
      const { graceSeconds } = request.body;
      const authorize = services.commands.authorization(request, apiKeyDecider.category, { id, change: {} });
      const rotated = await services.keyIssuer.rotate(id, graceSeconds, authorize, originOf(request));
      if (rotated instanceof Rejection) throw problemOf(rotated);
      await services.keyChanges.requireKnown(rotated.position, request);
      const document = services.registry.key(id);
      if (document === null) throw new Error('the key registry knows no key that was rotated');
      // Its rig has left meanwhile.
      if (!document.enabled) throw new Problem('REVOKED', 'The key has ended and cannot get a new token.');
      const apiKey = await oneViewOf(services.reads, apiKeyQuery, document, request.caller);
      return { kind: 'json', status: 200, body: { apiKey, token: rotated.token } };
    },
  });
}

function requireCaller({ caller }: Pick<ApiRequest, 'caller'>): Caller {
  if (caller === null) throw unauthenticatedProblem();
  return caller;
}

/** Carries out commands on the key of the path; when, and whether it is the last ADMIN key, are added. */
async function manage(
  services: ApiKeyServices,
  request: ApiRequest<{ readonly [name: string]: string }>,
  change: JsonObject,
  commandsFor: (managing: Managing) => readonly ApiKeyCommand[],
) {
  const { guardAdminKeys, aggregates, clock, keyChanges } = services;
  const id = idFromPath(request.params);
  return guardAdminKeys({ apiKeyId: id }, async (lastAdmin) => {
    const rigLeft = await hasRigLeft(aggregates, id);
    const success = await services.commands.execute(request, {
      decider: apiKeyDecider,
      id,
      expected: request.headers.ifMatch,
      commands: commandsFor({ now: clock.now(), lastAdmin, rigLeft }),
      change,
    });
    await keyChanges.requireKnown(success.position, request);
    return success;
  });
}

/** @throws {Problem} 409 for a retry that must get no key */
async function requireFirstSender(
  requestedKeys: RequestedKeys,
  { caller }: Pick<ApiRequest, 'caller'>,
  id: string,
): Promise<void> {
  const stream = streamOf(apiKeyDecider.category, id);
  const isOf = ({ _registration }: ApiKeyDocument): boolean => _registration === id;
  await requestedKeys.requireNewToken(
    { stream, caller, registration: id, isOf, isLive: true },
    { location: `${API_KEYS_PATH}/${id}`, instead: 'Create another one, with another Idempotency-Key.' },
  );
}

type CreateApiKeyRequest = ApiRequest<undefined, undefined, z.output<typeof IssueApiKeyBody>>;

async function create(services: ApiKeyServices, request: CreateApiKeyRequest) {
  const { commands, keyIssuer, requestedKeys, keyChanges, ids } = services;
  const { licenseId } = requireCaller(request);
  const identity = identityOf(ids, API_KEYS_PATH, request);
  const { id } = identity;
  const keyRequest = { ...request.body, licenseId, rigId: null, registration: id };
  const authorize = commands.authorization(request, apiKeyDecider.category, { id, change: request.body });
  const issued = await keyIssuer.issue(keyRequest, originOf(request), { ...identity, authorize });
  if (issued instanceof Rejection) throw problemOf(issued);
  const isRetry = issued === null;
  if (isRetry) await requireFirstSender(requestedKeys, request, id);
  const key = issued ?? (await requestedKeys.issue(request, keyRequest, { isRetry, authorize }));
  const { position, ...body } = key;
  await keyChanges.waitUntilKnown(position, request);
  const location = { Location: `${API_KEYS_PATH}/${body.apiKey.id}` };
  return { kind: 'json', status: 201, body, headers: isRetry ? { ...location, ...REPLAYED } : location } as const;
}
