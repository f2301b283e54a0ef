import type { JsonNode } from './json.ts';
import { msOf } from './times.ts';

/** Sectors of a lap, in ms; null when none is known. */
export function knownSectors(sectors: readonly (number | null)[]): readonly (number | null)[] | null {
  return sectors.some((sector) => sector !== null) ? sectors : null;
}

/** Single sectors in a list of a file, in ms; null when none is known. */
export function sectorsIn(list: JsonNode): readonly (number | null)[] | null {
  return knownSectors(list.items().map((sector) => msOf(sector.number())));
}
