import { z } from 'zod';
import { ChangeLicenseBody, IssueLicenseBody, licenseDecider, licenseIntents } from '../../../commands/licenses.ts';
import type { License, LicenseCommand } from '../../../commands/licenses.ts';
import type { ApiKeyDocument } from '../../../projections/api-keys.ts';
import type { LicenseDocument } from '../../../projections/licenses.ts';
import { licenseQuery } from '../../../queries/licenses.ts';
import { newLicenseKey } from '../access/authenticator.ts';
import { LicenseFile } from '../../domain/license-file.ts';
import { endpoint, type EndpointResponse, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { problemOf } from '../http/problems.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { ApiContext } from './context.ts';
import { endpointBase, itemBase } from './endpoint-base.ts';
import { AcceptedView, execute, exists, identityOf, REPLAYED, writtenResponse } from './pipeline.ts';
import { ApiKeyCreatedView, issueKey, requireKnown, requireNewToken, waitUntilKnown } from './tokens.ts';
import { documentOf, idFromPath, notFoundProblem, resourceResponse } from './views.ts';

const PATH = '/api/v1/licenses';
const ONE = `${PATH}/{licenseId}`;

/** A new licence and its bootstrap key (docs/interface.md#licenses). */
const LicenseCreatedView = z
  .object({ license: licenseQuery.view, apiKey: ApiKeyCreatedView })
  .meta({ id: 'LicenseCreated', description: 'A new licence and its first key.' });

export const licenseEndpoints = {
  create: (api: ApiContext): Endpoint =>
    endpoint({
      ...endpointBase('POST', PATH, licenseQuery),
      operationId: 'createLicense',
      manages: 'licences',
      summary: 'Create one licence',
      description: 'The licence gets a first key of role CRUD. Its token is shown only here.',
      access: 'ADMIN',
      body: IssueLicenseBody,
      features: ['idempotency-key'],
      responses: { 201: LicenseCreatedView },
      problems: [409],
      handle: (request) => create(api, request),
    }),
  current: (api: ApiContext): Endpoint =>
    endpoint({
      ...endpointBase('GET', `${PATH}/current`, licenseQuery),
      operationId: 'getCurrentLicense',
      summary: 'Get the licence of the calling key',
      description: 'Shows the licence that the key of the request belongs to.',
      access: 'R',
      features: ['etag'],
      responses: { 200: licenseQuery.view },
      handle: ({ caller }) => {
        const document = caller === null ? null : api.registry.license(caller.licenseId);
        return resourceResponse(api, { query: licenseQuery, document }, caller);
      },
    }),
  one: (api: ApiContext): Endpoint =>
    endpoint({
      ...itemBase('GET', ONE, licenseQuery),
      operationId: 'getLicense',
      summary: 'Get one licence',
      description: 'Shows the licence of the calling key. An ADMIN key sees any licence.',
      access: 'R',
      responses: { 200: licenseQuery.view },
      async handle(request) {
        const id = idFromPath(request.params);
        await requireOwner(api, request, id);
        const document = await documentOf(api, licenseQuery, id);
        return resourceResponse(api, { query: licenseQuery, document }, request.caller);
      },
    }),
  change: (api: ApiContext): Endpoint =>
    endpoint({
      ...itemBase('PATCH', ONE, licenseQuery),
      operationId: 'updateLicense',
      manages: 'licences',
      summary: 'Change one licence',
      description: 'Keys of a licence that is disabled or has expired are refused.',
      access: 'ADMIN',
      body: ChangeLicenseBody,
      responses: { 200: licenseQuery.view, 202: AcceptedView },
      problems: [409],
      async handle(request): Promise<EndpointResponse> {
        const id = idFromPath(request.params);
        const own = request.caller?.licenseId === id;
        const { position, revision } = await api.guardAdminKeys({ licenseId: id }, async (lastAdmin) => {
          const commands = licenseIntents(request.body, { own, lastAdmin });
          const expected = request.headers.ifMatch;
          const change = { decider: licenseDecider, id, commands, expected, change: request.body };
          const changed = await execute(api, request, change);
          await requireKnown(api, changed.position, request);
          return changed;
        });
        const location = `${PATH}/${id}`;
        return writtenResponse(api, request, { query: licenseQuery, id, location, position, revision, status: 200 });
      },
    }),
  rotateKey: (api: ApiContext): Endpoint =>
    endpoint({
      ...itemBase('POST', `${ONE}/rotate-key`, licenseQuery),
      operationId: 'rotateLicenseKey',
      manages: 'licences',
      summary: 'Give a licence a new licence key',
      description: 'Licence files with the previous licence key are refused from then on.',
      access: 'ADMIN',
      features: ['respond-async'],
      responses: { 200: licenseQuery.view, 202: AcceptedView },
      async handle(request): Promise<EndpointResponse> {
        const id = idFromPath(request.params);
        const command: LicenseCommand = { type: 'RotateLicenseKey', data: { licenseKey: newLicenseKey() } };
        const { position, revision } = await execute(api, request, {
          decider: licenseDecider,
          id,
          commands: [command],
        });
        await requireKnown(api, position, request);
        const location = `${PATH}/${id}`;
        return writtenResponse(api, request, { query: licenseQuery, id, location, position, revision, status: 200 });
      },
    }),
  issueKey: (api: ApiContext): Endpoint =>
    endpoint({
      ...itemBase('POST', `${ONE}/key`, licenseQuery),
      operationId: 'issueLicenseKey',
      manages: 'licences',
      summary: 'Issue a further key to a licence',
      description:
        'A key of role CRUD, for a licence that lost its own. The others stay. The token is shown only here.',
      access: 'ADMIN',
      features: [],
      responses: { 200: ApiKeyCreatedView },
      handle: (request) => issueLicenseKey(api, request),
    }),
  file: (api: ApiContext): Endpoint =>
    endpoint({
      ...itemBase('POST', `${ONE}/file`, licenseQuery),
      operationId: 'createLicenseFile',
      manages: 'licences',
      summary: 'Create a licence file',
      description:
        'A signed file, with which rigs of the licence register; of the own licence, with an ADMIN key of any.',
      access: 'CR',
      responses: { 200: LicenseFile },
      async handle(request) {
        const id = idFromPath(request.params);
        await requireOwner(api, request, id);
        const license = await findLicense(api, id);
        if (license === null) throw notFoundProblem();
        const issuedAt = new Date(api.clock.now()).toISOString();
        const body = await api.signer.sign({ licenseId: id, licenseKey: license.licenseKey, issuedAt });
        return { kind: 'json', status: 200, body };
      },
    }),
};

/**
 * Finds a licence in the registry; when it is not there but in the event store, waits until the registry is up to date.
 */
export async function findLicense(api: ApiContext, id: string): Promise<LicenseDocument | null> {
  const known = api.registry.license(id);
  if (known !== null || !(await exists(api, 'license', id))) return known;
  await api.registry.waitUntilUpToDate();
  return api.registry.license(id);
}

/** @throws {Problem} 403 where the licence is not that of the caller, unless it is ADMIN */
async function requireOwner(api: ApiContext, request: Pick<ApiRequest, 'caller'>, id: string): Promise<void> {
  const read = { id, state: {}, created: null };
  const rejection = await api.authorizer.authorizeRead(request.caller, licenseDecider.category, read);
  if (rejection !== null) throw problemOf(rejection);
}

/** @throws {Problem} 409 for a retry that is to get no key of the licence */
async function requireFirstSender(
  api: ApiContext,
  { caller }: Pick<ApiRequest, 'caller'>,
  { id, license }: { readonly id: string; readonly license: License | null },
): Promise<void> {
  const first = await api.aggregates.firstOf(streamOf(licenseDecider.category, id));
  if (first === null) throw new Error('there is no licence to create again');
  const isOf = ({ licenseId }: ApiKeyDocument): boolean => licenseId === id;
  await requireNewToken(
    api,
    { first, caller, registration: id, isOf, isLive: license?.enabled === true && license.expiresAt === null },
    { location: `${PATH}/${id}`, instead: 'An ADMIN key issues another one: POST /api/v1/licenses/{licenseId}/key.' },
  );
}

/** Issues a further key to a licence: for one that has lost its own. */
async function issueLicenseKey(api: ApiContext, request: ApiRequest<{ readonly [name: string]: string }>) {
  const licenseId = idFromPath(request.params);
  if ((await findLicense(api, licenseId)) === null) throw notFoundProblem();
  const id = api.ids.next();
  const keyRequest = { licenseId, name: 'Further key', role: 'CRUD', rigId: null, registration: id } as const;
  const { position, ...body } = await issueKey(api, request, { keyRequest, replayed: false, id });
  await waitUntilKnown(api, position, request);
  return { kind: 'json', status: 200, body } as const;
}

type CreateLicenseRequest = ApiRequest<undefined, undefined, z.output<typeof IssueLicenseBody>>;

async function create(api: ApiContext, request: CreateLicenseRequest): Promise<EndpointResponse> {
  const identity = identityOf(api, PATH, request);
  const { id } = identity;
  const command: LicenseCommand = { type: 'IssueLicense', data: { ...request.body, licenseKey: newLicenseKey() } };
  const issued = { decider: licenseDecider, ...identity, commands: [command], fresh: true };
  const result = await execute(api, request, issued);
  if (!result.recorded) await requireFirstSender(api, request, { id, license: result.state });
  const keyRequest = { licenseId: id, name: 'Bootstrap key', role: 'CRUD', rigId: null, registration: id } as const;
  const { position, ...apiKey } = await issueKey(api, request, { keyRequest, replayed: !result.recorded });
  await waitUntilKnown(api, position, request);
  const { state, createdAt, updatedAt } = result;
  const license = { id, ...state, lastLoginAt: api.usage.lastLoginAt(id), createdAt, updatedAt };
  const headers = { Location: `${PATH}/${id}`, ...(result.recorded ? {} : REPLAYED) };
  return { kind: 'json', status: 201, body: { license, apiKey }, headers };
}
