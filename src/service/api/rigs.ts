import { z } from 'zod';
import { RegisterRigBody, rigDecider, type Rig, type RigCommand } from '../../../commands/rigs.ts';
import { rigs } from '../../../projections/rigs.ts';
import { rigQuery } from '../../../queries/rigs.ts';
import { described } from '../../domain/fields.ts';
import type { LicenseFile, LicenseSigner } from '../../domain/license-file.ts';
import type { ApiKeyDocument } from '../../../projections/api-keys.ts';
import type { LicenseDocument } from '../../../projections/licenses.ts';
import { NO_SUCH_CODE } from '../../../commands/rig-pairings.ts';
import type { IssuedKey, KeyIssuer, KeyRequest } from '../access/keys.ts';
import type { KeyRegistry } from '../access/registry.ts';
import type { Config } from '../config/config.ts';
import { includesRole, type Caller } from '../../domain/roles.ts';
import { endpoint, type EndpointResponse, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { problemOf, Problem } from '../http/problems.ts';
import { KEY_REUSED, type CommandHandler, type CommandSuccess } from '../../kernel/aggregate/command-handler.ts';
import type { Origin } from '../../kernel/event-types.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import type { Document, ReadModels } from '../../kernel/ports/read-store.ts';
import type { Clock, Ids } from '../../kernel/ports/system.ts';
import type { KnownLicenses } from './licenses.ts';
import { endpointBase, itemBase } from './endpoint-base.ts';
import { identityOf, originOf, requireSuccess, type RequestCommands } from './request-commands.ts';
import { ApiKeyCreatedView, type KeyChanges, type RequestedKeys } from './tokens.ts';
import { idFromPath, notFoundProblem, resourceResponse, type ReadSources } from './views.ts';
import { REPLAYED } from './write-answers.ts';

const RIGS_PATH = '/api/v1/rigs';
const ONE = `${RIGS_PATH}/{rigId}`;

/** Most characters of a key's name (docs/interface.md#api-keys). */
const KEY_NAME_LENGTH = 120;

/** A new rig and its key (docs/interface.md#rigs). */
export const RigRegisteredView = z
  .object({ rig: rigQuery.view, apiKey: ApiKeyCreatedView })
  .meta({ id: 'RigRegistered', description: 'A new rig and its key.' });

/** The services that the endpoints of rigs take. */
export interface RigServices {
  readonly reads: ReadSources;
  readonly registry: Pick<KeyRegistry, 'keysWhere'>;
  readonly licenses: KnownLicenses;
  readonly keyIssuer: KeyIssuer;
  readonly requestedKeys: RequestedKeys;
  readonly keyChanges: KeyChanges;
  readonly commands: RequestCommands;
  readonly aggregates: Aggregates;
  readonly signer: LicenseSigner;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The services that take a rig that was paired. */
type PairedRigServices = RigServices & { readonly handler: CommandHandler };

/** The settings that rigs are registered by. */
export interface RigSettings extends Pick<Config, 'rigKeyRole' | 'licenseFileMaxAgeMs'> {
  /** Whether the key of a rig may do no more than a rig needs, whatever its role. */
  readonly rigsOnly: boolean;
}

/** Endpoints of rigs that are not made from their declaration (docs/interface.md#rigs). */
export function rigEndpoints(services: RigServices, settings: RigSettings): readonly Endpoint[] {
  const { reads } = services;
  return [
    endpoint({
      ...endpointBase('GET', `${RIGS_PATH}/hardwareId/{hardwareId}`, rigQuery),
      operationId: 'getRigByHardwareId',
      summary: 'Get the rig with a hardwareId',
      description: 'Finds the rig by the id of its hardware, even if lists do not include it.',
      access: 'R',
      params: z.object({ hardwareId: described(z.string(), 'Identifies the device.', 'SR-2024-00417') }),
      responses: { 200: rigQuery.view },
      async handle({ params: { hardwareId }, caller }) {
        return resourceResponse(reads, rigQuery, await rigWithHardware(reads.models, hardwareId), caller);
      },
    }),
    endpoint({
      ...endpointBase('POST', RIGS_PATH, rigQuery),
      operationId: 'registerRig',
      manages: 'keys of rigs',
      summary: 'Register a rig',
      description: 'The rig sends a licence file of its licence, and gets a key. Its token is shown only here.',
      access: 'R',
      body: RegisterRigBody,
      features: ['idempotency-key'],
      responses: { 201: RigRegisteredView },
      problems: [409],
      handle: (request) => register(services, settings, request),
    }),
    endpoint({
      ...itemBase('POST', `${ONE}/key`, rigQuery),
      operationId: 'issueRigKey',
      manages: 'keys of rigs',
      summary: 'Issue a new key to a rig',
      description: 'The other keys of the rig are revoked. The new token is shown only here.',
      access: 'CRUD',
      features: [],
      responses: { 200: ApiKeyCreatedView },
      handle: (request) => issueRigKey(services, settings, request),
    }),
  ];
}

/** Issues the key first: a rig whose request fails half way keeps one that works. */
async function issueRigKey(
  services: RigServices,
  settings: RigSettings,
  request: ApiRequest<{ readonly [name: string]: string }>,
) {
  const { aggregates, commands, keyIssuer, requestedKeys, keyChanges, ids } = services;
  const { caller, params } = request;
  const id = idFromPath(params);
  const { category } = rigDecider;
  const { state: rig, created } = await aggregates.load(rigDecider, streamOf(category, id));
  if (rig === null || created === null) throw notFoundProblem();
  const authorize = commands.authorization(request, category, { id, change: {}, isolated: true });
  const rejection = await authorize({ state: rig, created });
  if (rejection !== null) throw problemOf(rejection);
  // Of a registration of its own: no retry of that of the rig takes its key for one that it left behind.
  const keyId = ids.next();
  const keyRequest = { ...rigKeyRequest(settings, id, rig, caller), registration: keyId };
  const { position, ...body } = await requestedKeys.issue(request, keyRequest, { isRetry: false, id: keyId });
  const isOther = (key: ApiKeyDocument): boolean => key._rigId === id && key.enabled && key.id !== body.apiKey.id;
  const revoked = await keyIssuer.revokeWhere(isOther, originOf(request));
  await keyChanges.requireKnown(revoked ?? position, request);
  await requireSameLicense(services, keyRequest, request, body.apiKey.id);
  return { kind: 'json', status: 200, body } as const;
}

/**
 * Checks, before the token of a rig's new key is shown, that the rig has not moved meanwhile: keys that it had before
 * end with the move, but this one may have come after, and is revoked.
 * @throws {Problem} 403
 */
async function requireSameLicense(
  { aggregates, keyIssuer }: Pick<RigServices, 'aggregates' | 'keyIssuer'>,
  { rigId, licenseId }: Pick<KeyRequest, 'rigId' | 'licenseId'>,
  request: ApiRequest,
  /** The new key; null: none was issued yet. */
  keyId: string | null,
): Promise<void> {
  const { state } = await aggregates.load(rigDecider, streamOf(rigDecider.category, rigId ?? ''));
  if (state?.licenseId === licenseId) return;
  if (keyId !== null) await keyIssuer.revokeWhere(({ id }) => id === keyId, originOf(request));
  throw new Problem('NOT_YOURS', 'The rig has moved to another licence, which issues its key.');
}

/** The key of a rig has the configured role; where roles alone decide, at most the role of the caller. */
function rigKeyRequest(
  { rigKeyRole, rigsOnly }: RigSettings,
  id: string,
  { hardwareId, licenseId }: Pick<Rig, 'hardwareId' | 'licenseId'>,
  caller: Caller | null,
): KeyRequest {
  const name = Array.from(`Rig ${hardwareId}`).slice(0, KEY_NAME_LENGTH).join('');
  const role = rigsOnly || caller === null || includesRole(caller.role, rigKeyRole) ? rigKeyRole : caller.role;
  return { licenseId, name, role, rigId: id, registration: id };
}

type RegisterRigRequest = ApiRequest<undefined, undefined, z.output<typeof RegisterRigBody>>;

async function register(
  services: RigServices,
  settings: RigSettings,
  request: RegisterRigRequest,
): Promise<EndpointResponse> {
  const { aggregates, commands, requestedKeys, keyChanges, ids } = services;
  const { name, hardwareId, licenseFile } = request.body;
  const { licenseId } = licenseFile;
  const identity = identityOf(ids, RIGS_PATH, request);
  const { id, fingerprint } = identity;
  // Before any refusal of the licence file.
  const first = fingerprint === undefined ? null : await aggregates.firstOf(streamOf(rigDecider.category, id));
  if (first !== null && first.fingerprint !== fingerprint) throw problemOf(KEY_REUSED);
  const { displayName } = await verifiedLicense(services, settings, licenseFile, request.caller);
  const command: RigCommand = { type: 'RegisterRig', data: { name, hardwareId, licenseId } };
  const result = await commands.execute(request, {
    decider: rigDecider,
    ...identity,
    commands: [command],
    fresh: true,
  });
  const isRetry = !result.recorded;
  if (isRetry) {
    await requireSameLicense(services, { rigId: id, licenseId }, request, null);
    await requireFirstSender(requestedKeys, request, id, result.state?.enabled === true);
  }
  const keyRequest = rigKeyRequest(settings, id, { hardwareId, licenseId }, request.caller);
  const issued = await requestedKeys.issue(request, keyRequest, { isRetry });
  await keyChanges.waitUntilKnown(issued.position, request);
  await requireSameLicense(services, keyRequest, request, issued.apiKey.id);
  return registeredResponse(services, id, result, displayName, issued);
}

/** What a rig is registered by, once its pairing was redeemed. */
interface PairedRig {
  readonly rigId: string;
  readonly hardwareId: string;
  readonly licenseId: string;
  readonly name: string;
  /** The key that made the pairing. */
  readonly origin: Origin;
}

/**
 * Registers a rig by a pairing that was redeemed for it, and issues its key: in the name of the key that made the pairing.
 * A retry gets a fresh key as any retry of a registration does.
 * @throws {Problem} 409 where another rig has taken the hardware meanwhile, 404 for a retry that gets no key
 */
export async function registerPairedRig(
  services: PairedRigServices,
  settings: RigSettings,
  request: ApiRequest,
  { rigId, hardwareId, licenseId, name, origin }: PairedRig,
): Promise<EndpointResponse> {
  const { handler, aggregates, keyIssuer, requestedKeys, keyChanges, licenses } = services;
  const result = requireSuccess(
    await handler.handle({
      decider: rigDecider,
      id: rigId,
      commands: [{ type: 'RegisterRig', data: { name, hardwareId, licenseId } }],
      origin,
      fresh: true,
    }),
  );
  const isRetry = !result.recorded;
  if (isRetry) {
    const first = await aggregates.requireFirstOf(streamOf(rigDecider.category, rigId));
    const isOf = ({ _rigId }: ApiKeyDocument): boolean => _rigId === rigId;
    const caller = { apiKeyId: origin.apiKeyId ?? '' };
    const isLive = result.state?.enabled === true && result.state.licenseId === licenseId;
    if (!isLive || !(await keyIssuer.mayIssueAgain({ first, caller, registration: rigId, isOf })))
      throw problemOf(NO_SUCH_CODE);
  }
  const keyRequest = rigKeyRequest(settings, rigId, { hardwareId, licenseId }, null);
  const issued = await requestedKeys.issue(request, keyRequest, { isRetry, origin });
  await keyChanges.waitUntilKnown(issued.position, request);
  const license = await licenses.find(licenseId);
  return registeredResponse(services, rigId, result, license?.displayName ?? '', issued);
}

/** The response to a registration: the rig, and its key with the token. */
function registeredResponse(
  { registry }: Pick<RigServices, 'registry'>,
  id: string,
  { state, createdAt, updatedAt, recorded }: CommandSuccess<Rig | null>,
  licenseDisplayName: string,
  { position: _, ...apiKey }: IssuedKey,
): EndpointResponse {
  const lastSeenAt = lastUseOfKeys(registry, id);
  const rig = { id, ...state, licenseDisplayName, lastSeenAt, createdAt, updatedAt };
  const location = { Location: `${RIGS_PATH}/${id}` };
  const headers = recorded ? location : { ...location, ...REPLAYED };
  return { kind: 'json', status: 201, body: { rig, apiKey }, headers };
}

/** @throws {Problem} 409 for a retry that must get no key of the rig */
async function requireFirstSender(
  requestedKeys: RequestedKeys,
  { caller }: Pick<RegisterRigRequest, 'caller'>,
  id: string,
  isLive: boolean,
): Promise<void> {
  const stream = streamOf(rigDecider.category, id);
  const isOf = ({ _rigId }: ApiKeyDocument): boolean => _rigId === id;
  await requestedKeys.requireNewToken(
    { stream, caller, registration: id, isOf, isLive },
    {
      location: `${RIGS_PATH}/${id}`,
      instead: 'A key of role CRUD of its licence issues the next key of the rig: POST /api/v1/rigs/{rigId}/key.',
    },
  );
}

/** The rig with a hardwareId, as the read models show it; null: there is none. */
export async function rigWithHardware(models: ReadModels, hardwareId: string): Promise<Document | null> {
  const sort = { field: 'hardwareId', direction: 'asc' } as const;
  const [found = null] = await models.find(rigs.collection, { where: { hardwareId }, sort, offset: 0, limit: 1 });
  return found;
}

/** When the keys of a rig were last used as far as is recorded, ISO 8601; null: not yet. */
function lastUseOfKeys(registry: Pick<KeyRegistry, 'keysWhere'>, rigId: string): string | null {
  const uses = registry.keysWhere(({ _rigId }) => _rigId === rigId).flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
  return uses.sort().at(-1) ?? null;
}

/**
 * Verifies a licence file, and returns its licence.
 * @throws {Problem} 403 when the signature is not ours, the file does not match its licence, or is not of the caller's
 * licence (ADMIN may use any)
 */
async function verifiedLicense(
  { licenses, signer, clock }: Pick<RigServices, 'licenses' | 'signer' | 'clock'>,
  { licenseFileMaxAgeMs: maxAge }: RigSettings,
  file: LicenseFile,
  caller: Caller | null,
): Promise<LicenseDocument> {
  if (!(await signer.verify(file))) throw new Problem('FORBIDDEN', 'The licence file was not signed by this service.');
  if (maxAge !== null && clock.now() - Date.parse(file.issuedAt) > maxAge)
    throw new Problem('FORBIDDEN', 'The licence file is too old: get a new one.');
  const license = await licenses.find(file.licenseId);
  if (license === null || license.licenseKey !== file.licenseKey)
    throw new Problem('FORBIDDEN', 'The licence file does not match its licence.');
  if (caller?.role !== 'ADMIN' && caller?.licenseId !== file.licenseId)
    throw new Problem('FORBIDDEN', 'The licence file belongs to a licence other than that of the calling key.');
  return license;
}
