import type { Json, JsonObject } from '../../../src/service/kernel/json.ts';
import { catalogue, plainResources, referringResources, type Fields, type Resource } from './catalogue-resources.ts';
import { idOf, textOf, type Client } from './client.ts';
import * as of from './spec-fields.ts';
import { bodies, createLicense, issueLicenseFile, type Venue } from './venue.ts';

/** What happens at a venue. */
function racingResources(venue: Venue): readonly Resource[] {
  const modes = of.choices(['HOTLAP', 'PRACTICE', 'AI_RACE', 'MULTIPLAYER_RACE']);
  const lap = {
    participantId: of.references(venue.participantId),
    rigId: of.references(venue.rigId),
    eventId: of.references(venue.eventId),
    sectors: of.millisecondLists(),
    totalTime: of.wholeNumbers(0),
    valid: of.flags(),
    carId: { ...of.references(venue.carId), shownAs: 'car' },
    trackId: of.references(venue.trackLayoutId),
    drivenAt: of.pastInstants('createdAt'),
  };
  return [
    catalogue('Event', 'events', {
      create: {
        name: of.texts(2, 120, { blank: true }),
        slug: of.slugs(2, 25),
        description: of.texts(0, 255),
        mode: of.nullable(modes),
        startsAt: of.instants(),
        endsAt: of.instants(),
        simulatorId: of.references(venue.simulatorId),
        carIds: of.referenceLists([venue.carId], 1),
        trackLayoutIds: of.referenceLists([venue.trackLayoutId], 1),
        rigIds: of.referenceLists([venue.rigId], 1),
        brandIds: of.referenceLists([venue.brandId], 0),
        i18nJson: of.nullable(of.objects(null)),
        settingsJson: of.nullable(of.objects(null)),
        enabled: of.flags(false),
      },
      shows: [
        'name',
        'slug',
        'description',
        'mode',
        'startsAt',
        'endsAt',
        'simulatorId',
        'simulatorDisplayName',
        'carIds',
        'trackLayoutIds',
        'rigIds',
        'brandIds',
        'i18nJson',
        'settingsJson',
        'enabled',
      ],
      body: async () => without(bodies.event(venue), 'enabled'),
    }),
    catalogue('Lap', 'laps', {
      create: { ...lap, sequence: of.sequences() },
      change: lap,
      shows: [
        'participantId',
        'participantName',
        'rigId',
        'rigName',
        'eventId',
        'eventName',
        'sectors',
        'totalTime',
        'valid',
        'car',
        'trackId',
        'trackDisplayName',
        'drivenAt',
        'sequence',
      ],
      body: async () => bodies.lap(venue),
    }),
  ];
}

/** The resources with a key that is unique, or with a form of their own. */
function uniqueResources(venue: Venue, admin: Client): readonly Resource[] {
  const person = {
    firstName: of.texts(0, 120),
    lastName: of.texts(0, 120),
    email: of.emails(),
    phoneNumber: of.texts(0, 120),
  };
  const rig = {
    name: of.texts(2, 120, { blank: true }),
    description: of.nullable(of.texts(0, 255)),
    hardwareId: of.texts(1, 255),
    licenseId: of.references(venue.licenseId),
    enabled: of.flags(true),
  };
  return [
    catalogue('SignupField', 'signup-fields', {
      create: {
        eventId: of.givenReferences(),
        fieldKey: of.texts(0, 120),
        label: of.freeText(),
        description: of.nullable(of.freeText()),
        type: of.choices(['TEXT', 'TEXT_AREA', 'EMAIL', 'NUMBER', 'SELECT', 'CHECKBOX', 'CONSENT', 'DATE'], 'TEXT'),
        required: of.flags(false),
        sortOrder: of.nullable(of.anyNumber()),
        optionsJson: of.anyJson(),
        defaultJson: of.anyJson(),
        i18nJson: of.nullable(of.objects(null)),
      },
      shows: [
        'eventId',
        'eventName',
        'fieldKey',
        'label',
        'description',
        'type',
        'required',
        'sortOrder',
        'optionsJson',
        'defaultJson',
        'i18nJson',
      ],
      body: async () => bodies.signupField(idOf(await venue.manager.create('/api/v1/events', bodies.event(venue)))),
    }),
    catalogue('Participant', 'participants', {
      create: { ...person, licenseId: of.givenReferences(), extraFieldsJson: of.objectTexts() },
      change: { ...person, licenseId: of.givenReferences(), extraFieldsJson: of.objects({}) },
      shows: ['licenseId', 'licenseDisplayName', 'firstName', 'lastName', 'email', 'phoneNumber', 'extraFieldsJson'],
      body: async () => bodies.participant((await createLicense(admin)).licenseId),
    }),
    catalogue('Rig', 'rigs', {
      create: { hardwareId: rig.hardwareId },
      change: rig,
      shows: ['name', 'description', 'hardwareId', 'licenseId', 'licenseDisplayName', 'enabled', 'lastSeenAt'],
      body: async () => ({
        hardwareId: `hw-${of.unique()}`,
        licenseFile: await issueLicenseFile(venue.manager, venue.licenseId),
      }),
      unwrap: memberOf('rig'),
    }),
  ];
}

/** Licences, keys, and the mappings of a simulator, which have neither an id nor times. */
function otherResources(venue: Venue): readonly Resource[] {
  const { manager } = venue;
  const layouts = `/api/v1/simulators/${venue.simulatorId}/layouts`;
  const cars = `/api/v1/simulators/${venue.simulatorId}/cars`;
  const identifier = { simulatorIdentifier: of.texts(0, 255) };
  const carMapping = { ...identifier, contentId: of.nullable(of.texts(0, 255)) };
  const name = of.texts(3, 120, { blank: true });
  const key = { name, role: of.choices(['R', 'CR', 'CRUD']), expiresAt: of.nullable(of.futureInstants()) };
  return [
    catalogue('License', 'licenses', {
      create: { name, displayName: of.texts(3, 120) },
      change: { displayName: of.texts(3, 120), enabled: of.flags(true), expiresAt: of.nullable(of.instants()) },
      shows: ['name', 'displayName', 'licenseKey', 'enabled', 'expiresAt', 'lastLoginAt'],
      body: async () => bodies.license(),
      unwrap: memberOf('license'),
    }),
    catalogue('ApiKey', 'api-keys', {
      create: key,
      revocable: true,
      shows: ['licenseId', 'name', 'keyPrefix', 'role', 'enabled', 'expiresAt', 'lastUsedAt'],
      body: async () => ({ name: `key ${of.unique()}`, role: 'R' }),
      unwrap: memberOf('apiKey'),
    }),
    {
      name: 'SimulatorLayout',
      path: layouts,
      create: { ...identifier, trackLayoutId: of.givenReferences() },
      change: identifier,
      replaces: true,
      revocable: true,
      shows: ['simulatorId', 'simulatorDisplayName', 'trackLayoutId', 'trackLayoutDisplayName', 'simulatorIdentifier'],
      body: async () => ({
        trackLayoutId: idOf(await manager.create('/api/v1/track-layouts', bodies.trackLayout(venue.trackId))),
        simulatorIdentifier: 'ks_nordschleife',
      }),
      unwrap: (created) => created,
      pathOf: (shown) => `${layouts}/${textOf(shown, 'trackLayoutId')}`,
    },
    {
      name: 'SimulatorCar',
      path: cars,
      create: { ...carMapping, carId: of.givenReferences() },
      change: carMapping,
      replaces: true,
      revocable: true,
      shows: [
        'simulatorId',
        'simulatorDisplayName',
        'carId',
        'carDisplayName',
        'carBrandId',
        'carBrandDisplayName',
        'carClassId',
        'carClassDisplayName',
        'simulatorIdentifier',
        'contentId',
      ],
      body: async () => ({
        carId: idOf(await manager.create('/api/v1/cars', bodies.car(venue.carBrandId, venue.carClassId))),
        simulatorIdentifier: 'ks_gt3',
      }),
      unwrap: (created) => created,
      pathOf: (shown) => `${cars}/${textOf(shown, 'carId')}`,
    },
  ];
}

/** Every resource, for tests that are made before a service runs: the default sort of its pages; null: no pages. */
const DEFAULT_SORTS = {
  Simulator: null,
  Track: 'displayName',
  CarBrand: 'displayName',
  CarClass: 'displayName',
  Brand: 'name',
  TrackLayout: 'displayName',
  Car: 'modelName',
  Event: 'startsAt',
  Lap: 'totalTime',
  SignupField: 'sortOrder',
  Participant: 'lastName',
  Rig: 'name',
  License: null,
  ApiKey: null,
  SimulatorLayout: null,
  SimulatorCar: null,
} as const;

/** Names of all resources. */
export const RESOURCES = Object.keys(DEFAULT_SORTS);

/**
 * Those that have pages, and their default sorts (docs/interface.md#lists-and-pages; car brands and classes:
 * docs/interface.md).
 */
export const PAGED = Object.entries(DEFAULT_SORTS).flatMap(([name, sort]) => (sort === null ? [] : [{ name, sort }]));

/** Every resource, with values for its fields that fit the venue. */
export function resourcesOf(venue: Venue, admin: Client): ReadonlyMap<string, Resource> {
  const all = [
    ...plainResources(),
    ...referringResources(venue),
    ...racingResources(venue),
    ...uniqueResources(venue, admin),
    ...otherResources(venue),
  ];
  return new Map(all.map((resource) => [resource.name, resource]));
}

/** Takes an object out of the one that holds it. */
function memberOf(field: string): (whole: JsonObject) => JsonObject {
  // The answer was held against the document, in which these members are objects.
  return (whole) => whole[field] as JsonObject;
}

/** The object without a field. */
export function without(whole: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field));
}

/** A body with the nth good value of every field that has some. */
export function goodBody(fields: Fields, row: number): JsonObject {
  const values = Object.entries(fields).map(([name, { good }]): [string, Json | undefined] => {
    const all = good();
    return [name, all[row % all.length]];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Bodies that together hold every good value of every field. */
export function goodBodies(fields: Fields): readonly JsonObject[] {
  const rows = Math.max(...Object.values(fields).map(({ good }) => good().length));
  return Array.from({ length: rows }, (_, row) => goodBody(fields, row));
}
