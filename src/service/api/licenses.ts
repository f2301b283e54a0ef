import { z } from 'zod';
import { ChangeLicenseBody, IssueLicenseBody, licenseDecider, licenseIntents } from '../../../commands/licenses.ts';
import type { License, LicenseCommand } from '../../../commands/licenses.ts';
import type { ApiKeyDocument } from '../../../projections/api-keys.ts';
import type { LicenseDocument } from '../../../projections/licenses.ts';
import { licenseQuery } from '../../../queries/licenses.ts';
import type { AdminKeyGuard } from '../access/admin-keys.ts';
import { newLicenseKey, type KeyUsage } from '../access/authenticator.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { KeyRegistry } from '../access/registry.ts';
import { LicenseFile, type LicenseSigner } from '../../domain/license-file.ts';
import { endpoint, type EndpointResponse, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { problemOf } from '../http/problems.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { Clock, Ids } from '../../kernel/ports/system.ts';
import { endpointBase, itemBase } from './endpoint-base.ts';
import type { ReferencedResources } from './references.ts';
import { identityOf, type RequestCommands } from './request-commands.ts';
import { ApiKeyCreatedView, type KeyChanges, type RequestedKeys } from './tokens.ts';
import { documentOf, idFromPath, notFoundProblem, resourceResponse, type ReadSources } from './views.ts';
import { AcceptedView, REPLAYED, type WriteAnswers } from './write-answers.ts';

const PATH = '/api/v1/licenses';
const ONE = `${PATH}/{licenseId}`;

/** A new licence and its bootstrap key (docs/interface.md#licenses). */
const LicenseCreatedView = z
  .object({ license: licenseQuery.view, apiKey: ApiKeyCreatedView })
  .meta({ id: 'LicenseCreated', description: 'A new licence and its first key.' });

/** The services that the endpoints of licences take. */
interface LicenseServices {
  readonly reads: ReadSources;
  readonly registry: KeyRegistry;
  readonly licenses: KnownLicenses;
  readonly aggregates: Pick<Aggregates, 'firstOf'>;
  readonly authorizer: Pick<Authorizer, 'authorizeRead'>;
  readonly requestedKeys: RequestedKeys;
  readonly keyChanges: KeyChanges;
  readonly guardAdminKeys: AdminKeyGuard;
  readonly commands: RequestCommands;
  readonly answers: WriteAnswers;
  readonly usage: Pick<KeyUsage, 'lastLoginAt'>;
  readonly signer: LicenseSigner;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Endpoints of licences that are not made from their declaration (docs/interface.md#licenses). */
export function licenseEndpoints(services: LicenseServices): readonly Endpoint[] {
  return [
    createLicenseEndpoint(services),
    currentLicenseEndpoint(services),
    oneLicenseEndpoint(services),
    changeLicenseEndpoint(services),
    rotateLicenseKeyEndpoint(services),
    issueLicenseKeyEndpoint(services),
    licenseFileEndpoint(services),
  ];
}

function createLicenseEndpoint(services: LicenseServices): Endpoint {
  return endpoint({
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
    handle: (request) => create(services, request),
  });
}

function currentLicenseEndpoint(services: LicenseServices): Endpoint {
  return endpoint({
    ...endpointBase('GET', `${PATH}/current`, licenseQuery),
    operationId: 'getCurrentLicense',
    summary: 'Get the licence of the calling key',
    description: 'Shows the licence that the key of the request belongs to.',
    access: 'R',
    features: ['etag'],
    responses: { 200: licenseQuery.view },
    handle: ({ caller }) => {
      const document = caller === null ? null : services.registry.license(caller.licenseId);
      return resourceResponse(services.reads, licenseQuery, document, caller);
    },
  });
}

function oneLicenseEndpoint(services: LicenseServices): Endpoint {
  return endpoint({
    ...itemBase('GET', ONE, licenseQuery),
    operationId: 'getLicense',
    summary: 'Get one licence',
    description:
      'Shows the licence of the calling key, or one that its check-ins have made. An ADMIN key sees any licence.',
    access: 'R',
    responses: { 200: licenseQuery.view },
    async handle(request) {
      const id = idFromPath(request.params);
      if (!(await hasCheckedIn(services, request, id))) await requireOwner(services.authorizer, request, id);
      const document = await documentOf(services.reads, licenseQuery, id);
      return resourceResponse(services.reads, licenseQuery, document, request.caller);
    },
  });
}

function changeLicenseEndpoint(services: LicenseServices): Endpoint {
  return endpoint({
    ...itemBase('PATCH', ONE, licenseQuery),
    operationId: 'updateLicense',
    manages: 'licences',
    summary: 'Change one licence',
    description:
      'Keys of a licence that is disabled or has expired are refused. A key of role CRUD changes `logo`, `accentColor`, ' +
      '`timeZone` and `publicNames` of its own licence; the rest needs an ADMIN key.',
    access: 'CRUD',
    body: ChangeLicenseBody,
    responses: { 200: licenseQuery.view, 202: AcceptedView },
    problems: [409],
    async handle(request): Promise<EndpointResponse> {
      const id = idFromPath(request.params);
      // Others are not told whether there is such a licence.
      await requireOwner(services.authorizer, request, id);
      const own = request.caller?.licenseId === id;
      const { position, revision } = await services.guardAdminKeys({ licenseId: id }, async (lastAdmin) => {
        const changed = await services.commands.execute(request, {
          decider: licenseDecider,
          id,
          expected: request.headers.ifMatch,
          commands: licenseIntents(request.body, { own, lastAdmin }),
          change: request.body,
        });
        await services.keyChanges.requireKnown(changed.position, request);
        return changed;
      });
      const location = `${PATH}/${id}`;
      return services.answers.answer(request, { query: licenseQuery, id, location, position, revision, status: 200 });
    },
  });
}

function rotateLicenseKeyEndpoint(services: LicenseServices): Endpoint {
  return endpoint({
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
      const { position, revision } = await services.commands.execute(request, {
        decider: licenseDecider,
        id,
        commands: [command],
      });
      await services.keyChanges.requireKnown(position, request);
      const location = `${PATH}/${id}`;
      return services.answers.answer(request, { query: licenseQuery, id, location, position, revision, status: 200 });
    },
  });
}

function issueLicenseKeyEndpoint(services: LicenseServices): Endpoint {
  return endpoint({
    ...itemBase('POST', `${ONE}/key`, licenseQuery),
    operationId: 'issueLicenseKey',
    manages: 'licences',
    summary: 'Issue a further key to a licence',
    description: 'A key of role CRUD, for a licence that lost its own. The others stay. The token is shown only here.',
    access: 'ADMIN',
    features: [],
    responses: { 200: ApiKeyCreatedView },
    handle: (request) => issueLicenseKey(services, request),
  });
}

function licenseFileEndpoint(services: LicenseServices): Endpoint {
  return endpoint({
    ...itemBase('POST', `${ONE}/file`, licenseQuery),
    operationId: 'createLicenseFile',
    manages: 'licences',
    summary: 'Create a licence file',
    description:
      'Returns a signed file, with which rigs of the licence register. ADMIN keys may create it for any licence.',
    access: 'CR',
    responses: { 200: LicenseFile },
    async handle(request) {
      const id = idFromPath(request.params);
      await requireOwner(services.authorizer, request, id);
      const license = await services.licenses.find(id);
      if (license === null) throw notFoundProblem();
      const issuedAt = new Date(services.clock.now()).toISOString();
      const body = await services.signer.sign({ licenseId: id, licenseKey: license.licenseKey, issuedAt });
      return { kind: 'json', status: 200, body };
    },
  });
}

/** Licences that requests name. */
export class KnownLicenses {
  readonly #registry: Pick<KeyRegistry, 'license' | 'waitUntilUpToDate'>;
  readonly #references: ReferencedResources;

  constructor(registry: Pick<KeyRegistry, 'license' | 'waitUntilUpToDate'>, references: ReferencedResources) {
    this.#registry = registry;
    this.#references = references;
  }

  /**
   * Finds a licence in the registry; when it is not there but in the event store, waits until the registry is up to date.
   */
  async find(id: string): Promise<LicenseDocument | null> {
    const known = this.#registry.license(id);
    if (known !== null || !(await this.#references.exists('license', id))) return known;
    await this.#registry.waitUntilUpToDate();
    return this.#registry.license(id);
  }
}

/** @throws {Problem} 403 where the licence is not that of the caller, unless it is ADMIN */
async function requireOwner(
  authorizer: Pick<Authorizer, 'authorizeRead'>,
  { caller }: Pick<ApiRequest, 'caller'>,
  id: string,
): Promise<void> {
  const rejection = await authorizer.authorizeRead(caller, licenseDecider.category, { id, state: {}, created: null });
  if (rejection !== null) throw problemOf(rejection);
}

/** Whether a check-in with a key of the caller's licence has made a licence; all other licences are made by ADMIN keys. */
async function hasCheckedIn(
  { aggregates }: Pick<LicenseServices, 'aggregates'>,
  { caller }: Pick<ApiRequest, 'caller'>,
  id: string,
): Promise<boolean> {
  const created = await aggregates.firstOf(streamOf(licenseDecider.category, id));
  if (caller === null || created?.role === undefined || created.role === 'ADMIN') return false;
  return created.licenseId === caller.licenseId;
}

/** @throws {Problem} 409 for a retry that must get no key of the licence */
async function requireFirstSender(
  requestedKeys: RequestedKeys,
  { caller }: Pick<ApiRequest, 'caller'>,
  id: string,
  license: License | null,
): Promise<void> {
  const stream = streamOf(licenseDecider.category, id);
  const isOf = ({ licenseId }: ApiKeyDocument): boolean => licenseId === id;
  await requestedKeys.requireNewToken(
    { stream, caller, registration: id, isOf, isLive: license?.enabled === true && license.expiresAt === null },
    { location: `${PATH}/${id}`, instead: 'An ADMIN key issues another one: POST /api/v1/licenses/{licenseId}/key.' },
  );
}

/** Issues a further key to a licence: for one that has lost its own. */
async function issueLicenseKey(
  { licenses, requestedKeys, keyChanges, ids }: LicenseServices,
  request: ApiRequest<{ readonly [name: string]: string }>,
) {
  const licenseId = idFromPath(request.params);
  if ((await licenses.find(licenseId)) === null) throw notFoundProblem();
  const id = ids.next();
  const keyRequest = { licenseId, name: 'Further key', role: 'CRUD', rigId: null, registration: id } as const;
  const { position, ...body } = await requestedKeys.issue(request, keyRequest, { isRetry: false, id });
  await keyChanges.waitUntilKnown(position, request);
  return { kind: 'json', status: 200, body } as const;
}

type CreateLicenseRequest = ApiRequest<undefined, undefined, z.output<typeof IssueLicenseBody>>;

async function create(services: LicenseServices, request: CreateLicenseRequest): Promise<EndpointResponse> {
  const { commands, requestedKeys, keyChanges, usage, ids } = services;
  const identity = identityOf(ids, PATH, request);
  const { id } = identity;
  const command: LicenseCommand = { type: 'IssueLicense', data: { ...request.body, licenseKey: newLicenseKey() } };
  const result = await commands.execute(request, {
    decider: licenseDecider,
    ...identity,
    commands: [command],
    fresh: true,
  });
  const isRetry = !result.recorded;
  if (isRetry) await requireFirstSender(requestedKeys, request, id, result.state);
  const keyRequest = { licenseId: id, name: 'Bootstrap key', role: 'CRUD', rigId: null, registration: id } as const;
  const { position, ...apiKey } = await requestedKeys.issue(request, keyRequest, { isRetry });
  await keyChanges.waitUntilKnown(position, request);
  const { state, createdAt, updatedAt } = result;
  const license = { id, ...state, lastLoginAt: usage.lastLoginAt(id), createdAt, updatedAt };
  const location = { Location: `${PATH}/${id}` };
  const headers = isRetry ? { ...location, ...REPLAYED } : location;
  return { kind: 'json', status: 201, body: { license, apiKey }, headers };
}
