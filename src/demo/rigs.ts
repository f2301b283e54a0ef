import { z } from 'zod';
import { decode, idempotencyKey, outcomeOf, type CreatedResource, type Venue } from './api.ts';
import { RIGS } from './data/rigs.ts';
import { DemoError } from './http-client.ts';
import type { RigData } from './types.ts';

const LicenseFile = z.object({
  licenseId: z.string(),
  licenseKey: z.string(),
  issuedAt: z.string(),
  signature: z.string(),
});

const RigRegistered = z.object({ rig: z.object({ id: z.string() }), apiKey: z.object({ token: z.string() }) });

const KnownRig = z.object({ id: z.string(), licenseId: z.string() });

/** A registered rig and the key that it sends its laps with; its name is the hardware id. */
export interface RegisteredRig extends CreatedResource {
  readonly token: string;
}

/**
 * Finds a rig of an earlier run. Its key was shown only then, so the venue's own key, which is of the same licence,
 * sends its laps: the same `Idempotency-Key` then means the same laps (docs/interface.md#idempotency).
 */
async function findRegistered({ send, token, licenseId }: Venue, hardwareId: string): Promise<RegisteredRig> {
  const path = `/api/v1/rigs/hardwareId/${encodeURIComponent(hardwareId)}`;
  const known = decode(KnownRig, await send({ method: 'GET', path, token, expect: [200] }), `GET ${path}`);
  if (known.licenseId !== licenseId) {
    throw new DemoError(`A rig with the demo's hardware id ${hardwareId} belongs to another licence.`);
  }
  return { name: hardwareId, id: known.id, token, outcome: 'existing' };
}

/** Registers a rig. A repeated run has a new licence file, hence another body: 422 or 409 means that the rig exists. */
async function register(
  venue: Venue,
  hardwareId: string,
  licenseFile: z.infer<typeof LicenseFile>,
): Promise<RegisteredRig> {
  const response = await venue.send({
    method: 'POST',
    path: '/api/v1/rigs',
    token: venue.token,
    body: { hardwareId, licenseFile },
    idempotencyKey: idempotencyKey('rig', hardwareId),
    expect: [201, 409, 422],
  });
  if (response.status !== 201) return findRegistered(venue, hardwareId);
  const { rig, apiKey } = decode(RigRegistered, response, 'POST /api/v1/rigs');
  return { name: hardwareId, id: rig.id, token: apiKey.token, outcome: outcomeOf(response) };
}

/** Registers the rigs with a licence file of the venue and names them. Throws `DemoError`. */
export async function registerRigs(venue: Venue): Promise<readonly RegisteredRig[]> {
  const { send, token } = venue;
  const path = `/api/v1/licenses/${venue.licenseId}/file`;
  const file = decode(LicenseFile, await send({ method: 'POST', path, token, expect: [200, 201] }), `POST ${path}`);
  return venue.phase<RigData, RegisteredRig>('Rigs', RIGS, async ({ hardwareId, name, description }) => {
    const rig = await register(venue, hardwareId, file);
    await send({
      method: 'PATCH',
      path: `/api/v1/rigs/${rig.id}`,
      token,
      body: { name, description },
      expect: [200, 202],
    });
    return rig;
  });
}
