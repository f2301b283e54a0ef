import { readFileSync } from 'node:fs';
import type { components } from '../generated/api.ts';
import { CAR_MAPPINGS, LAYOUT_MAPPINGS, SIMULATORS as ALL_SIMULATORS } from '../../catalogue/catalogue.ts';

export { CAR_CLASSES, CARS, LAYOUTS, MAKERS, TRACKS } from '../../catalogue/catalogue.ts';

type Schemas = components['schemas'];
type ListOf<T> = readonly Readonly<T>[];
/** Bodies of requests, without what the demo looks up, and with more that it knows of each. */
type BodiesOf<S extends keyof Schemas, Left extends keyof Schemas[S], More = unknown> = ListOf<
  Omit<Schemas[S], Left> & More
>;

/** How experienced a driver is; it determines the pace of the laps. */
export type Level = 'beginner' | 'regular' | 'expert';

/** The demo's data. Bodies name things by slug or key. Dates are fixed, as a repeated run must send the same bodies. */
interface Data {
  /**
   * People are invented: e-mail addresses are at the domains that RFC 2606 reserves; phone numbers come from the range
   * that a country keeps for fiction (such as +44 7700 900xxx), or begin with 000, which nobody is assigned.
   */
  readonly venue: {
    readonly rigs: ListOf<{ hardwareId: string; name: string; description: string }>;
    readonly sponsors: BodiesOf<'AddBrand', 'logo', { key: string }>;
    readonly people: BodiesOf<
      'RegisterParticipant',
      'licenseId' | 'extraFieldsJson',
      { nationality: string; nickname: string; level: Level }
    >;
  };
  readonly events: {
    readonly events: BodiesOf<
      'ScheduleRacingEvent',
      'simulatorId' | 'carIds' | 'trackLayoutIds' | 'rigIds' | 'brandIds',
      Record<'cars' | 'layouts' | 'rigs' | 'sponsors', readonly string[]> & { simulator: string }
    >;
    readonly signupFields: BodiesOf<'AddSignupField', 'eventId', { event: string }>;
  };
  /** Pace of the hotlap event: km/h of a very good GT3 lap, where its sectors end (shares), and classes against GT3. */
  readonly pace: {
    readonly layouts: ListOf<{ layout: string; gt3Speed: number; sectors: readonly [number, number, number] }>;
    readonly carClasses: ListOf<{ carClass: string; share: number }>;
  };
}

/** Reads a file of this module; test/demo checks its content. */
function read<K extends keyof Data>(name: K): Data[K] {
  return JSON.parse(readFileSync(new URL(`data/${name}.json`, import.meta.url), 'utf8')) as Data[K];
}

/** The simulators whose own names for layouts and cars are known, with these names. */
export const SIMULATORS = ALL_SIMULATORS.map(({ slug, displayName }) => ({
  slug,
  displayName,
  layouts: LAYOUT_MAPPINGS.filter(({ simulator }) => simulator === slug),
  cars: CAR_MAPPINGS.filter(({ simulator }) => simulator === slug),
})).filter(({ layouts }) => layouts.length > 0);

export const { rigs: RIGS, sponsors: SPONSORS, people: PEOPLE } = read('venue');
export const { events: RACING_EVENTS, signupFields: SIGNUP_FIELDS } = read('events');
export const { layouts: PACE, carClasses: CLASS_PACE } = read('pace');

/** The event that is open now: every lap of the demo belongs to it. */
export const HOTLAP_EVENT = 'gt-hotlap-challenge';
