/**
 * The shapes of the demo's own data. They mirror what docs/interface.md lets a client send, but belong to this client
 * alone: things refer to each other by stable names ("slug", "key"), which become ids once the service has answered.
 */

/** `type` of docs/interface.md#track-layouts. */
export type TrackType =
  | 'PERMANENT_ROAD'
  | 'PERMANENT_DIRT'
  | 'PERMANENT_OVAL'
  | 'TEMPORARY_ROAD'
  | 'TEMPORARY_DIRT'
  | 'TEMPORARY_OVAL'
  | 'STREET_CIRCUIT_ROAD'
  | 'STREET_CIRCUIT_DIRT'
  | 'RALLY';

/** One way round a circuit. */
export interface LayoutData {
  /** Unique over all circuits, 2-40 characters. */
  readonly slug: string;
  readonly displayName: string;
  readonly type: TrackType;
  /** Metres, as published by the circuit or its championship. */
  readonly length: number;
  /** Year. */
  readonly firstUsage: number;
  /** Year, or -1 while it is still in use. */
  readonly lastUsage: number;
  readonly cornerCount: number;
  /** In driving order, one per corner; '-' for a corner without a name of its own. */
  readonly cornerNames: readonly string[];
}

/** A circuit with its layouts. */
export interface TrackData {
  /** 2-20 characters. */
  readonly slug: string;
  readonly displayName: string;
  readonly alternativeNames: readonly string[];
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
  readonly location: string;
  readonly layouts: readonly LayoutData[];
}

/** A maker of cars. `country` is ISO 3166-1 alpha-3. */
export interface MakerData {
  readonly slug: string;
  readonly displayName: string;
  readonly country: string;
}

/** A class of cars; `shortName` is what cars refer to. */
export interface CarClassData {
  readonly shortName: string;
  readonly displayName: string;
}

/** A car; `maker` is a maker's slug and `carClass` a class's short name. */
export interface CarData {
  readonly key: string;
  readonly maker: string;
  readonly modelName: string;
  readonly carClass: string;
}

/** A layout's slug and the simulator's own name for it. */
export type LayoutMapping = readonly [layout: string, simulatorIdentifier: string];

/** A car's key, the simulator's own name for it and, where the simulator numbers its cars, that number. */
export type CarMapping = readonly [car: string, simulatorIdentifier: string, contentId?: string];

/** A simulator and what it calls the layouts and cars of this catalogue. */
export interface SimulatorData {
  readonly slug: string;
  readonly displayName: string;
  readonly layouts: readonly LayoutMapping[];
  readonly cars: readonly CarMapping[];
}

/** A sponsor or partner of the venue (docs/interface.md#sponsor-brands). */
export interface SponsorData {
  readonly key: string;
  readonly name: string;
  readonly websiteUrl: string;
  /** Per cent of the normal size at which the logo is shown. */
  readonly logoScalePercentage: number;
}

/** A rig of the venue. */
export interface RigData {
  readonly hardwareId: string;
  readonly name: string;
  readonly description: string;
}

/** How much somebody drives; decides the pace of their laps. */
export type Level = 'beginner' | 'regular' | 'expert';

/** A competitor. The e-mail address is the stable name. */
export interface PersonData {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phoneNumber: string;
  /** ISO 3166-1 alpha-3. */
  readonly nationality: string;
  readonly nickname: string;
  readonly level: Level;
}

/** Any JSON value, as the demo sends it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A racing event; every list holds stable names of other data. */
export interface RacingEventData {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly mode: 'HOTLAP' | 'PRACTICE' | 'AI_RACE' | 'MULTIPLAYER_RACE';
  readonly startsAt?: string;
  readonly endsAt?: string;
  readonly simulator: string;
  readonly cars: readonly string[];
  readonly layouts: readonly string[];
  readonly rigs: readonly string[];
  readonly sponsors: readonly string[];
  readonly i18nJson: { readonly [locale: string]: JsonValue };
  readonly settingsJson: { readonly [key: string]: JsonValue };
  readonly enabled: boolean;
}

/** `type` of docs/interface.md#signup-fields. */
export type FieldType = 'TEXT' | 'TEXT_AREA' | 'EMAIL' | 'NUMBER' | 'SELECT' | 'CHECKBOX' | 'CONSENT' | 'DATE';

/** A question on the sign-up form of the event with that slug. */
export interface SignupFieldData {
  readonly event: string;
  readonly fieldKey: string;
  readonly label: string;
  readonly description?: string;
  readonly type: FieldType;
  readonly required: boolean;
  readonly sortOrder: number;
  readonly optionsJson?: readonly JsonValue[];
  readonly defaultJson?: JsonValue;
  readonly i18nJson: { readonly [locale: string]: JsonValue };
}

/** How fast a layout is driven: what the lap generator needs to know about it. */
export interface PaceData {
  readonly layout: string;
  /** Average speed of a very good lap in a GT3 car, km/h. */
  readonly gt3Speed: number;
  /** Where the sectors end, as shares of the lap time; they add up to 1. */
  readonly sectors: readonly [number, number, number];
}
