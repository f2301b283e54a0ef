import { z } from 'zod';
import { RegisterRigBody, rigDecider, type RigCommand } from '../../commands/rigs.ts';
import { rigs } from '../../projections/rigs.ts';
import { rigQuery } from '../../queries/rigs.ts';
import type { LicenseFile } from '../domain/license-file.ts';
import type { Caller } from '../domain/roles.ts';
import { endpoint, type EndpointResponse, type ApiRequest, type Endpoint } from '../http/endpoint.ts';
import { Problem } from '../http/problems.ts';
import type { ApiContext } from './context.ts';
import { findLicense } from './licenses.ts';
import { rowBase, resourceResponse } from './reads.ts';
import { ApiKeyCreatedView, issueKey, waitUntilKnown } from './tokens.ts';
import { fingerprintOf, newId, requireSuccess, originOf, REPLAYED } from './writes.ts';

const RIGS_PATH = '/api/v1/rigs';

/** Most characters of a key's name (docs/interface.md#api-keys). */
const KEY_NAME_LENGTH = 120;

/** A new rig and its key (docs/interface.md#rigs). */
const RigRegisteredView = z.object({ rig: rigQuery.view, apiKey: ApiKeyCreatedView }).meta({ id: 'RigRegistered' });

/** The special endpoints of rigs. */
export const rigRows = {
  byHardwareId: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('GET', `${RIGS_PATH}/hardwareId/{hardwareId}`, rigQuery),
      operationId: 'getRigByHardwareId',
      summary: 'Get the rig with a hardwareId',
      access: 'R',
      params: z.object({ hardwareId: z.string() }),
      responses: { 200: rigQuery.view },
      async handle({ params: { hardwareId } }) {
        const sort = { field: 'hardwareId', direction: 'asc' } as const;
        const [found] = await api.models.find(rigs.collection, { where: { hardwareId }, sort, offset: 0, limit: 1 });
        return resourceResponse(rigQuery, found ?? null, api);
      },
    }),
  register: (api: ApiContext): Endpoint =>
    endpoint({
      ...rowBase('POST', RIGS_PATH, rigQuery),
      operationId: 'registerRig',
      summary: 'Register a rig with a licence file; the token of its key is shown only here',
      access: 'R',
      body: RegisterRigBody,
      features: ['idempotency-key'],
      responses: { 201: RigRegisteredView },
      problems: [409],
      handle: (request) => register(api, request),
    }),
};

type RegisterRigRequest = ApiRequest<undefined, undefined, z.output<typeof RegisterRigBody>>;

async function register(api: ApiContext, request: RegisterRigRequest): Promise<EndpointResponse> {
  const { hardwareId, licenseFile } = request.body;
  const { displayName } = await verifiedLicense(api, licenseFile, request.caller);
  const { licenseId } = licenseFile;
  const id = newId(api, RIGS_PATH, request);
  const command: RigCommand = { type: 'RegisterRig', data: { hardwareId, licenseId } };
  const origin = originOf(request);
  const result = requireSuccess(
    await api.handler.handle({ decider: rigDecider, id, command, origin, fresh: true, ...fingerprintOf(request) }),
  );
  const name = Array.from(`Rig ${hardwareId}`).slice(0, KEY_NAME_LENGTH).join('');
  const keyRequest = { licenseId, name, role: api.rigKeyRole, rigId: id, registration: id, by: null };
  const { position, ...apiKey } = await issueKey(api, request, { keyRequest, replayed: !result.recorded });
  await waitUntilKnown(api, position, request);
  const { createdAt, updatedAt, state } = result;
  const rig = { id, ...state, licenseDisplayName: displayName, createdAt, updatedAt };
  const headers = { Location: `${RIGS_PATH}/${id}`, ...(result.recorded ? {} : REPLAYED) };
  return { kind: 'json', status: 201, body: { rig, apiKey }, headers };
}

/**
 * Verifies a licence file, and returns its licence.
 * @throws {Problem} 403 when the signature is not ours, the file does not match its licence, or is not of the caller's
 * licence (ADMIN may use any)
 */
async function verifiedLicense(api: ApiContext, file: LicenseFile, caller: Caller | null) {
  if (!(await api.signer.verify(file)))
    throw new Problem('FORBIDDEN', 'The licence file was not signed by this service.');
  const license = await findLicense(api, file.licenseId);
  if (license === null || license.licenseKey !== file.licenseKey) {
    throw new Problem('FORBIDDEN', 'The licence file does not match its licence.');
  }
  if (caller?.role !== 'ADMIN' && caller?.licenseId !== file.licenseId) {
    throw new Problem('FORBIDDEN', 'The licence file is not of the licence of the calling key.');
  }
  return license;
}
