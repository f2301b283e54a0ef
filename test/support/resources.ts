import type { JsonObject } from '../../src/kernel/json.ts';
import { idOf, textOf, type Client } from './client.ts';
import * as of from './spec-fields.ts';
import { bodies, createLicense, issueLicenseFile, type Venue } from './venue.ts';

type Fields = Readonly<Record<string, of.Field>>;

/** A resource as SPEC.md describes it; the tables are written from there, not from the code. */
export interface Resource {
  readonly name: string;
  readonly path: string;
  /** Fields of POST and PATCH; what has no `unset` is required on POST. */
  readonly create: Fields;
  readonly change: Fields;
  /** PATCH is a full replacement: what POST requires, it requires too. */
  readonly replaces?: true;
  /** Exactly the fields of an answer. */
  readonly shows: readonly string[];
  /** A body with everything that POST requires, and nothing else; good once. */
  readonly body: () => Promise<JsonObject>;
  /** The resource in the answer to POST. */
  readonly unwrap: (created: JsonObject) => JsonObject;
  readonly pathOf: (shown: JsonObject) => string;
  readonly defaultSort?: string;
}

const TIMES = ['createdAt', 'updatedAt'];

const image = of.texts(0, 255);

function catalogue(name: string, path: string, rest: Partial<Resource> & Pick<Resource, 'create' | 'shows' | 'body'>): Resource {
  return {
    name,
    path: `/api/v1/${path}`,
    change: rest.create,
    unwrap: (created) => created,
    pathOf: (shown) => `/api/v1/${path}/${idOf(shown)}`,
    ...rest,
    shows: ['id', ...rest.shows, ...TIMES],
  };
}

/** The resources whose bodies need nothing but themselves. */
function plainResources(): readonly Resource[] {
  const simulator = {
    displayName: of.texts(3, 120, { blank: true }), slug: of.slugs(2, 20), logo: image,
    logoWide: { ...image, shownAs: 'logo_wide' }, svg: of.flags(false), enabled: of.flags(true),
  };
  return [
    catalogue('Simulator', 'simulators', {
      create: simulator, change: { ...simulator, slug: of.slugs(3, 20) }, replaces: true,
      shows: ['displayName', 'slug', 'logo', 'logo_wide', 'svg', 'layouts', 'enabled'],
      body: async () => bodies.simulator(),
    }),
    catalogue('Track', 'tracks', {
      create: {
        displayName: of.texts(3, 120, { blank: true }), alternativeNames: of.textLists(), slug: of.slugs(2, 20),
        logo: image, svg: of.flags(false), country: of.countries(), location: of.texts(0, 120), enabled: of.flags(true),
      },
      shows: ['displayName', 'alternativeNames', 'slug', 'logo', 'svg', 'country', 'location', 'enabled'],
      body: async () => bodies.track(), defaultSort: 'displayName',
    }),
    catalogue('CarBrand', 'car-brands', {
      create: {
        displayName: of.texts(3, 120, { blank: true }), slug: of.slugs(2, 20), logo: image, svg: of.flags(false),
        country: of.countries(), enabled: of.flags(true),
      },
      shows: ['displayName', 'slug', 'logo', 'svg', 'country', 'enabled'],
      body: async () => bodies.carBrand(), defaultSort: 'displayName',
    }),
    catalogue('CarClass', 'car-classes', {
      create: {
        displayName: of.texts(2, 120, { blank: true }), shortName: of.texts(2, 20, { blank: true }), logo: image,
        svg: of.flags(false), enabled: of.flags(true),
      },
      shows: ['displayName', 'shortName', 'logo', 'svg', 'enabled'],
      body: async () => bodies.carClass(), defaultSort: 'displayName',
    }),
    catalogue('Brand', 'brands', {
      create: {
        name: of.texts(2, 120, { blank: true }), websiteUrl: of.texts(0, 255), logo: of.texts(0, 255),
        logoScalePercentage: { ...of.anyNumber(100), shownAs: 'logoScalePercent' }, logoUrl: of.flags(false),
      },
      shows: ['name', 'websiteUrl', 'logo', 'logoScalePercent', 'logoUrl'],
      body: async () => bodies.brand(), defaultSort: 'name',
    }),
  ];
}

/** The resources that refer to others of the catalogue. */
function referringResources(venue: Venue): readonly Resource[] {
  return [
    catalogue('TrackLayout', 'track-layouts', {
      create: {
        displayName: of.texts(3, 120, { blank: true }), slug: of.slugs(2, 40),
        type: of.choices([
          'PERMANENT_ROAD', 'PERMANENT_DIRT', 'PERMANENT_OVAL', 'TEMPORARY_ROAD', 'TEMPORARY_DIRT', 'TEMPORARY_OVAL',
          'STREET_CIRCUIT_ROAD', 'STREET_CIRCUIT_DIRT', 'RALLY',
        ]),
        trackId: of.references(venue.trackId), length: of.numbers(1), firstUsage: of.wholeNumbers(0),
        lastUsage: of.wholeNumbers(-1), cornerCount: of.wholeNumbers(0), cornerNames: of.textLists(), trackMap: image,
        trackImages: of.textLists(), enabled: of.flags(true),
      },
      shows: [
        'displayName', 'slug', 'type', 'trackId', 'trackDisplayName', 'length', 'firstUsage', 'lastUsage',
        'cornerCount', 'cornerNames', 'trackMap', 'trackImages', 'enabled',
      ],
      body: async () => bodies.trackLayout(venue.trackId), defaultSort: 'displayName',
    }),
    catalogue('Car', 'cars', {
      create: {
        brandId: of.references(venue.carBrandId), modelName: of.texts(1, 120),
        carClassId: of.references(venue.carClassId), enabled: of.flags(true),
      },
      shows: ['brandId', 'brandDisplayName', 'modelName', 'carClassId', 'carClassDisplayName', 'enabled'],
      body: async () => bodies.car(venue.carBrandId, venue.carClassId), defaultSort: 'modelName',
    }),
    catalogue('Event', 'events', {
      create: {
        name: of.texts(2, 120, { blank: true }), slug: of.slugs(2, 25), description: of.texts(0, 255),
        mode: of.nullable(of.choices(['HOTLAP', 'PRACTICE', 'AI_RACE', 'MULTIPLAYER_RACE'])), startsAt: of.instants(),
        endsAt: of.instants(), simulatorId: of.references(venue.simulatorId), carIds: of.referenceLists([venue.carId], 1),
        trackLayoutIds: of.referenceLists([venue.trackLayoutId], 1), rigIds: of.referenceLists([venue.rigId], 1),
        brandIds: of.referenceLists([venue.brandId], 0), i18nJson: of.nullable(of.objects(null)),
        settingsJson: of.nullable(of.objects(null)), enabled: of.flags(false),
      },
      shows: [
        'name', 'slug', 'description', 'mode', 'startsAt', 'endsAt', 'simulatorId', 'simulatorDisplayName', 'carIds',
        'trackLayoutIds', 'rigIds', 'brandIds', 'i18nJson', 'settingsJson', 'enabled',
      ],
      body: async () => without(bodies.event(venue), 'enabled'), defaultSort: 'startsAt',
    }),
    catalogue('Lap', 'laps', {
      create: {
        participantId: of.references(venue.participantId), rigId: of.references(venue.rigId),
        eventId: of.references(venue.eventId), sectors: of.millisecondLists(), totalTime: of.wholeNumbers(0),
        valid: of.flags(), carId: { ...of.references(venue.carId), shownAs: 'car' },
        trackId: of.references(venue.trackLayoutId),
      },
      shows: [
        'participantId', 'participantName', 'rigId', 'rigName', 'eventId', 'eventName', 'sectors', 'totalTime', 'valid',
        'car', 'trackId', 'trackDisplayName',
      ],
      body: async () => bodies.lap(venue), defaultSort: 'totalTime',
    }),
  ];
}

/** The resources with a key that is unique, or with a form of their own. */
function uniqueResources(venue: Venue, admin: Client): readonly Resource[] {
  const person = {
    firstName: of.texts(0, 120), lastName: of.texts(0, 120), email: of.emails(), phoneNumber: of.texts(0, 120),
  };
  const rig = {
    name: of.texts(2, 120, { blank: true }), description: of.nullable(of.texts(0, 255)), hardwareId: of.texts(1, 255),
    licenseId: of.references(venue.licenseId), enabled: of.flags(true),
  };
  return [
    catalogue('SignupField', 'signup-fields', {
      create: {
        fieldKey: of.texts(0, 120), label: of.freeText(), description: of.nullable(of.freeText()),
        type: of.choices(['TEXT', 'TEXT_AREA', 'EMAIL', 'NUMBER', 'SELECT', 'CHECKBOX', 'CONSENT', 'DATE'], 'TEXT'),
        required: of.flags(false), sortOrder: of.nullable(of.anyNumber()), optionsJson: of.anyJson(),
        defaultJson: of.anyJson(), i18nJson: of.nullable(of.objects(null)),
      },
      shows: [
        'eventId', 'eventName', 'fieldKey', 'label', 'description', 'type', 'required', 'sortOrder', 'optionsJson',
        'defaultJson', 'i18nJson',
      ],
      body: async () => bodies.signupField(idOf(await venue.manager.create('/api/v1/events', bodies.event(venue)))),
      defaultSort: 'sortOrder',
    }),
    catalogue('Participant', 'participants', {
      create: { ...person, extraFieldsJson: of.objectTexts() },
      change: { ...person, extraFieldsJson: of.objects({}) },
      shows: [
        'licenseId', 'licenseDisplayName', 'firstName', 'lastName', 'email', 'phoneNumber', 'extraFieldsJson',
      ],
      body: async () => bodies.participant((await createLicense(admin)).licenseId), defaultSort: 'lastName',
    }),
    catalogue('Rig', 'rigs', {
      create: { hardwareId: rig.hardwareId }, change: rig,
      shows: ['name', 'description', 'hardwareId', 'licenseId', 'licenseDisplayName', 'enabled'],
      body: async () => ({
        hardwareId: `hw-${of.unique()}`, licenseFile: await issueLicenseFile(venue.manager, venue.licenseId),
      }),
      unwrap: ({ rig: created }) => Object(created), defaultSort: 'name',
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
  const key = { name, role: of.choices(['R', 'CR', 'CRUD']) };
  return [
    catalogue('License', 'licenses', {
      create: { name, displayName: of.texts(3, 120) },
      change: { displayName: of.texts(3, 120), enabled: of.flags(true), expiresAt: of.nullable(of.instants()) },
      shows: ['name', 'displayName', 'licenseKey', 'enabled', 'expiresAt', 'lastLoginAt'],
      body: async () => bodies.license(), unwrap: ({ license }) => Object(license),
    }),
    catalogue('ApiKey', 'api-keys', {
      create: key, shows: ['licenseId', 'name', 'keyPrefix', 'role', 'enabled', 'lastUsedAt'],
      body: async () => ({ name: `key ${of.unique()}`, role: 'R' }), unwrap: ({ apiKey }) => Object(apiKey),
    }),
    {
      name: 'SimulatorLayout', path: layouts, create: identifier, change: identifier, replaces: true,
      shows: ['simulatorId', 'simulatorDisplayName', 'trackLayoutId', 'trackLayoutDisplayName', 'simulatorIdentifier'],
      body: async () => ({
        trackLayoutId: idOf(await manager.create('/api/v1/track-layouts', bodies.trackLayout(venue.trackId))),
        simulatorIdentifier: 'ks_nordschleife',
      }),
      unwrap: (created) => created, pathOf: (shown) => `${layouts}/${textOf(shown, 'trackLayoutId')}`,
    },
    {
      name: 'SimulatorCar', path: cars, create: carMapping, change: carMapping, replaces: true,
      shows: [
        'simulatorId', 'simulatorDisplayName', 'carId', 'carDisplayName', 'carBrandId', 'carBrandDisplayName',
        'carClassId', 'carClassDisplayName', 'simulatorIdentifier', 'contentId',
      ],
      body: async () => ({
        carId: idOf(await manager.create('/api/v1/cars', bodies.car(venue.carBrandId, venue.carClassId))),
        simulatorIdentifier: 'ks_gt3',
      }),
      unwrap: (created) => created, pathOf: (shown) => `${cars}/${textOf(shown, 'carId')}`,
    },
  ];
}

/** Names of all resources, for tests that are made before a service runs. */
export const RESOURCES = [
  'Simulator', 'Track', 'CarBrand', 'CarClass', 'Brand', 'TrackLayout', 'Car', 'Event', 'Lap', 'SignupField',
  'Participant', 'Rig', 'License', 'ApiKey', 'SimulatorLayout', 'SimulatorCar',
] as const;

/** Every resource, with values for its fields that fit the venue. */
export function resourcesOf(venue: Venue, admin: Client): ReadonlyMap<string, Resource> {
  const all = [
    ...plainResources(), ...referringResources(venue), ...uniqueResources(venue, admin), ...otherResources(venue),
  ];
  return new Map(all.map((resource) => [resource.name, resource]));
}

/** The object without a field. */
export function without(whole: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field));
}
