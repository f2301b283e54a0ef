import type { Json, JsonObject } from '../../../src/service/kernel/json.ts';
import {
  anyJson,
  choices,
  countries,
  emails,
  flags,
  freeTexts,
  instants,
  isList,
  keys,
  millisecondLists,
  nullable,
  numbers,
  objects,
  objectTexts,
  optional,
  referenceLists,
  references,
  shownAs,
  sequences,
  slugs,
  textLists,
  texts,
  wholeNumbers,
  type Field,
} from './fields.ts';

/** Fields of a body by name. */
export type Fields = Readonly<Record<string, Field>>;

/** The value of a field of some resource, by kind, id and field; null when there is no such resource. */
export type Lookup = (kind: string, id: Json | undefined, field: string) => Json;

/** One kind of resource, as docs/interface.md describes it. */
export interface Kind {
  readonly name: string;
  /** Path of the collection; `{simulatorId}` in it where resources are a simulator's. */
  readonly path: string;
  /** Fields of POST; one without `unset` is required. */
  readonly create: Fields;
  /** Fields of PATCH. */
  readonly change: Fields;
  /** A PATCH is a full replacement: what POST requires, it requires too. */
  readonly replaces?: true;
  /** Fields that are shown beside those that are sent. */
  readonly derived?: (values: JsonObject, lookup: Lookup) => JsonObject;
  /** The default sort of its pages; null: it has none. */
  readonly sort: string | null;
  /** Whether lists leave out what is not enabled. */
  readonly hides: boolean;
  /** Role that reading needs. */
  readonly reads: 'public' | 'R' | 'ADMIN';
  /** The key that no other of its kind may have. */
  readonly unique?: (values: JsonObject) => string;
  /** Fields of an answer that only the service knows: they are learned from its first answer, or passed over. */
  readonly learned?: readonly string[];
  readonly volatile?: readonly string[];
  /** Values that it has at first and that nobody sends. */
  readonly initial?: JsonObject;
  /** The member of the answer to POST that is the resource; a key comes with it. */
  readonly member?: string;
  /** The field whose value, with the simulator, is the id: the kind is a mapping. */
  readonly maps?: string;
}

const image = texts(0, 255);
const name = texts(3, 120, { blank: false });
const shortName = texts(2, 120, { blank: false });

const simulator: Fields = {
  displayName: name,
  slug: slugs(2, 20),
  logo: image,
  logoWide: shownAs('logo_wide', image),
  svg: flags(false),
  enabled: flags(true),
};

const track: Fields = {
  displayName: name,
  alternativeNames: textLists(),
  slug: slugs(2, 20),
  logo: image,
  svg: flags(false),
  country: countries(),
  location: texts(0, 120),
  enabled: flags(true),
};

const layout: Fields = {
  displayName: name,
  slug: slugs(2, 40),
  type: choices('PERMANENT_ROAD', 'STREET_CIRCUIT_DIRT', 'RALLY'),
  trackId: references('Track'),
  length: numbers(1),
  firstUsage: wholeNumbers(0),
  lastUsage: wholeNumbers(-1),
  cornerCount: wholeNumbers(0),
  cornerNames: textLists(),
  trackMap: image,
  trackImages: textLists(),
  enabled: flags(true),
};

const carBrand: Fields = {
  displayName: name,
  slug: slugs(2, 20),
  logo: image,
  svg: flags(false),
  country: countries(),
  enabled: flags(true),
};

const carClass: Fields = {
  displayName: shortName,
  shortName: texts(2, 20, { blank: false }),
  logo: image,
  svg: flags(false),
  enabled: flags(true),
};

const car: Fields = {
  brandId: references('CarBrand'),
  modelName: texts(1, 120),
  carClassId: references('CarClass'),
  enabled: flags(true),
};

const brand: Fields = {
  name: shortName,
  websiteUrl: choices('https://example.com', 'example.com/a', ''),
  logo: texts(0, 255),
  logoScalePercentage: optional(shownAs('logoScalePercent', numbers(-Infinity)), 100),
  logoUrl: flags(false),
};

const event: Fields = {
  name: shortName,
  slug: slugs(2, 25),
  description: texts(0, 255),
  mode: nullable(choices('HOTLAP', 'AI_RACE')),
  startsAt: nullable(instants('2026-05-01T10:00:00Z', '2026-05-01T12:00:00.123+02:00')),
  endsAt: nullable(instants('2026-05-01T09:00:00Z', '2026-05-01T12:30:00Z')),
  simulatorId: references('Simulator'),
  carIds: referenceLists('Car', 1),
  trackLayoutIds: referenceLists('TrackLayout', 1),
  rigIds: referenceLists('Rig', 1),
  brandIds: referenceLists('Brand', 0),
  i18nJson: nullable(objects()),
  settingsJson: nullable(objects()),
  enabled: flags(false),
};

const signupField: Fields = {
  eventId: references('Event'),
  fieldKey: keys(0, 120),
  label: freeTexts(),
  description: nullable(freeTexts()),
  type: optional(choices('TEXT', 'SELECT', 'DATE'), 'TEXT'),
  required: flags(false),
  sortOrder: nullable(numbers(-Infinity)),
  optionsJson: anyJson(),
  defaultJson: anyJson(),
  i18nJson: nullable(objects()),
};

const person: Fields = {
  licenseId: references('License'),
  firstName: texts(0, 120),
  lastName: texts(0, 120),
  email: emails(),
  phoneNumber: texts(0, 120),
};

const rig: Fields = {
  name: nullable(shortName),
  description: nullable(texts(0, 255)),
  hardwareId: keys(1, 255),
  licenseId: references('License'),
  enabled: flags(true),
};

const lap: Fields = {
  participantId: references('Participant'),
  rigId: references('Rig'),
  eventId: references('Event'),
  sectors: millisecondLists(),
  totalTime: wholeNumbers(0),
  valid: flags(),
  carId: shownAs('car', references('Car')),
  trackId: references('TrackLayout'),
  drivenAt: {
    ...instants('2026-05-01T10:00:00Z', '2026-05-01T12:00:00.123+02:00', '2019-12-31T23:59:59Z'),
    unset: null,
    otherwise: 'createdAt',
  },
};

/** A kind whose POST and PATCH have the same fields, unless told otherwise. */
function kindOf(kind: string, path: string, rest: Partial<Kind> & Pick<Kind, 'create' | 'sort'>): Kind {
  return { name: kind, path: `/api/v1/${path}`, change: rest.create, hides: false, reads: 'public', ...rest };
}

const identifier = texts(0, 255);

/** Text of a value that is one. */
export function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** First and last name of a participant. */
export function driverName(lookup: Lookup, id: Json | undefined): string {
  const [first, last] = ['firstName', 'lastName'].map((field) => textIn(lookup('Participant', id, field)));
  return `${first} ${last}`.trim();
}

/** All kinds by name. */
export const KINDS: ReadonlyMap<string, Kind> = new Map(
  [
    kindOf('License', 'licenses', {
      create: { name, displayName: texts(3, 120) },
      change: {
        displayName: texts(3, 120),
        enabled: flags(true),
        expiresAt: nullable(instants('2020-01-01T00:00:00Z', '9026-01-01T00:00:00Z')),
      },
      sort: null,
      reads: 'ADMIN',
      learned: ['licenseKey'],
      volatile: ['lastLoginAt'],
      initial: { enabled: true, expiresAt: null },
      member: 'license',
    }),
    kindOf('Simulator', 'simulators', {
      create: simulator,
      change: { ...simulator, slug: slugs(3, 20) },
      replaces: true,
      sort: null,
      hides: true,
    }),
    kindOf('Track', 'tracks', { create: track, sort: 'displayName', hides: true, unique: ({ slug }) => textIn(slug) }),
    kindOf('TrackLayout', 'track-layouts', {
      create: layout,
      derived: ({ trackId }, lookup) => ({ trackDisplayName: lookup('Track', trackId, 'displayName') }),
      sort: 'displayName',
      hides: true,
    }),
    kindOf('CarBrand', 'car-brands', { create: carBrand, sort: 'displayName', hides: true }),
    kindOf('CarClass', 'car-classes', { create: carClass, sort: 'displayName', hides: true }),
    kindOf('Car', 'cars', {
      create: car,
      derived: ({ brandId, carClassId }, lookup) => ({
        brandDisplayName: lookup('CarBrand', brandId, 'displayName'),
        carClassDisplayName: lookup('CarClass', carClassId, 'displayName'),
      }),
      sort: 'modelName',
      hides: true,
    }),
    kindOf('Brand', 'brands', { create: brand, sort: 'name' }),
    kindOf('Rig', 'rigs', {
      create: { hardwareId: rig['hardwareId'] ?? identifier },
      change: { ...rig, name: shortName },
      derived: ({ licenseId }, lookup) => ({ licenseDisplayName: lookup('License', licenseId, 'displayName') }),
      sort: 'name',
      hides: true,
      reads: 'R',
      volatile: ['lastSeenAt'],
      unique: ({ hardwareId }) => textIn(hardwareId),
      initial: { name: null, description: null, enabled: true },
      member: 'rig',
    }),
    kindOf('Event', 'events', {
      create: event,
      derived: ({ simulatorId }, lookup) => ({ simulatorDisplayName: lookup('Simulator', simulatorId, 'displayName') }),
      sort: 'startsAt',
      hides: true,
    }),
    kindOf('SignupField', 'signup-fields', {
      create: signupField,
      derived: ({ eventId }, lookup) => ({ eventName: lookup('Event', eventId, 'name') }),
      sort: 'sortOrder',
      unique: ({ eventId, fieldKey }) => JSON.stringify([eventId, fieldKey]),
    }),
    kindOf('Participant', 'participants', {
      create: { ...person, extraFieldsJson: objectTexts() },
      change: { ...person, extraFieldsJson: objects() },
      derived: ({ licenseId }, lookup) => ({ licenseDisplayName: lookup('License', licenseId, 'displayName') }),
      sort: 'lastName',
      reads: 'R',
      unique: ({ licenseId }) => textIn(licenseId),
    }),
    kindOf('Lap', 'laps', {
      create: { ...lap, sequence: sequences() },
      change: lap,
      derived: ({ participantId, rigId, eventId, trackId }, lookup) => ({
        participantName: driverName(lookup, participantId),
        rigName: lookup('Rig', rigId, 'name'),
        eventName: lookup('Event', eventId, 'name'),
        trackDisplayName: lookup('TrackLayout', trackId, 'displayName'),
      }),
      sort: 'totalTime',
    }),
    kindOf('SimulatorLayout', 'simulators/{simulatorId}/layouts', {
      create: { trackLayoutId: references('TrackLayout'), simulatorIdentifier: identifier },
      change: { simulatorIdentifier: identifier },
      replaces: true,
      derived: ({ simulatorId, trackLayoutId }, lookup) => ({
        simulatorId,
        simulatorDisplayName: lookup('Simulator', simulatorId, 'displayName'),
        trackLayoutDisplayName: lookup('TrackLayout', trackLayoutId, 'displayName'),
      }),
      sort: null,
      maps: 'trackLayoutId',
    }),
    kindOf('SimulatorCar', 'simulators/{simulatorId}/cars', {
      create: { carId: references('Car'), simulatorIdentifier: identifier, contentId: nullable(identifier) },
      change: { simulatorIdentifier: identifier, contentId: nullable(identifier) },
      replaces: true,
      derived: ({ simulatorId, carId }, lookup) => {
        const [brandId, classId] = [lookup('Car', carId, 'brandId'), lookup('Car', carId, 'carClassId')];
        return {
          simulatorId,
          simulatorDisplayName: lookup('Simulator', simulatorId, 'displayName'),
          carDisplayName: lookup('Car', carId, 'modelName'),
          carBrandId: brandId,
          carBrandDisplayName: lookup('CarBrand', brandId, 'displayName'),
          carClassId: classId,
          carClassDisplayName: lookup('CarClass', classId, 'displayName'),
        };
      },
      sort: null,
      maps: 'carId',
    }),
  ].map((kind) => [kind.name, kind]),
);

/** A kind that there is. */
export function kindNamed(wanted: string): Kind {
  const kind = KINDS.get(wanted);
  if (kind === undefined) throw new Error(`no kind ${wanted}`);
  return kind;
}

/** Every field that names others, with the ids in it. */
export function* namedBy(fields: Fields, body: JsonObject): Generator<{ readonly kind: string; readonly id: string }> {
  for (const [name, { refersTo, kept }] of Object.entries(fields)) {
    const sent = body[name] ?? null;
    const value = kept?.(sent) ?? sent;
    if (refersTo === undefined) continue;
    for (const id of isList(value) ? value : [value]) if (typeof id === 'string') yield { kind: refersTo, id };
  }
}
