import { expect } from 'chai';
import type { JsonObject } from '../../../src/service/kernel/json.ts';
import { idOf, textOf, type Client } from './client.ts';
import { unique } from './spec-fields.ts';

/** One of everything, each belonging to the others. */
export interface Venue {
  readonly licenseId: string;
  readonly licenseKey: string;
  /** The licence's bootstrap key, of role CRUD. */
  readonly manager: Client;
  readonly managerKeyId: string;
  readonly rigId: string;
  readonly rig: Client;
  readonly rigKeyId: string;
  readonly hardwareId: string;
  readonly simulatorId: string;
  readonly trackId: string;
  readonly trackLayoutId: string;
  readonly carBrandId: string;
  readonly carClassId: string;
  readonly carId: string;
  readonly brandId: string;
  readonly eventId: string;
  readonly signupFieldId: string;
  readonly participantId: string;
  readonly lapId: string;
}

/** Bodies that create, good as they are. */
export const bodies = {
  license: () => ({ name: `licence ${unique()}`, displayName: `Licence ${unique()}` }),
  simulator: () => ({
    displayName: `Simulator ${unique()}`,
    slug: `sim-${unique()}`,
    logo: 'LOGO/sim.png',
    logoWide: 'LOGO/wide.png',
  }),
  track: () => ({
    displayName: `Track ${unique()}`,
    alternativeNames: ['The Ring'],
    slug: `t-${unique()}`,
    logo: 'TRACK/t.svg',
    country: 'DEU',
    location: 'Nürburg',
  }),
  trackLayout: (trackId: string) => ({
    displayName: `Layout ${unique()}`,
    slug: `l-${unique()}`,
    type: 'PERMANENT_ROAD',
    trackId,
    length: 20_832,
    firstUsage: 1927,
    lastUsage: -1,
    cornerCount: 73,
    cornerNames: ['Hatzenbach', '-'],
    trackMap: 'TRACK/map.svg',
    trackImages: ['TRACK/1.jpg'],
  }),
  carBrand: () => ({ displayName: `Maker ${unique()}`, slug: `m-${unique()}`, logo: 'BRAND/m.svg', country: 'ITA' }),
  carClass: () => ({ displayName: `Class ${unique()}`, shortName: 'GT3', logo: 'CLASS/gt3.svg' }),
  car: (brandId: string, carClassId: string) => ({ brandId, modelName: `Model ${unique()}`, carClassId }),
  brand: () => ({ name: `Sponsor ${unique()}`, websiteUrl: 'https://example.com', logo: 'BRAND/s.png' }),
  event: (ids: Pick<Venue, 'simulatorId' | 'carId' | 'trackLayoutId' | 'rigId' | 'brandId'>) => ({
    name: `Event ${unique()}`,
    slug: `e-${unique()}`,
    description: 'An evening',
    simulatorId: ids.simulatorId,
    carIds: [ids.carId],
    trackLayoutIds: [ids.trackLayoutId],
    rigIds: [ids.rigId],
    brandIds: [ids.brandId],
    enabled: true,
  }),
  signupField: (eventId: string) => ({ eventId, fieldKey: `key-${unique()}`, label: 'T-shirt size' }),
  participant: (licenseId: string) => ({
    licenseId,
    firstName: 'Ada',
    lastName: `Racer ${unique()}`,
    email: 'ada@example.org',
    phoneNumber: '+49 30 1',
  }),
  lap: (ids: Pick<Venue, 'participantId' | 'rigId' | 'eventId' | 'carId' | 'trackLayoutId'>) => ({
    participantId: ids.participantId,
    rigId: ids.rigId,
    eventId: ids.eventId,
    sectors: [31_001, 28_455, 40_120],
    totalTime: 99_576,
    valid: true,
    carId: ids.carId,
    trackId: ids.trackLayoutId,
  }),
};

/** A new licence, and a client with its bootstrap key. */
export async function createLicense(admin: Client) {
  const created = await admin.create('/api/v1/licenses', bodies.license());
  return {
    licenseId: textOf(created, 'license', 'id'),
    licenseKey: textOf(created, 'license', 'licenseKey'),
    manager: admin.as(textOf(created, 'apiKey', 'token')),
    managerKeyId: textOf(created, 'apiKey', 'apiKey', 'id'),
  };
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
 * the key of the licence, or that of `maker`.
 */
export async function createVenue(admin: Client, maker?: Client): Promise<Venue> {
  const license = await createLicense(admin);
  const { licenseId } = license;
  const manager = maker ?? license.manager;
  const rig = await registerRig(manager, licenseId);
  const make = async (path: string, body: JsonObject): Promise<string> =>
    idOf(await manager.create(`/api/v1/${path}`, body));
  const simulatorId = await make('simulators', bodies.simulator());
  const trackId = await make('tracks', bodies.track());
  const trackLayoutId = await make('track-layouts', bodies.trackLayout(trackId));
  const carBrandId = await make('car-brands', bodies.carBrand());
  const carClassId = await make('car-classes', bodies.carClass());
  const carId = await make('cars', bodies.car(carBrandId, carClassId));
  const brandId = await make('brands', bodies.brand());
  const catalogue = {
    ...license,
    manager,
    ...rig,
    simulatorId,
    trackId,
    trackLayoutId,
    carBrandId,
    carClassId,
    carId,
    brandId,
  };
  const eventId = await make('events', bodies.event(catalogue));
  const signupFieldId = await make('signup-fields', bodies.signupField(eventId));
  const participantId = await make('participants', bodies.participant(licenseId));
  const lapId = await make('laps', bodies.lap({ ...catalogue, eventId, participantId }));
  return { ...catalogue, eventId, signupFieldId, participantId, lapId };
}

/** Whether the key of a client is taken where any key is. */
export async function works(client: Client): Promise<boolean> {
  const { status } = await client.get('/api/v1/licenses/current');
  expect(status).to.be.oneOf([200, 401]);
  return status === 200;
}
