import { expect } from 'chai';
import type { JsonObject } from '../../../src/kernel/json.ts';
import { expectProblem, idOf, textOf, type Answer, type Client } from './client.ts';
import { entryOf, IN_ORDER, sampleBody } from '../resources/entries.ts';
import { unique, type IdsOf } from '../resources/fields.ts';

/** The id of nothing. */
export const NOBODY = '00000000-0000-7000-8000-0000000000ff';

/** The ids of what a venue has; what is added to test/resources has one, too. */
const IDS = [
  ...(['licenseId', 'rigId', 'simulatorId', 'trackId', 'trackLayoutId', 'carBrandId', 'carClassId', 'carId'] as const),
  ...(['brandId', 'eventId', 'signupFieldId', 'participantId', 'lapId'] as const),
];
type Ids = Readonly<Record<(typeof IDS)[number], string>>;

function isComplete(ids: object): ids is Ids {
  return IDS.every((name) => name in ids);
}

/** The name that fields give to the id of a resource. */
const idNamed = (name: string): string => `${entryOf(name).category}Id`;

/** The ids of a venue, or some of them, by the names of resources. */
export function idsIn(ids: object): IdsOf {
  return (name) => {
    const id: unknown = Reflect.get(ids, idNamed(name));
    if (typeof id !== 'string') throw new Error(`there is no ${name} to name`);
    return id;
  };
}

/** A body that creates a resource, good as it is, by its entry. */
export function bodyOf(name: string, ids: object = {}): JsonObject {
  return sampleBody(entryOf(name).create, { n: unique(), ids: idsIn(ids) });
}

/** Bodies that create, good as they are. */
export const bodies = {
  license: () => bodyOf('License'),
  simulator: () => bodyOf('Simulator'),
  track: () => bodyOf('Track'),
  trackLayout: (trackId: string) => bodyOf('TrackLayout', { trackId }),
  carBrand: () => bodyOf('CarBrand'),
  carClass: () => bodyOf('CarClass'),
  car: (carBrandId: string, carClassId: string) => bodyOf('Car', { carBrandId, carClassId }),
  brand: () => bodyOf('Brand'),
  event: (ids: Pick<Ids, 'simulatorId' | 'carId' | 'trackLayoutId' | 'rigId' | 'brandId'>) => ({
    ...bodyOf('Event', ids),
    enabled: true,
  }),
  signupField: (eventId: string) => bodyOf('SignupField', { eventId }),
  participant: (licenseId: string) => bodyOf('Participant', { licenseId }),
  lap: (ids: Pick<Ids, 'participantId' | 'rigId' | 'eventId' | 'carId' | 'trackLayoutId'>) => bodyOf('Lap', ids),
};

/** A new licence, and a client with its bootstrap key, of role CRUD. */
export async function createLicense(admin: Client) {
  const created = await admin.create('/api/v1/licenses', bodies.license());
  return {
    licenseId: textOf(created, 'license', 'id'),
    licenseKey: textOf(created, 'license', 'licenseKey'),
    manager: admin.as(textOf(created, 'apiKey', 'token')),
    managerKeyId: textOf(created, 'apiKey', 'apiKey', 'id'),
  };
}

/** Registers a participant under a licence of their own. */
export async function enter(admin: Client, firstName: string, lastName: string): Promise<string> {
  const { licenseId } = await createLicense(admin);
  return idOf(await admin.create('/api/v1/participants', { ...bodies.participant(licenseId), firstName, lastName }));
}

/** A signed licence file. */
export async function issueLicenseFile(client: Client, licenseId: string): Promise<JsonObject> {
  const answer = await client.send('POST', `/api/v1/licenses/${licenseId}/file`);
  if (answer.status !== 200) throw new Error(`no licence file: ${answer.text}`);
  return answer.body;
}

/** A new rig of the client's licence, and a client with the rig's key. */
export async function registerRig(manager: Client, licenseId: string, hardwareId = `hw-${unique()}`) {
  const licenseFile = await issueLicenseFile(manager, licenseId);
  const created = await manager.create('/api/v1/rigs', { hardwareId, licenseFile });
  return {
    hardwareId,
    rigId: textOf(created, 'rig', 'id'),
    rig: manager.as(textOf(created, 'apiKey', 'token')),
    rigKeyId: textOf(created, 'apiKey', 'apiKey', 'id'),
  };
}

/** A client with a new key of this role under the client's licence. */
export async function issueKey(client: Client, role: string) {
  const created = await client.create('/api/v1/api-keys', { name: `${role} key`, role });
  return {
    id: textOf(created, 'apiKey', 'id'),
    token: textOf(created, 'token'),
    client: client.as(textOf(created, 'token')),
  };
}

/**
 * Creates one of everything, as a venue would: licence, key, rig, simulator, track, car, event, participant, lap; with
 * the key of the licence, or that of `creator`.
 */
export async function createVenue(admin: Client, creator?: Client) {
  const license = await createLicense(admin);
  const { licenseId } = license;
  const manager = creator ?? license.manager;
  const rig = await registerRig(manager, licenseId);
  const ids = new Map<string, string>([
    ['licenseId', licenseId],
    ['rigId', rig.rigId],
  ]);
  for (const { name, path, maps } of IN_ORDER) {
    // Keys come with a licence and a rig, mappings are not there from the start.
    if (maps !== undefined || ids.has(idNamed(name)) || name === 'ApiKey') continue;
    const body = bodyOf(name, Object.fromEntries(ids));
    const sent = name === 'Event' ? { ...body, enabled: true } : body;
    ids.set(idNamed(name), idOf(await manager.create(path, sent)));
  }
  const made = Object.fromEntries(ids);
  if (!isComplete(made)) throw new Error(`a venue lacks one of ${IDS.join()}`);
  return { ...license, manager, ...rig, ...made };
}

/** One of everything, each belonging to the others. */
export type Venue = Awaited<ReturnType<typeof createVenue>>;

/** Whether the key of a client is taken where any key is. */
export async function works(client: Client): Promise<boolean> {
  const { status } = await client.get('/api/v1/licenses/current');
  expect(status).to.be.oneOf([200, 401]);
  return status === 200;
}

/** Sends with an end that comes soon; with a later one while the service finds that it has come already. */
export async function expiringSoon(send: (expiresAt: string) => Promise<Answer>): Promise<JsonObject> {
  for (let ms = 500; ; ms *= 2) {
    const answer = await send(new Date(Date.now() + ms).toISOString());
    if (answer.status < 400) return answer.body;
    expectProblem(answer, 400);
  }
}
