import type { JsonObject } from '../../../src/service/kernel/json.ts';
import { idOf } from './client.ts';
import * as of from './spec-fields.ts';
import { bodies, type Venue } from './venue.ts';

/** Fields of a body by name. */
export type Fields = Readonly<Record<string, of.Field>>;

/** A resource as docs/interface.md describes it; the tables are written from there, not from the code. */
export interface Resource {
  readonly name: string;
  readonly path: string;
  /** Fields of POST and PATCH; what has no `unset` is required on POST. */
  readonly create: Fields;
  readonly change: Fields;
  /** PATCH is a full replacement: what POST requires, it requires too. */
  readonly replaces?: true;
  /** It can be deleted, and then created of the same body again. */
  readonly revocable?: true;
  /** Exactly the fields of an answer. */
  readonly shows: readonly string[];
  /** A body with everything that POST requires, and nothing else; good once. */
  readonly body: () => Promise<JsonObject>;
  /** The resource in the answer to POST. */
  readonly unwrap: (created: JsonObject) => JsonObject;
  readonly pathOf: (shown: JsonObject) => string;
}

const TIMES = ['createdAt', 'updatedAt'];

const image = of.texts(0, 255);

/** A resource with an id and times. */
export function catalogue(
  name: string,
  path: string,
  rest: Partial<Resource> & Pick<Resource, 'create' | 'shows' | 'body'>,
): Resource {
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
export function plainResources(): readonly Resource[] {
  const simulator = {
    displayName: of.texts(3, 120, { blank: true }),
    slug: of.slugs(2, 20),
    logo: image,
    logoWide: { ...image, shownAs: 'logo_wide' },
    svg: of.flags(false),
    enabled: of.flags(true),
  };
  return [
    catalogue('Simulator', 'simulators', {
      create: simulator,
      change: { ...simulator, slug: of.slugs(3, 20) },
      replaces: true,
      shows: ['displayName', 'slug', 'logo', 'logo_wide', 'svg', 'layouts', 'enabled'],
      body: async () => bodies.simulator(),
    }),
    catalogue('Track', 'tracks', {
      create: {
        displayName: of.texts(3, 120, { blank: true }),
        alternativeNames: of.textLists(),
        slug: of.slugs(2, 20),
        logo: image,
        svg: of.flags(false),
        country: of.countries(),
        location: of.texts(0, 120),
        enabled: of.flags(true),
      },
      shows: ['displayName', 'alternativeNames', 'slug', 'logo', 'svg', 'country', 'location', 'enabled'],
      body: async () => bodies.track(),
    }),
    catalogue('CarBrand', 'car-brands', {
      create: {
        displayName: of.texts(3, 120, { blank: true }),
        slug: of.slugs(2, 20),
        logo: image,
        svg: of.flags(false),
        country: of.countries(),
        enabled: of.flags(true),
      },
      shows: ['displayName', 'slug', 'logo', 'svg', 'country', 'enabled'],
      body: async () => bodies.carBrand(),
    }),
    catalogue('CarClass', 'car-classes', {
      create: {
        displayName: of.texts(2, 120, { blank: true }),
        shortName: of.texts(2, 20, { blank: true }),
        logo: image,
        svg: of.flags(false),
        enabled: of.flags(true),
      },
      shows: ['displayName', 'shortName', 'logo', 'svg', 'enabled'],
      body: async () => bodies.carClass(),
    }),
    catalogue('Brand', 'brands', {
      create: {
        name: of.texts(2, 120, { blank: true }),
        websiteUrl: of.texts(0, 255),
        logo: of.texts(0, 255),
        logoScalePercentage: { ...of.anyNumber(100), shownAs: 'logoScalePercent' },
        logoUrl: of.flags(false),
      },
      shows: ['name', 'websiteUrl', 'logo', 'logoScalePercent', 'logoUrl'],
      body: async () => bodies.brand(),
    }),
  ];
}

/** The resources that refer to others of the catalogue. */
export function referringResources(venue: Venue): readonly Resource[] {
  return [
    catalogue('TrackLayout', 'track-layouts', {
      create: {
        displayName: of.texts(3, 120, { blank: true }),
        slug: of.slugs(2, 40),
        type: of.choices([
          'PERMANENT_ROAD',
          'PERMANENT_DIRT',
          'PERMANENT_OVAL',
          'TEMPORARY_ROAD',
          'TEMPORARY_DIRT',
          'TEMPORARY_OVAL',
          'STREET_CIRCUIT_ROAD',
          'STREET_CIRCUIT_DIRT',
          'RALLY',
        ]),
        trackId: of.references(venue.trackId),
        length: of.numbers(1),
        firstUsage: of.wholeNumbers(0),
        lastUsage: of.wholeNumbers(-1),
        cornerCount: of.wholeNumbers(0),
        cornerNames: of.textLists(),
        trackMap: image,
        trackImages: of.textLists(),
        enabled: of.flags(true),
      },
      shows: [
        'displayName',
        'slug',
        'type',
        'trackId',
        'trackDisplayName',
        'length',
        'firstUsage',
        'lastUsage',
        'cornerCount',
        'cornerNames',
        'trackMap',
        'trackImages',
        'enabled',
      ],
      body: async () => bodies.trackLayout(venue.trackId),
    }),
    catalogue('Car', 'cars', {
      create: {
        brandId: of.references(venue.carBrandId),
        modelName: of.texts(1, 120),
        carClassId: of.references(venue.carClassId),
        enabled: of.flags(true),
      },
      shows: ['brandId', 'brandDisplayName', 'modelName', 'carClassId', 'carClassDisplayName', 'enabled'],
      body: async () => bodies.car(venue.carBrandId, venue.carClassId),
    }),
  ];
}
