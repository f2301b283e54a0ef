import type { JsonObject } from '../../../../src/service/kernel/json.ts';
import type { SimulatedRequest } from './node.ts';

/** What requests refer to: ids by kind, and what was learned from answers. */
export type Known = ReadonlyMap<string, JsonObject>;

/** How to send one operation: what it refers to must be known. `n` makes texts that only this request has. */
type Maker = (id: (kind: string) => string, n: number, known: Known) => Omit<SimulatedRequest, 'operation'>;

const image = { logo: 'LOGO/a.png' };

/** Laps that each batch has. */
export const LAPS_OF_A_BATCH = 3;

function lapBody(id: (kind: string) => string, n: number): JsonObject {
  return {
    participantId: id('Participant'),
    rigId: id('Rig'),
    eventId: id('Event'),
    sectors: [n, 2],
    totalTime: n + 2,
    valid: true,
    carId: id('Car'),
    trackId: id('TrackLayout'),
  };
}

/** A new one of each kind, in an order in which each finds what it refers to. */
const CREATES = {
  createLicense: (_, n) => ({ body: { name: `licence ${n}`, displayName: `Licence ${n}` } }),
  createLicenseFile: (id) => ({ params: { licenseId: id('License') } }),
  registerRig: (_, n, known) => ({ body: { hardwareId: `hw-${n}`, licenseFile: known.get('LicenseFile') ?? {} } }),
  createSimulator: (_, n) => ({
    body: { displayName: `Simulator ${n}`, slug: `sim-${n}`, ...image, logoWide: 'LOGO/w.png' },
  }),
  createTrack: (_, n) => ({
    body: {
      displayName: `Track ${n}`,
      alternativeNames: [],
      slug: `t-${n}`,
      ...image,
      country: 'DEU',
      location: 'Nürburg',
    },
  }),
  createTrackLayout: (id, n) => ({
    body: {
      displayName: `Layout ${n}`,
      slug: `l-${n}`,
      type: 'RALLY',
      trackId: id('Track'),
      length: 100,
      firstUsage: 2000,
      lastUsage: -1,
      cornerCount: 0,
      cornerNames: [],
      trackMap: '',
      trackImages: [],
    },
  }),
  createCarBrand: (_, n) => ({ body: { displayName: `Maker ${n}`, slug: `m-${n}`, ...image, country: 'ITA' } }),
  createCarClass: (_, n) => ({ body: { displayName: `Class ${n}`, shortName: 'GT3', ...image } }),
  createCar: (id, n) => ({ body: { brandId: id('CarBrand'), modelName: `Model ${n}`, carClassId: id('CarClass') } }),
  createBrand: (_, n) => ({ body: { name: `Sponsor ${n}`, websiteUrl: 'example.com', ...image } }),
  createEvent: (id, n) => ({
    body: {
      name: `Event ${n}`,
      slug: `e-${n}`,
      description: '',
      simulatorId: id('Simulator'),
      carIds: [id('Car')],
      trackLayoutIds: [id('TrackLayout')],
      rigIds: [id('Rig')],
      brandIds: [id('Brand')],
    },
  }),
  createSignupField: (id, n) => ({ body: { eventId: id('Event'), fieldKey: `key-${n}`, label: 'Size' } }),
  createParticipant: (id, n) => ({
    body: {
      licenseId: id('License'),
      firstName: 'Ada',
      lastName: `Racer ${n}`,
      email: 'ada@example.org',
      phoneNumber: '',
    },
  }),
  createLap: (id, n) => ({ body: lapBody(id, n) }),
  createSimulatorLayout: (id) => ({
    params: { simulatorId: id('Simulator') },
    body: { trackLayoutId: id('TrackLayout'), simulatorIdentifier: 'a' },
  }),
  createSimulatorCar: (id) => ({
    params: { simulatorId: id('Simulator') },
    body: { carId: id('Car'), simulatorIdentifier: 'a' },
  }),
  createApiKey: (_, n) => ({ body: { name: `key ${n}`, role: 'CRUD' } }),
} satisfies Readonly<Record<string, Maker>>;

/** What changes or takes away one of them. */
const CHANGES = {
  updateLicense: (id, n) => ({ params: { licenseId: id('License') }, body: { displayName: `Other ${n}` } }),
  rotateLicenseKey: (id) => ({ params: { licenseId: id('License') } }),
  updateRig: (id, n) => ({
    params: { rigId: id('Rig') },
    body: { name: `Rig ${n}`, description: 'painted', hardwareId: `hw-${n}` },
  }),
  issueRigKey: (id) => ({ params: { rigId: id('Rig') } }),
  updateSimulator: (id, n) => ({
    params: { simulatorId: id('Simulator') },
    body: { displayName: `Simulator ${n}`, slug: `sim-${n}`, ...image, logoWide: '' },
  }),
  updateTrack: (id, n) => ({ params: { trackId: id('Track') }, body: { displayName: `Ring ${n}`, slug: `t-${n}` } }),
  updateTrackLayout: (id, n) => ({ params: { trackLayoutId: id('TrackLayout') }, body: { displayName: `Loop ${n}` } }),
  updateCarBrand: (id, n) => ({ params: { carBrandId: id('CarBrand') }, body: { displayName: `Maker ${n}` } }),
  updateCarClass: (id, n) => ({ params: { carClassId: id('CarClass') }, body: { displayName: `Class ${n}` } }),
  updateCar: (id, n) => ({ params: { carId: id('Car') }, body: { modelName: `Model ${n}`, enabled: false } }),
  updateBrand: (id, n) => ({ params: { brandId: id('Brand') }, body: { name: `Sponsor ${n}` } }),
  updateEvent: (id, n) => ({ params: { eventId: id('Event') }, body: { name: `Event ${n}`, enabled: true } }),
  updateSignupField: (id, n) => ({
    params: { signupFieldId: id('SignupField') },
    body: { fieldKey: `key-${n}`, label: `L${n}` },
  }),
  updateParticipant: (id, n) => ({
    params: { participantId: id('Participant') },
    body: { firstName: `Ada ${n}`, email: `a${n}@example.org` },
  }),
  createLaps: (id, n) => ({
    body: {
      laps: Array.from({ length: LAPS_OF_A_BATCH }, (_, index) => ({
        ...lapBody(id, n),
        sequence: { boot: `boot ${n}`, number: index + 1 },
        key: `createLaps-${n}-${index}`,
      })),
    },
  }),
  announceSequence: (id, n) => ({ params: { rigId: id('Rig') }, body: { boot: `boot ${n}`, upTo: n } }),
  updateLap: (id, n) => ({ params: { lapId: id('Lap') }, body: { totalTime: n, valid: n % 2 === 0 } }),
  updateSimulatorLayout: (id, n) => ({
    params: { simulatorId: id('Simulator'), trackLayoutId: id('TrackLayout') },
    body: { simulatorIdentifier: `i${n}` },
  }),
  updateSimulatorCar: (id, n) => ({
    params: { simulatorId: id('Simulator'), carId: id('Car') },
    body: { simulatorIdentifier: `i${n}`, contentId: 'dlc' },
  }),
  deleteSimulatorLayout: (id) => ({ params: { simulatorId: id('Simulator'), trackLayoutId: id('TrackLayout') } }),
  deleteSimulatorCar: (id) => ({ params: { simulatorId: id('Simulator'), carId: id('Car') } }),
  updateApiKey: (id, n) => ({ params: { apiKeyId: id('ApiKey') }, body: { name: `key ${n}`, role: 'R' } }),
  rotateApiKey: (id) => ({ params: { apiKeyId: id('ApiKey') }, body: {} }),
  deleteApiKey: (id) => ({ params: { apiKeyId: id('ApiKey') } }),
} satisfies Readonly<Record<string, Maker>>;

const MAKERS: ReadonlyMap<string, Maker> = new Map(Object.entries({ ...CREATES, ...CHANGES }));

/** The operations that make one of everything, in order. */
export const FURNISHING: readonly string[] = Object.keys(CREATES);
/** All operations that write. */
export const WRITES: readonly string[] = [...MAKERS.keys()];

/** The request of an operation; `known` has what it refers to. */
export function requestOf(operation: string, n: number, known: Known): SimulatedRequest {
  const make = MAKERS.get(operation);
  if (make === undefined) throw new Error(`nobody knows how to send ${operation}`);
  const id = (kind: string): string => {
    const found = known.get(kind)?.['id'];
    if (typeof found !== 'string') throw new Error(`${operation} needs a ${kind}`);
    return found;
  };
  return { operation, idempotencyKey: `${operation}-${n}`, ...make(id, n, known) };
}

/** Notes what an answer to a create has made. */
export function learned(operation: string, body: JsonObject, known: Known): Known {
  const kind = operation.replace(/^(create|register)/, '');
  const member = { License: 'license', Rig: 'rig', ApiKey: 'apiKey' }[kind];
  const made = member === undefined ? body : body[member];
  // Views are JSON objects.
  return kind === operation ? known : new Map([...known, [kind, { ...(made as JsonObject), token: body['token'] }]]);
}

/** Whether a status is a success of an operation, or of one that has succeeded before and was sent again. */
export function isDone(operation: string, status: number, again: boolean): boolean {
  return (status >= 200 && status < 300) || (again && mappingRefusal(operation) === status);
}

/** A mapping is made once, and deleted once. */
function mappingRefusal(operation: string): number | null {
  if (!/^(create|delete)Simulator(Layout|Car)$/.test(operation)) return null;
  return operation.startsWith('create') ? 409 : 404;
}

/** Whether a status is right where several clients want the same things. */
export function isRight(operation: string, status: number): boolean {
  if (status >= 200 && status < 300) return true;
  if (/Simulator(Layout|Car)$/.test(operation)) return status === 404 || status === 409;
  // A file of a licence whose key was rotated.
  if (operation === 'registerRig' && status === 403) return true;
  return CONTENDED.test(operation) && status === 409;
}

/** Operations that want a unique key, or a key that may have been revoked. */
const CONTENDED = /(Track|Rig|Participant|SignupField|ApiKey)$/;

/** Whether an operation may find what it wants done by another. */
export function mayBeNothing(operation: string): boolean {
  return operation === 'createLicenseFile' || operation === 'deleteApiKey' || operation === 'createParticipant';
}
