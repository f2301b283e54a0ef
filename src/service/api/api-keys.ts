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
import { hasRigLeft } from '../access/keys.ts';
import type { Caller } from '../../domain/roles.ts';
import { csvParameters } from '../http/list-body.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { Problem, problemOf, unauthenticatedProblem } from '../http/problems.ts';
import { Rejection } from '../../kernel/aggregate/rejection.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { ApiContext } from './context.ts';
import { endpointBase, itemBase } from './endpoint-base.ts';
import {
  AcceptedView,
  ANSWERED,
  authorization,
  execute,
  identityOf,
  originOf,
  REPLAYED,
  writtenResponse,
} from './pipeline.ts';
import { ApiKeyCreatedView, API_KEYS_PATH, issueKey, requireKnown, requireNewToken, waitUntilKnown } from './tokens.ts';
import { listResponse } from './lists.ts';
import { documentOf, idFromPath, resourceResponse, viewOf } from './views.ts';

const ONE = `${API_KEYS_PATH}/{apiKeyId}`;

/** Keys are managed by people with a current token, not by rigs. */
const FOR_MANAGERS = { access: 'CRUD', manages: 'keys' } as const;

/**
 * Endpoints of API keys: seen and managed by keys of the same licence with role CRUD, but by no rig's key
 * (docs/interface.md#api-keys).
 */
export const apiKeyEndpoints = {
  list: (api: ApiContext): Endpoint =>
    endpoint({
      ...endpointBase('GET', API_KEYS_PATH, apiKeyQuery),
      operationId: 'listApiKeys',
      summary: 'List API keys',
      description: "Lists the keys of the calling key's licence, without their tokens.",
      ...FOR_MANAGERS,
      query: z.object(csvParameters),
      responses: { 200: apiKeyQuery.view.array() },
      handle: (request) => {
        const { licenseId } = requireCaller(request);
        return listResponse(api, { query: apiKeyQuery, where: { licenseId } }, request);
      },
    }),
  one: (api: ApiContext): Endpoint =>
    endpoint({
      ...itemBase('GET', ONE, apiKeyQuery),
      operationId: 'getApiKey',
      summary: 'Get one API key',
      description: "Shows a key of the calling key's licence. An ADMIN key sees keys of any licence.",
      ...FOR_MANAGERS,
      responses: { 200: apiKeyQuery.view },
      async handle(request) {
        const { role, licenseId } = requireCaller(request);
        const document = await documentOf(api, apiKeyQuery, idFromPath(request.params));
        const isVisible = role === 'ADMIN' || document?.['licenseId'] === licenseId;
        return resourceResponse(api, { query: apiKeyQuery, document: isVisible ? document : null }, request.caller);
      },
    }),
  current: (api: ApiContext): Endpoint =>
    endpoint({
      ...endpointBase('GET', `${API_KEYS_PATH}/current`, apiKeyQuery),
      operationId: 'getCurrentApiKey',
      summary: 'Get the calling key',
      description: 'Shows the key without its token. Its role says what it may do.',
      access: 'R',
      responses: { 200: apiKeyQuery.view },
      handle: ({ caller }) => {
        const document = caller === null ? null : api.registry.key(caller.apiKeyId);
        return resourceResponse(api, { query: apiKeyQuery, document }, caller);
      },
    }),
  create: (api: ApiContext): Endpoint =>
    endpoint({
      ...endpointBase('POST', API_KEYS_PATH, apiKeyQuery),
      operationId: 'createApiKey',
      summary: 'Create one API key',
      description:
        'Under the own licence, of no higher role than that of the calling key. Its token is shown only here.',
      ...FOR_MANAGERS,
      body: IssueApiKeyBody,
      features: ['idempotency-key'],
      responses: { 201: ApiKeyCreatedView },
      problems: [409],
      handle: (request) => create(api, request),
    }),
  change: (api: ApiContext): Endpoint =>
    endpoint({
      ...itemBase('PATCH', ONE, apiKeyQuery),
      operationId: 'updateApiKey',
      summary: 'Change one API key',
      description: `Its name, role or expiry. ${ANSWERED}`,
      ...FOR_MANAGERS,
      body: ChangeApiKeyBody,
      responses: { 200: apiKeyQuery.view, 202: AcceptedView },
      problems: [409],
      async handle(request) {
        const id = idFromPath(request.params);
        const { position, revision } = await manage(api, request, {
          change: request.body,
          commands: (managing) => apiKeyIntents(request.body, managing),
        });
        const location = `${API_KEYS_PATH}/${id}`;
        return writtenResponse(api, request, { query: apiKeyQuery, id, location, position, revision, status: 200 });
      },
    }),
  revoke: (api: ApiContext): Endpoint =>
    endpoint({
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
        await manage(api, request, {
          change: {},
          commands: ({ lastAdmin }) => [{ type: 'RevokeApiKey', data: { lastAdmin } }],
        });
        return { kind: 'empty', status: 204 };
      },
    }),
  rotate: (api: ApiContext): Endpoint =>
    endpoint({
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
        const authorize = authorization(api, request, { category: apiKeyDecider.category, id, change: {} });
        const rotated = await api.keyIssuer.rotate(id, { graceSeconds, authorize }, originOf(request));
        if (rotated instanceof Rejection) throw problemOf(rotated);
        await requireKnown(api, rotated.position, request);
        const document = api.registry.key(id);
        if (document === null) throw new Error('the key registry knows no key that was rotated');
        // Its rig has left meanwhile.
        if (!document.enabled) throw new Problem('REVOKED', 'The key has ended and cannot get a new token.');
        const apiKey = await viewOf(api, { query: apiKeyQuery, document }, request.caller);
        return { kind: 'json', status: 200, body: { apiKey, token: rotated.token } };
      },
    }),
};

function requireCaller({ caller }: Pick<ApiRequest, 'caller'>): Caller {
  if (caller === null) throw unauthenticatedProblem();
  return caller;
}

/** Carries out commands on the key of the path; when, and whether it is the last ADMIN key, are added. */
async function manage(
  api: ApiContext,
  request: ApiRequest<{ readonly [name: string]: string }>,
  managed: { readonly change: JsonObject; readonly commands: (managing: Managing) => readonly ApiKeyCommand[] },
) {
  const id = idFromPath(request.params);
  return api.guardAdminKeys({ apiKeyId: id }, async (lastAdmin) => {
    const rigLeft = await hasRigLeft(api.aggregates, id);
    const commands = managed.commands({ now: api.clock.now(), lastAdmin, rigLeft });
    const asked = { decider: apiKeyDecider, id, expected: request.headers.ifMatch, commands, change: managed.change };
    const success = await execute(api, request, asked);
    await requireKnown(api, success.position, request);
    return success;
  });
}

/** @throws {Problem} 409 for a retry that is to get no key */
async function requireFirstSender(api: ApiContext, { caller }: Pick<ApiRequest, 'caller'>, id: string): Promise<void> {
  const first = await api.aggregates.firstOf(streamOf(apiKeyDecider.category, id));
  if (first === null) throw new Error('there is no key to issue again');
  const isOf = ({ _registration }: ApiKeyDocument): boolean => _registration === id;
  await requireNewToken(
    api,
    { first, caller, registration: id, isOf, isLive: true },
    { location: `${API_KEYS_PATH}/${id}`, instead: 'Create another one, with another Idempotency-Key.' },
  );
}

type CreateApiKeyRequest = ApiRequest<undefined, undefined, z.output<typeof IssueApiKeyBody>>;

async function create(api: ApiContext, request: CreateApiKeyRequest) {
  const { licenseId } = requireCaller(request);
  const identity = identityOf(api, API_KEYS_PATH, request);
  const { id } = identity;
  const keyRequest = { ...request.body, licenseId, rigId: null, registration: id };
  const authorize = authorization(api, request, { category: apiKeyDecider.category, id, change: request.body });
  const preset = { ...identity, authorize };
  const first = await api.keyIssuer.issue(keyRequest, originOf(request), preset);
  if (first instanceof Rejection) throw problemOf(first);
  if (first === null) await requireFirstSender(api, request, id);
  const { position, ...body } = first ?? (await issueKey(api, request, { keyRequest, replayed: true, authorize }));
  await waitUntilKnown(api, position, request);
  const headers = { Location: `${API_KEYS_PATH}/${body.apiKey.id}`, ...(first === null ? REPLAYED : {}) };
  return { kind: 'json', status: 201, body, headers } as const;
}
