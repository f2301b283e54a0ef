import { z } from 'zod';
import {
  ChangeLicenseBody,
  IssueLicenseBody,
  licenseDecider,
  type LicenseCommand,
} from '../../../commands/licenses.ts';
import type { LicenseDocument } from '../../../projections/licenses.ts';
import { licenseQuery } from '../../../queries/licenses.ts';
import { newLicenseKey } from '../access/bootstrap.ts';
import { LicenseFile } from '../domain/license-file.ts';
import type { Caller } from '../domain/roles.ts';
import { endpoint, type EndpointResponse, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { Problem } from '../http/problems.ts';
import type { ApiContext } from './context.ts';
import { rowBase, idFromPath, pathParams, notFoundProblem, getResource, resourceResponse } from './reads.ts';
import { ApiKeyCreatedView, issueKey, requireKnown, waitUntilKnown } from './tokens.ts';
import { AcceptedView, writtenResponse, fingerprintOf, newId, requireSuccess, originOf, REPLAYED } from './writes.ts';

const PATH = '/api/v1/licenses';
const ONE = `${PATH}/{licenseId}`;

/** A new licence and its bootstrap key (docs/interface.md#licenses). */
const LicenseCreatedView = z
  .object({ license: licenseQuery.view, apiKey: ApiKeyCreatedView })
  .meta({ id: 'LicenseCreated', description: 'A new licence and its first key.' });

/** The special endpoints of licences. */
export const licenseRows = {
  create: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('POST', PATH, licenseQuery),
      operationId: 'createLicense',
      summary: 'Create one licence',
      description: 'With a key of role CRUD to begin with, whose token is shown only here.',
      access: 'ADMIN',
      body: IssueLicenseBody,
      features: ['idempotency-key'],
      responses: { 201: LicenseCreatedView },
      handle: (request) => create(api, request),
    }),
  current: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('GET', `${PATH}/current`, licenseQuery),
      operationId: 'getCurrentLicense',
      summary: 'Get the licence of the calling key',
      description: 'What the key of the request belongs to.',
      access: 'R',
      features: ['etag'],
      responses: { 200: licenseQuery.view },
      handle: ({ caller }) =>
        resourceResponse(licenseQuery, caller === null ? null : api.registry.license(caller.licenseId), api),
    }),
  one: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('GET', ONE, licenseQuery),
      operationId: 'getLicense',
      summary: 'Get one licence',
      description: 'The own one; with an ADMIN key any.',
      access: 'R',
      params: pathParams(ONE),
      responses: { 200: licenseQuery.view },
      handle({ params, caller }) {
        const id = idFromPath(params);
        requireOwner(caller, id);
        return getResource(licenseQuery, id, api);
      },
    }),
  change: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('PATCH', ONE, licenseQuery),
      operationId: 'updateLicense',
      summary: 'Change one licence',
      description: 'Disabled or expired, its keys are taken no more.',
      access: 'ADMIN',
      params: pathParams(ONE),
      body: ChangeLicenseBody,
      responses: { 200: licenseQuery.view, 202: AcceptedView },
      problems: [409],
      async handle(request): Promise<EndpointResponse> {
        const id = idFromPath(request.params);
        const own = request.caller?.licenseId === id;
        const { position, revision } = await api.guardAdminKeys({ licenseId: id }, async (lastAdmin) => {
          const command: LicenseCommand = { type: 'ChangeLicense', data: { ...request.body, own, lastAdmin } };
          const change = { decider: licenseDecider, id, command, origin: originOf(request), expected: request.ifMatch };
          const changed = requireSuccess(await api.handler.handle(change));
          await requireKnown(api, changed.position, request);
          return changed;
        });
        const location = `${PATH}/${id}`;
        return writtenResponse(api, request, { query: licenseQuery, id, location, position, revision, status: 200 });
      },
    }),
  rotateKey: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('POST', `${ONE}/rotate-key`, licenseQuery),
      operationId: 'rotateLicenseKey',
      summary: 'Give a licence a new licence key',
      description: 'Licence files with the one of before are worthless from then on.',
      access: 'ADMIN',
      params: pathParams(ONE),
      features: ['respond-async'],
      responses: { 200: licenseQuery.view, 202: AcceptedView },
      async handle(request): Promise<EndpointResponse> {
        const id = idFromPath(request.params);
        const command: LicenseCommand = { type: 'RotateLicenseKey', data: { licenseKey: newLicenseKey() } };
        const rotated = { decider: licenseDecider, id, command, origin: originOf(request) };
        const { position, revision } = requireSuccess(await api.handler.handle(rotated));
        await requireKnown(api, position, request);
        const location = `${PATH}/${id}`;
        return writtenResponse(api, request, { query: licenseQuery, id, location, position, revision, status: 200 });
      },
    }),
  file: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('POST', `${ONE}/file`, licenseQuery),
      operationId: 'createLicenseFile',
      summary: 'Create a licence file',
      description:
        'A signed file, with which rigs of the licence register; of the own licence, with an ADMIN key of any.',
      access: 'CR',
      params: pathParams(ONE),
      responses: { 200: LicenseFile },
      async handle({ params, caller }) {
        const id = idFromPath(params);
        requireOwner(caller, id);
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
  if (known !== null || !(await api.references.exists('license', id))) return known;
  await api.registry.waitUntilUpToDate();
  return api.registry.license(id);
}

function requireOwner(caller: Caller | null, licenseId: string): void {
  if (caller !== null && (caller.role === 'ADMIN' || caller.licenseId === licenseId)) return;
  throw new Problem('FORBIDDEN', 'This needs a key of that licence, or an ADMIN key.');
}

type CreateLicenseRequest = ApiRequest<undefined, undefined, z.output<typeof IssueLicenseBody>>;

async function create(api: ApiContext, request: CreateLicenseRequest): Promise<EndpointResponse> {
  const id = newId(api, PATH, request);
  const command: LicenseCommand = { type: 'IssueLicense', data: { ...request.body, licenseKey: newLicenseKey() } };
  const origin = originOf(request);
  const result = requireSuccess(
    await api.handler.handle({ decider: licenseDecider, id, command, origin, fresh: true, ...fingerprintOf(request) }),
  );
  const keyRequest = {
    licenseId: id,
    name: 'Bootstrap key',
    role: 'CRUD',
    rigId: null,
    registration: id,
    by: null,
  } as const;
  const { position, ...apiKey } = await issueKey(api, request, { keyRequest, replayed: !result.recorded });
  await waitUntilKnown(api, position, request);
  const { state, createdAt, updatedAt } = result;
  const license = { id, ...state, lastLoginAt: api.usage.lastLoginAt(id), createdAt, updatedAt };
  const headers = { Location: `${PATH}/${id}`, ...(result.recorded ? {} : REPLAYED) };
  return { kind: 'json', status: 201, body: { license, apiKey }, headers };
}
