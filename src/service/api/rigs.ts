import { z } from 'zod';
import { RegisterRigBody, rigDecider, type Rig, type RigCommand } from '../../../commands/rigs.ts';
import { rigs } from '../../../projections/rigs.ts';
import { rigQuery } from '../../../queries/rigs.ts';
import { described } from '../../domain/fields.ts';
import type { LicenseFile } from '../../domain/license-file.ts';
import type { ApiKeyDocument } from '../../../projections/api-keys.ts';
import type { KeyRequest } from '../access/keys.ts';
import { includesRole, type Caller } from '../../domain/roles.ts';
import { endpoint, type EndpointResponse, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { problemOf, Problem } from '../http/problems.ts';
import { KEY_REUSED } from '../../kernel/aggregate/command-handler.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { ApiContext } from './context.ts';
import { findLicense } from './licenses.ts';
import { endpointBase, itemBase } from './endpoint-base.ts';
import { authorization, execute, identityOf, originOf, REPLAYED } from './pipeline.ts';
import { ApiKeyCreatedView, issueKey, requireKnown, requireNewToken, waitUntilKnown } from './tokens.ts';
import { idFromPath, notFoundProblem, resourceResponse } from './views.ts';

const RIGS_PATH = '/api/v1/rigs';
const ONE = `${RIGS_PATH}/{rigId}`;

/** Most characters of a key's name (docs/interface.md#api-keys). */
const KEY_NAME_LENGTH = 120;

/** A new rig and its key (docs/interface.md#rigs). */
const RigRegisteredView = z
  .object({ rig: rigQuery.view, apiKey: ApiKeyCreatedView })
  .meta({ id: 'RigRegistered', description: 'A new rig and its key.' });

export function rigEndpoints(api: ApiContext): readonly Endpoint[] {
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
        const sort = { field: 'hardwareId', direction: 'asc' } as const;
        const [found] = await api.models.find(rigs.collection, { where: { hardwareId }, sort, offset: 0, limit: 1 });
        return resourceResponse(api, { query: rigQuery, document: found ?? null }, caller);
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
      handle: (request) => register(api, request),
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
      handle: (request) => issueRigKey(api, request),
    }),
  ];
}

/** Issues the key first: a rig whose request fails half way keeps one that works. */
async function issueRigKey(api: ApiContext, request: ApiRequest<{ readonly [name: string]: string }>) {
  const { caller, params } = request;
  const id = idFromPath(params);
  const { category } = rigDecider;
  const { state: rig, created } = await api.aggregates.load(rigDecider, streamOf(category, id));
  if (rig === null || created === null) throw notFoundProblem();
  const authorize = authorization(api, request, { category, id, change: {}, isolated: true });
  const rejection = await authorize({ state: rig, created });
  if (rejection !== null) throw problemOf(rejection);
  // Of a registration of its own: no retry of that of the rig takes its key for one that it left behind.
  const keyId = api.ids.next();
  const keyRequest = { ...rigKeyRequest(api, { id, ...rig }, caller), registration: keyId };
  const { position, ...body } = await issueKey(api, request, { keyRequest, replayed: false, id: keyId });
  const isOther = (key: ApiKeyDocument): boolean => key._rigId === id && key.enabled && key.id !== body.apiKey.id;
  const revoked = await api.keyIssuer.revokeWhere(isOther, originOf(request));
  await requireKnown(api, revoked ?? position, request);
  await requireLicense(api, keyRequest, { request, keyId: body.apiKey.id });
  return { kind: 'json', status: 200, body } as const;
}

/**
 * Checks, before the token of a rig's new key is shown, that the rig has not moved meanwhile: keys that it had before
 * end with the move, but this one may have come after, and is revoked.
 * @throws {Problem} 403
 */
async function requireLicense(
  api: ApiContext,
  { rigId, licenseId }: Pick<KeyRequest, 'rigId' | 'licenseId'>,
  issued: { readonly keyId: string; readonly request: ApiRequest } | null,
) {
  const { state } = await api.aggregates.load(rigDecider, streamOf(rigDecider.category, rigId ?? ''));
  if (state?.licenseId === licenseId) return;
  if (issued !== null) await api.keyIssuer.revokeWhere(({ id }) => id === issued.keyId, originOf(issued.request));
  throw new Problem('NOT_YOURS', 'The rig has moved to another licence, which issues its key.');
}

/** The key of a rig has the configured role; where roles alone decide, at most the role of the caller. */
function rigKeyRequest(
  { rigKeyRole, rigsOnly }: ApiContext,
  { id, hardwareId, licenseId }: Pick<Rig, 'hardwareId' | 'licenseId'> & { readonly id: string },
  caller: Caller | null,
): KeyRequest {
  const name = Array.from(`Rig ${hardwareId}`).slice(0, KEY_NAME_LENGTH).join('');
  const role = rigsOnly || caller === null || includesRole(caller.role, rigKeyRole) ? rigKeyRole : caller.role;
  return { licenseId, name, role, rigId: id, registration: id };
}

type RegisterRigRequest = ApiRequest<undefined, undefined, z.output<typeof RegisterRigBody>>;

async function register(api: ApiContext, request: RegisterRigRequest): Promise<EndpointResponse> {
  const { name, hardwareId, licenseFile } = request.body;
  const { licenseId } = licenseFile;
  const identity = identityOf(api, RIGS_PATH, request);
  const { id, fingerprint } = identity;
  // Before any refusal of the licence file.
  const first = fingerprint === undefined ? null : await api.aggregates.firstOf(streamOf(rigDecider.category, id));
  if (first !== null && first.fingerprint !== fingerprint) throw problemOf(KEY_REUSED);
  const { displayName } = await verifiedLicense(api, licenseFile, request.caller);
  const command: RigCommand = { type: 'RegisterRig', data: { name, hardwareId, licenseId } };
  const result = await execute(api, request, { decider: rigDecider, ...identity, commands: [command], fresh: true });
  if (!result.recorded) {
    await requireLicense(api, { rigId: id, licenseId }, null);
    await requireFirstSender(api, request, { id, isLive: result.state?.enabled === true });
  }
  const keyRequest = rigKeyRequest(api, { id, hardwareId, licenseId }, request.caller);
  const { position, ...apiKey } = await issueKey(api, request, { keyRequest, replayed: !result.recorded });
  await waitUntilKnown(api, position, request);
  await requireLicense(api, keyRequest, { request, keyId: apiKey.apiKey.id });
  const { createdAt, updatedAt, state } = result;
  const lastSeenAt = lastUseOfKeys(api, id);
  const rig = { id, ...state, licenseDisplayName: displayName, lastSeenAt, createdAt, updatedAt };
  const headers = { Location: `${RIGS_PATH}/${id}`, ...(result.recorded ? {} : REPLAYED) };
  return { kind: 'json', status: 201, body: { rig, apiKey }, headers };
}

/** @throws {Problem} 409 for a retry that is to get no key of the rig */
async function requireFirstSender(
  api: ApiContext,
  { caller }: Pick<RegisterRigRequest, 'caller'>,
  { id, isLive }: { readonly id: string; readonly isLive: boolean },
): Promise<void> {
  const first = await api.aggregates.firstOf(streamOf(rigDecider.category, id));
  if (first === null) throw new Error('there is no rig to register again');
  const isOf = ({ _rigId }: ApiKeyDocument): boolean => _rigId === id;
  await requireNewToken(
    api,
    { first, caller, registration: id, isOf, isLive },
    {
      location: `${RIGS_PATH}/${id}`,
      instead: 'A key of role CRUD of its licence issues the next key of the rig: POST /api/v1/rigs/{rigId}/key.',
    },
  );
}

/** When the keys of a rig were last used as far as is recorded, ISO 8601; null: not yet. */
function lastUseOfKeys({ registry }: ApiContext, rigId: string): string | null {
  const uses = registry.keysWhere(({ _rigId }) => _rigId === rigId).flatMap(({ lastUsedAt }) => lastUsedAt ?? []);
  return uses.sort().at(-1) ?? null;
}

/**
 * Verifies a licence file, and returns its licence.
 * @throws {Problem} 403 when the signature is not ours, the file does not match its licence, or is not of the caller's
 * licence (ADMIN may use any)
 */
async function verifiedLicense(api: ApiContext, file: LicenseFile, caller: Caller | null) {
  if (!(await api.signer.verify(file)))
    throw new Problem('FORBIDDEN', 'The licence file was not signed by this service.');
  const { licenseFileMaxAgeMs: maxAge, clock } = api;
  if (maxAge !== null && clock.now() - Date.parse(file.issuedAt) > maxAge)
    throw new Problem('FORBIDDEN', 'The licence file is too old: get a new one.');
  const license = await findLicense(api, file.licenseId);
  if (license === null || license.licenseKey !== file.licenseKey)
    throw new Problem('FORBIDDEN', 'The licence file does not match its licence.');
  if (caller?.role !== 'ADMIN' && caller?.licenseId !== file.licenseId)
    throw new Problem('FORBIDDEN', 'The licence file belongs to a licence other than that of the calling key.');
  return license;
}
