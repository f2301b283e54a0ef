import { z } from 'zod';
import { createAll, decode, idempotencyKey, idsOf, outcomeOf } from './api.ts';
import type { CreatedResource, IdLookup, Venue } from './api.ts';
import type { Catalogue } from './catalogue.ts';
import { RACING_EVENTS, SIGNUP_FIELDS } from './data/events.ts';
import { PEOPLE, RIGS } from './data/venue.ts';
import { DemoError, type Send } from './http-client.ts';

const LicenseCreated = z.object({ license: z.object({ id: z.string() }), apiKey: z.object({ token: z.string() }) });

/** A resource that has an API key of its own. */
export interface KeyHolder extends CreatedResource {
  readonly token: string;
}

/** A client and token for requests that only an ADMIN may send. */
export interface Admin {
  readonly send: Send;
  readonly token: string;
}

/** Creates a licence; a repeated run gets the same one with a new key (docs/interface.md#idempotency). */
async function issueLicense({ send, token }: Admin, name: string, displayName: string): Promise<KeyHolder> {
  const response = await send({
    method: 'POST',
    path: '/api/v1/licenses',
    token,
    body: { name, displayName },
    idempotencyKey: idempotencyKey('license', name),
    expect: [201, 401, 403],
  });
  if (response.status !== 201) {
    throw new DemoError(
      'The service does not accept this as an ADMIN token: pass the one its first start printed, ' +
        'with --token or BOOTSTRAP_ADMIN_TOKEN.',
    );
  }
  const { license, apiKey } = decode(LicenseCreated, response, 'POST /api/v1/licenses');
  return { name, id: license.id, token: apiKey.token, outcome: outcomeOf(response) };
}

/** Creates the licence of the demo's venue. Throws `DemoError`, also for a token that is not an ADMIN's. */
export async function openVenue(admin: Admin, phase: Venue['phase']): Promise<Venue> {
  const { id: licenseId, token } = await issueLicense(admin, 'demo-venue', 'Demo Sim Racing Lounge');
  return { send: admin.send, phase, licenseId, token };
}

const LicenseFile = z.object({
  licenseId: z.string(),
  licenseKey: z.string(),
  issuedAt: z.string(),
  signature: z.string(),
});

const RigRegistered = z.object({ rig: z.object({ id: z.string() }), apiKey: z.object({ token: z.string() }) });

const KnownRig = z.object({ id: z.string(), licenseId: z.string() });

/**
 * Finds a rig of an earlier run. Its key was shown only then, so the venue's own key, which is of the same licence,
 * sends its laps: the same `Idempotency-Key` then means the same laps (docs/interface.md#idempotency).
 */
async function findRegistered({ send, token, licenseId }: Venue, hardwareId: string): Promise<KeyHolder> {
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
): Promise<KeyHolder> {
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

/**
 * Registers the rigs with a licence file of the venue and names them; a rig's stable name is its hardware id. Throws
 * `DemoError`.
 */
export async function registerRigs(venue: Venue): Promise<readonly KeyHolder[]> {
  const { send, token } = venue;
  const path = `/api/v1/licenses/${venue.licenseId}/file`;
  const file = decode(LicenseFile, await send({ method: 'POST', path, token, expect: [200, 201] }), `POST ${path}`);
  return venue.phase('Rigs', RIGS, async ({ hardwareId, name, description }) => {
    const rig = await register(venue, hardwareId, file);
    const body = { name, description };
    await send({ method: 'PATCH', path: `/api/v1/rigs/${rig.id}`, token, body, expect: [200, 202] });
    return rig;
  });
}

/** Creates the participants: each is bound to a licence of its own. Returns a look-up by e-mail address. */
export async function signUpPeople(venue: Venue, admin: Admin): Promise<IdLookup> {
  const licenses = await venue.phase('Competitor licences', PEOPLE, async ({ firstName, lastName, email }) => {
    return { ...(await issueLicense(admin, `demo-${email}`, `${firstName} ${lastName}`)), name: email };
  });
  const licenseOf = idsOf(licenses);
  return createAll(
    venue,
    { label: 'Participants', path: 'participants', kind: 'participant' },
    PEOPLE.map(({ nickname, nationality, level: experience, ...person }) => {
      const extraFields = { nickname, nationality, experience, newsletter: experience !== 'beginner' };
      const body = { ...person, licenseId: licenseOf(person.email), extraFieldsJson: JSON.stringify(extraFields) };
      return { name: person.email, body };
    }),
  );
}

/** Creates the racing events and their sign-up fields. Returns a look-up of the events by slug. */
export async function createEvents(venue: Venue, catalogue: Catalogue, rig: IdLookup): Promise<IdLookup> {
  const eventId = await createAll(
    venue,
    { label: 'Events', path: 'events', kind: 'event' },
    RACING_EVENTS.map(({ simulator, cars, layouts, rigs, sponsors, ...rest }) => ({
      name: rest.slug,
      body: {
        ...rest,
        simulatorId: catalogue.simulator(simulator),
        carIds: cars.map(catalogue.car),
        trackLayoutIds: layouts.map(catalogue.layout),
        rigIds: rigs.map(rig),
        brandIds: sponsors.map(catalogue.sponsor),
      },
    })),
  );
  await createAll(
    venue,
    { label: 'Sign-up fields', path: 'signup-fields', kind: 'field' },
    SIGNUP_FIELDS.map(({ event, ...rest }) => ({
      name: `${event}-${rest.fieldKey}`,
      body: { ...rest, eventId: eventId(event) },
    })),
  );
  return eventId;
}
