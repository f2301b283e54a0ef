import { readFileSync } from 'node:fs';

/** Kinds of track layouts that the interface has. */
type LayoutType =
  | 'PERMANENT_ROAD'
  | 'PERMANENT_DIRT'
  | 'PERMANENT_OVAL'
  | 'TEMPORARY_ROAD'
  | 'TEMPORARY_DIRT'
  | 'TEMPORARY_OVAL'
  | 'STREET_CIRCUIT_ROAD'
  | 'STREET_CIRCUIT_DIRT'
  | 'RALLY';

/** A maker of cars. */
export interface Maker {
  readonly slug: string;
  readonly displayName: string;
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
}

/** A class of cars. */
export interface CarClass {
  readonly shortName: string;
  readonly displayName: string;
}

/** A model of car, with the slug of its maker and the short name of its class. */
export interface Car {
  readonly key: string;
  readonly maker: string;
  readonly modelName: string;
  readonly carClass: string;
}

/** A place to race at. */
export interface Track {
  readonly slug: string;
  readonly displayName: string;
  readonly alternativeNames: readonly string[];
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
  readonly location: string;
}

/**
 * A layout of a track, which is named by its slug. The length, in metres, is the one that the circuit or its championship
 * publishes. `lastUsage` is a year, or -1 while the layout is in use. `-` is a corner without a name. Where a circuit
 * numbers no corners (Nordschleife, Circuit de la Sarthe, Mount Panorama), the unnamed ones stand about where they lie.
 * `cornerNames` is empty where the names are not known.
 */
export interface Layout {
  readonly track: string;
  readonly slug: string;
  readonly displayName: string;
  readonly type: LayoutType;
  readonly length: number;
  readonly firstUsage: number;
  readonly lastUsage: number;
  readonly cornerCount: number;
  readonly cornerNames: readonly string[];
}

/** A program to race in. */
export interface Simulator {
  readonly slug: string;
  readonly displayName: string;
}

/** What a simulator calls a layout; both are named by their slugs. */
export interface LayoutMapping {
  readonly simulator: string;
  readonly layout: string;
  readonly simulatorIdentifier: string;
}

/** What a simulator calls a car, which is named by its key; `contentId` where the simulator numbers its cars. */
export interface CarMapping {
  readonly simulator: string;
  readonly car: string;
  readonly simulatorIdentifier: string;
  readonly contentId?: string;
}

/** The tables, by the names of their files. */
interface Tables {
  readonly cars: {
    readonly makers: readonly Maker[];
    readonly carClasses: readonly CarClass[];
    readonly cars: readonly Car[];
  };
  readonly circuits: { readonly tracks: readonly Track[]; readonly layouts: readonly Layout[] };
  readonly simulators: {
    readonly simulators: readonly Simulator[];
    readonly layoutMappings: readonly LayoutMapping[];
    readonly carMappings: readonly CarMapping[];
  };
}

/** Reads a table; test/catalogue checks its content. */
function read<K extends keyof Tables>(name: K): Tables[K] {
  return JSON.parse(readFileSync(new URL(`data/${name}.json`, import.meta.url), 'utf8')) as Tables[K];
}

/** Facts of the real world that every venue shares: one record a line in `data/`. */
export const { makers: MAKERS, carClasses: CAR_CLASSES, cars: CARS } = read('cars');
export const { tracks: TRACKS, layouts: LAYOUTS } = read('circuits');
export const {
  simulators: SIMULATORS,
  layoutMappings: LAYOUT_MAPPINGS,
  carMappings: CAR_MAPPINGS,
} = read('simulators');
