import { type Connection, Refused } from '../connection.ts';
import type { Catalogue } from './catalogue.ts';
import { PEOPLE, RACING_EVENTS, RIGS, SIGNUP_FIELDS } from './data.ts';
import { createAll, idsOf, keyed, onRefusal, outcomeOf } from './resources.ts';
import type { CreatedResource, Demo, IdLookup, Venue } from './resources.ts';

interface KeyHolder extends CreatedResource {
  readonly token: string;
}

/** A rig of the venue, and the client that sends its laps. Its stable name is its hardware id. */
export interface Rig extends KeyHolder {
  readonly client: Connection;
}

/** Creates a licence, with its first key; a repeated run finds it, without a key (docs/interface.md#idempotency). */
async function issueLicense(
  admin: Connection,
  name: string,
  displayName: string,
): Promise<CreatedResource & { readonly token: string | null }> {
  const request = keyed('license', { name, body: { name, displayName } });
  const refuse = (): never => {
    throw new Refused(
      403,
      'The service does not accept this as an ADMIN token: pass the one its first start printed, ' +
        'with --token or BOOTSTRAP_ADMIN_TOKEN.',
    );
  };
  try {
    const { data, response } = await admin
      .answered(() => admin.POST('/api/v1/licenses', request))
      .catch(onRefusal([401, 403], refuse));
    return { name, id: data.license.id, token: data.apiKey.token, outcome: outcomeOf(response) };
  } catch (error) {
    // It was created by an earlier run, and its key was shown then.
    if (!(error instanceof Refused) || error.status !== 409 || error.location === null) throw error;
    return { name, id: error.location.slice(error.location.lastIndexOf('/') + 1), token: null, outcome: 'existing' };
  }
}

/** A further key for a licence of an earlier run. */
async function issueFurtherKey(admin: Connection, licenseId: string): Promise<string> {
  const params = { path: { licenseId } };
  const { data } = await admin.answered(() => admin.POST('/api/v1/licenses/{licenseId}/key', { params }));
  return data.token;
}

/** Creates the licence of the demo's venue. @throws {Failure} also for a token that is not an ADMIN's. */
export async function openVenue(demo: Demo, admin: Connection): Promise<Venue> {
  const { id: licenseId, token: first } = await issueLicense(admin, 'demo-venue', 'Demo Sim Racing Lounge');
  const token = first ?? (await issueFurtherKey(admin, licenseId));
  return { ...demo, licenseId, token, client: demo.connect(token) };
}

/**
 * Finds a rig of an earlier run. Its key was shown only then, so its laps are sent with the venue's own key, which is
 * of the same licence: the same `Idempotency-Key` then means the same laps (docs/interface.md#idempotency).
 */
async function findRegistered({ client, token, licenseId }: Venue, hardwareId: string): Promise<KeyHolder> {
  const params = { path: { hardwareId } };
  const { data } = await client.answered(() => client.GET('/api/v1/rigs/hardwareId/{hardwareId}', { params }));
  if (data.licenseId !== licenseId) {
    throw new Refused(409, `A rig with the demo's hardware id ${hardwareId} belongs to another licence.`);
  }
  return { name: hardwareId, id: data.id, token, outcome: 'existing' };
}

/** Registers the rigs with a licence file of the venue, and names them. @throws {Failure} */
export async function registerRigs(venue: Venue): Promise<readonly Rig[]> {
  const { client, licenseId } = venue;
  const params = { path: { licenseId } };
  const { data: licenseFile } = await client.answered(() =>
    client.POST('/api/v1/licenses/{licenseId}/file', { params }),
  );
  const register = async (hardwareId: string): Promise<KeyHolder> => {
    const request = keyed('rig', { name: hardwareId, body: { hardwareId, licenseFile } });
    const { data, response } = await client.answered(() => client.POST('/api/v1/rigs', request));
    return { name: hardwareId, id: data.rig.id, token: data.apiKey.token, outcome: outcomeOf(response) };
  };
  return venue.phase('Rigs', RIGS, async ({ hardwareId, ...body }) => {
    // A repeated run has a new licence file, hence another body: 422 or 409 means that the rig exists.
    const find = (): Promise<KeyHolder> => findRegistered(venue, hardwareId);
    const rig = await register(hardwareId).catch(onRefusal([409, 422], find));
    const path = { rigId: rig.id };
    await client.answered(() => client.PATCH('/api/v1/rigs/{rigId}', { params: { path }, body }));
    return { ...rig, client: venue.connect(rig.token) };
  });
}

/**
 * Creates the participants: each is bound to a licence of its own. Returns a look-up by e-mail address.
 * @throws {Failure} also where such a licence has another driver by now, for whom laps of this one would count.
 */
export async function signUpPeople(venue: Venue, admin: Connection): Promise<IdLookup> {
  const licenses = await venue.phase('Competitor licences', PEOPLE, async ({ firstName, lastName, email }) => {
    const license = await issueLicense(admin, `demo-${email}`, `${firstName} ${lastName}`);
    return { ...license, name: email };
  });
  const licenseOf = idsOf(licenses);
  const signedUp = await venue.phase('Participants', PEOPLE, async (one) => {
    const { nickname, nationality, level: experience, ...person } = one;
    const extraFields = { nickname, nationality, experience, newsletter: experience !== 'beginner' };
    const body = { ...person, licenseId: licenseOf(person.email), extraFieldsJson: JSON.stringify(extraFields) };
    const { data, response } = await venue.client.answered(() => venue.client.POST('/api/v1/participants', { body }));
    const isSame = response.status !== 200 || response.headers.get('Existing-Resource') === 'same';
    if (!isSame) await requireDriver(admin, { ...person, id: data.id });
    return { name: person.email, id: data.id, outcome: outcomeOf(response) };
  });
  return idsOf(signedUp);
}

/** A person may have been corrected, but not exchanged. @throws {Refused} */
async function requireDriver(
  admin: Connection,
  { id, email, lastName }: { readonly id: string; readonly email: string; readonly lastName: string },
): Promise<void> {
  const params = { path: { participantId: id } };
  const { data } = await admin.answered(() => admin.GET('/api/v1/participants/{participantId}', { params }));
  if (data.email === email || data.lastName === lastName) return;
  throw new Refused(409, `The licence of the demo's driver ${email} has another driver by now: ${data.email}.`);
}

/** Creates the racing events and their sign-up fields. Returns a look-up of the events by slug. */
export async function createEvents(venue: Venue, catalogue: Catalogue, rig: IdLookup): Promise<IdLookup> {
  const { client } = venue;
  const eventId = await createAll(
    venue,
    { label: 'Events', kind: 'event', post: (request) => client.POST('/api/v1/events', request) },
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
    { label: 'Sign-up fields', kind: 'field', post: (request) => client.POST('/api/v1/signup-fields', request) },
    SIGNUP_FIELDS.map(({ event, ...rest }) => ({
      name: `${event}-${rest.fieldKey}`,
      body: { ...rest, eventId: eventId(event) },
    })),
  );
  return eventId;
}
