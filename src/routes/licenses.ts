import { z } from 'zod';
import { ChangeLicenseBody, IssueLicenseBody, licenseDecider, type LicenseCommand } from '../../commands/licenses.ts';
import { LicenseFileBody } from '../../commands/rigs.ts';
import type { LicenseDocument } from '../../projections/licenses.ts';
import { licenseQuery } from '../../queries/licenses.ts';
import { newLicenseKey } from '../auth/bootstrap.ts';
import type { Caller } from '../domain/roles.ts';
import { endpoint, type Answer, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { Problem } from '../http/problems.ts';
import { toIso } from '../kernel/ports/system.ts';
import type { Api } from './context.ts';
import { headOf, idIn, pathParams, notFound, oneResource, shownResource } from './reads.ts';
import { ApiKeyCreatedView, issueKey, REPLAYED, settle, shownKey } from './tokens.ts';
import { AcceptedView, answerWritten, fingerprintOf, newId, settled, originOf } from './writes.ts';

const PATH = '/api/v1/licenses';
const ONE = `${PATH}/{licenseId}`;

/** A new licence and its bootstrap key (SPEC.md "LicenseCreated"). */
const LicenseCreatedView = z
  .object({ license: licenseQuery.view, apiKey: ApiKeyCreatedView })
  .meta({ id: 'LicenseCreated' });

/** Rows of the licences that are like no others. */
export const licenseRows = {
  create: (api: Api): Endpoint =>
    endpoint({
      ...headOf('POST', PATH, licenseQuery),
      operationId: 'createLicense',
      summary: 'Issue a licence with a bootstrap key; its token is shown only here',
      access: 'ADMIN',
      body: IssueLicenseBody,
      features: ['idempotency-key'],
      responses: { 201: LicenseCreatedView },
      handle: (request) => create(api, request),
    }),
  current: (api: Api): Endpoint =>
    endpoint({
      ...headOf('GET', `${PATH}/current`, licenseQuery),
      operationId: 'getCurrentLicense',
      summary: 'Get the licence of the calling key',
      access: 'R',
      features: ['etag'],
      responses: { 200: licenseQuery.view },
      handle: ({ caller }) =>
        shownResource(licenseQuery, caller === null ? null : api.registry.license(caller.licenseId), api),
    }),
  one: (api: Api): Endpoint =>
    endpoint({
      ...headOf('GET', ONE, licenseQuery),
      operationId: 'getLicense',
      summary: 'Get the own licence; ADMIN: any',
      access: 'R',
      params: pathParams(ONE),
      responses: { 200: licenseQuery.view },
      handle({ params, caller }) {
        const id = idIn(params);
        needOwner(caller, id);
        return oneResource(licenseQuery, id, api);
      },
    }),
  change: (api: Api): Endpoint =>
    endpoint({
      ...headOf('PATCH', ONE, licenseQuery),
      operationId: 'updateLicense',
      summary: 'Change, disable or expire a licence',
      access: 'ADMIN',
      params: pathParams(ONE),
      body: ChangeLicenseBody,
      responses: { 200: licenseQuery.view, 202: AcceptedView },
      async handle(request): Promise<Answer> {
        const id = idIn(request.params);
        const own = request.caller?.licenseId === id;
        const command: LicenseCommand = { type: 'ChangeLicense', data: { ...request.body, own } };
        const wish = { decider: licenseDecider, id, command, origin: originOf(request), expected: request.ifMatch };
        const { position, revision } = settled(await api.handler.handle(wish));
        await settle(api, position, request);
        const location = `${PATH}/${id}`;
        return answerWritten(api, request, { query: licenseQuery, id, location, position, revision, status: 200 });
      },
    }),
  file: (api: Api): Endpoint =>
    endpoint({
      ...headOf('POST', `${ONE}/file`, licenseQuery),
      operationId: 'createLicenseFile',
      summary: 'Get a signed licence file, with which rigs register',
      access: 'CR',
      params: pathParams(ONE),
      responses: { 200: LicenseFileBody },
      async handle({ params, caller }) {
        const id = idIn(params);
        needOwner(caller, id);
        const license = await knownLicense(api, id);
        if (license === null) throw notFound();
        const issuedAt = toIso(api.clock.now());
        return {
          kind: 'json',
          status: 200,
          body: await api.signer.sign({ licenseId: id, licenseKey: license.licenseKey, issuedAt }),
        };
      },
    }),
};

/** The licence as this node knows it; where it does not, the event store is asked whether it should. */
export async function knownLicense(api: Api, id: string): Promise<LicenseDocument | null> {
  const known = api.registry.license(id);
  if (known !== null || !(await api.references.exists('license', id))) return known;
  await api.registry.upToDate();
  return api.registry.license(id);
}

function needOwner(caller: Caller | null, licenseId: string): void {
  if (caller !== null && (caller.role === 'ADMIN' || caller.licenseId === licenseId)) return;
  throw new Problem('FORBIDDEN', 'This needs a key of that licence, or an ADMIN key.');
}

type Create = ApiRequest<undefined, undefined, z.output<typeof IssueLicenseBody>>;

async function create(api: Api, request: Create): Promise<Answer> {
  const id = newId(api, PATH, request);
  const command: LicenseCommand = { type: 'IssueLicense', data: { ...request.body, licenseKey: newLicenseKey() } };
  const origin = originOf(request);
  const done = settled(
    await api.handler.handle({ decider: licenseDecider, id, command, origin, fresh: true, ...fingerprintOf(request) }),
  );
  const wish = { licenseId: id, name: 'Bootstrap key', role: 'CRUD', rigId: null, registration: id, by: null } as const;
  const issued = await issueKey(api, request, { wish, replayed: !done.recorded });
  await settle(api, issued.position, request);
  const { state, createdAt, updatedAt } = done;
  const license = { id, ...state, lastLoginAt: api.usage.ofLicense(id), createdAt, updatedAt };
  const headers = { Location: `${PATH}/${id}`, ...(done.recorded ? {} : REPLAYED) };
  return { kind: 'json', status: 201, body: { license, apiKey: shownKey(issued) }, headers };
}
