import { z } from 'zod';
import {
  apiKeyDecider,
  ChangeApiKeyBody,
  IssueApiKeyBody,
  RotateApiKeyBody,
  type ApiKeyCommand,
  type Managing,
} from '../../../commands/api-keys.ts';
import { apiKeyQuery } from '../../../queries/api-keys.ts';
import type { Caller } from '../domain/roles.ts';
import { csvParameters } from '../http/csv.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { Problem, problemOf } from '../http/problems.ts';
import { Rejection } from '../kernel/aggregate/decider.ts';
import type { ApiContext } from './context.ts';
import { rowBase, idFromPath, pathParams, documentOf, viewOf, resourceResponse, listResponse } from './reads.ts';
import { ApiKeyCreatedView, API_KEYS_PATH, issueKey, requireKnown, waitUntilKnown } from './tokens.ts';
import {
  AcceptedView,
  ANSWERED,
  writtenResponse,
  fingerprintOf,
  newId,
  requireSuccess,
  originOf,
  REPLAYED,
} from './writes.ts';

const ONE = `${API_KEYS_PATH}/{apiKeyId}`;
const key = pathParams(ONE);

/**
 * Endpoints of API keys: seen and managed by keys of the same licence with role CRUD, but by no rig's key
 * (docs/interface.md#api-keys).
 */
export const apiKeyRows = {
  list: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('GET', API_KEYS_PATH, apiKeyQuery),
      operationId: 'listApiKeys',
      summary: 'List API keys',
      description: 'Those of the own licence, without their tokens.',
      access: 'CRUD',
      query: z.object(csvParameters),
      responses: { 200: apiKeyQuery.view.array() },
      handle: (request) =>
        listResponse(apiKeyQuery, { where: { licenseId: requireManager(request).licenseId }, request }, api),
    }),
  one: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('GET', ONE, apiKeyQuery),
      operationId: 'getApiKey',
      summary: 'Get one API key',
      description: 'Of the own licence; with an ADMIN key of any.',
      access: 'CRUD',
      params: key,
      responses: { 200: apiKeyQuery.view },
      async handle(request) {
        const { role, licenseId } = requireManager(request);
        const document = await documentOf(apiKeyQuery, idFromPath(request.params), api);
        const isVisible = role === 'ADMIN' || document?.licenseId === licenseId;
        return resourceResponse(apiKeyQuery, isVisible ? document : null, api);
      },
    }),
  current: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('GET', `${API_KEYS_PATH}/current`, apiKeyQuery),
      operationId: 'getCurrentApiKey',
      summary: 'Get the calling key',
      description: 'Without its token; its role says what it may do.',
      access: 'R',
      responses: { 200: apiKeyQuery.view },
      handle: ({ caller }) =>
        resourceResponse(apiKeyQuery, caller === null ? null : api.registry.key(caller.apiKeyId), api),
    }),
  create: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('POST', API_KEYS_PATH, apiKeyQuery),
      operationId: 'createApiKey',
      summary: 'Create one API key',
      description:
        'Under the own licence, of no higher role than that of the calling key. Its token is shown only here.',
      access: 'CRUD',
      body: IssueApiKeyBody,
      features: ['idempotency-key'],
      responses: { 201: ApiKeyCreatedView },
      handle: (request) => create(api, request),
    }),
  change: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('PATCH', ONE, apiKeyQuery),
      operationId: 'updateApiKey',
      summary: 'Change one API key',
      description: `Its name, role or expiry. ${ANSWERED}`,
      access: 'CRUD',
      params: key,
      body: ChangeApiKeyBody,
      responses: { 200: apiKeyQuery.view, 202: AcceptedView },
      problems: [409],
      async handle(request) {
        const id = idFromPath(request.params);
        const { position, revision } = await manage(api, request, (managing) => ({
          type: 'ChangeApiKey',
          data: { ...request.body, ...managing },
        }));
        const location = `${API_KEYS_PATH}/${id}`;
        return writtenResponse(api, request, { query: apiKeyQuery, id, location, position, revision, status: 200 });
      },
    }),
  revoke: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('DELETE', ONE, apiKeyQuery),
      operationId: 'deleteApiKey',
      summary: 'Revoke one API key',
      description: 'For ever; requests under way with it fail at once.',
      access: 'CRUD',
      params: key,
      revokes: 'apiKeyId',
      features: [],
      responses: { 204: null },
      problems: [409],
      async handle(request) {
        await manage(api, request, (data) => ({ type: 'RevokeApiKey', data }));
        return { kind: 'empty', status: 204 };
      },
    }),
  rotate: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('POST', `${ONE}/rotate`, apiKeyQuery),
      operationId: 'rotateApiKey',
      summary: 'Give an API key a new token',
      description: 'The token is shown only here; the old one may be valid for a while yet.',
      access: 'CRUD',
      params: key,
      body: RotateApiKeyBody,
      bodyOptional: true,
      features: [],
      responses: { 200: ApiKeyCreatedView },
      problems: [409],
      async handle(request) {
        const id = idFromPath(request.params);
        const { graceSeconds } = request.body;
        const rotated = await api.keyIssuer.rotate(
          id,
          { graceSeconds, by: requireManager(request) },
          originOf(request),
        );
        if (rotated instanceof Rejection) throw problemOf(rotated);
        await requireKnown(api, rotated.position, request);
        const document = api.registry.key(id);
        if (document === null) throw new Error('the key registry knows no key that was rotated');
        const apiKey = await viewOf(apiKeyQuery, document, api);
        return { kind: 'json', status: 200, body: { apiKey, token: rotated.token } };
      },
    }),
};

/**
 * Returns the caller if it may manage keys.
 * @throws {Problem} 403 for the key of a rig
 */
function requireManager({ caller }: ApiRequest): Caller {
  if (caller === null || caller.rigId !== null)
    throw new Problem('FORBIDDEN', 'A key that was issued to a rig manages no keys.');
  return caller;
}

/** Carries out a command on a key of the path: who manages it, when, and whether it is the last that can, are added. */
async function manage(
  api: ApiContext,
  request: ApiRequest<{ readonly [name: string]: string }>,
  commandOf: (managing: Managing) => ApiKeyCommand,
) {
  const id = idFromPath(request.params);
  const by = requireManager(request);
  return api.guardAdminKeys({ apiKeyId: id }, async (lastAdmin) => {
    const command = commandOf({ by, now: api.clock.now(), lastAdmin });
    const managed = { decider: apiKeyDecider, id, command, origin: originOf(request), expected: request.ifMatch };
    const success = requireSuccess(await api.handler.handle(managed));
    await requireKnown(api, success.position, request);
    return success;
  });
}

type CreateApiKeyRequest = ApiRequest<undefined, undefined, z.output<typeof IssueApiKeyBody>>;

async function create(api: ApiContext, request: CreateApiKeyRequest) {
  const by = requireManager(request);
  const id = newId(api, API_KEYS_PATH, request);
  const keyRequest = { ...request.body, licenseId: by.licenseId, rigId: null, registration: id, by };
  const first = await api.keyIssuer.issue(keyRequest, originOf(request), { id, ...fingerprintOf(request) });
  if (first instanceof Rejection) throw problemOf(first);
  const { position, ...body } = first ?? (await issueKey(api, request, { keyRequest, replayed: true }));
  await waitUntilKnown(api, position, request);
  const headers = { Location: `${API_KEYS_PATH}/${body.apiKey.id}`, ...(first === null ? REPLAYED : {}) };
  return { kind: 'json', status: 201, body, headers } as const;
}
