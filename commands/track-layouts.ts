import { z } from 'zod';
import { additionOf, catalogueDecider, changeOf } from '../src/domain/catalogue.ts';
import { component } from '../src/domain/component.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { reference } from '../src/domain/references.ts';
import { bodyOf, Flag, Id, Integer, listOf, Numeral, Text } from '../src/domain/facts.ts';
import { fieldsChanged, flagSet, referenceMoved } from '../src/domain/field-events.ts';
import {
  cdnKey,
  described,
  enabled,
  inUnit,
  list,
  minLapTime,
  name,
  number,
  ofFiles,
  slug,
  textItem,
} from '../src/domain/fields.ts';
import { eventType, type Upcaster } from '../src/kernel/event-types.ts';

const TrackLayoutAdded = z.object({
  displayName: Text,
  slug: Text,
  type: Text,
  trackId: Id,
  length: Numeral,
  firstUsage: Integer,
  lastUsage: Integer,
  cornerCount: Integer,
  cornerNames: listOf(Text),
  trackMap: Text,
  trackImages: listOf(Text),
  enabled: Flag,
  minLapTime: Integer.nullable(),
});
export type TrackLayout = z.output<typeof TrackLayoutAdded>;

/**
 * Version 2 always has `minLapTime`. In version 1 it was optional, as release 0.1.0 did not know it; so a layout of that
 * release was not the same as one without a minimum, and a `PATCH` with null recorded a change that was none.
 */
const layoutAddedFrom1: Upcaster = (data) => ({ ...data, minLapTime: data['minLapTime'] ?? null });

export const trackLayoutEvents = {
  TrackLayoutAdded: eventType(TrackLayoutAdded, layoutAddedFrom1),
  TrackLayoutRenamed: fieldsChanged(TrackLayoutAdded, 'displayName'),
  TrackLayoutSlugChanged: fieldsChanged(TrackLayoutAdded, 'slug'),
  TrackLayoutTypeChanged: fieldsChanged(TrackLayoutAdded, 'type'),
  TrackLayoutMovedToTrack: referenceMoved('trackId'),
  TrackLayoutLengthChanged: fieldsChanged(TrackLayoutAdded, 'length'),
  TrackLayoutUsageChanged: fieldsChanged(TrackLayoutAdded, 'firstUsage', 'lastUsage'),
  TrackLayoutCornersChanged: fieldsChanged(TrackLayoutAdded, 'cornerCount', 'cornerNames'),
  TrackLayoutImagesChanged: fieldsChanged(TrackLayoutAdded, 'trackMap', 'trackImages'),
  TrackLayoutMinLapTimeChanged: fieldsChanged(TrackLayoutAdded, 'minLapTime'),
  TrackLayoutEnabled: flagSet('enabled', true),
  TrackLayoutDisabled: flagSet('enabled', false),
};

export const trackLayoutDecider = catalogueDecider('trackLayout', trackLayoutEvents, { added: 'TrackLayoutAdded' });

const CORNERS = ['La Source', 'Eau Rouge', 'Raidillon', '-'];

const PERMANENT = ['PERMANENT_ROAD', 'PERMANENT_DIRT', 'PERMANENT_OVAL'] as const;
const TEMPORARY = ['TEMPORARY_ROAD', 'TEMPORARY_DIRT', 'TEMPORARY_OVAL'] as const;
const OPEN_ROADS = ['STREET_CIRCUIT_ROAD', 'STREET_CIRCUIT_DIRT', 'RALLY'] as const;
/** `lastUsage` of a layout that is still in use; any other value of it is a year. */
const STILL_IN_USE = -1;

export const TrackLayout = bodyOf(TrackLayoutAdded, {
  displayName: described(name(3, 120), 'Name of the layout.', EXAMPLES.trackLayout.name),
  slug: described(slug(2, 40), 'Short name for URLs.', 'spa-grand-prix'),
  type: described(
    z.enum([...PERMANENT, ...TEMPORARY, ...OPEN_ROADS]).meta(component('TrackLayoutType', 'Kind of a track layout.')),
    'Kind of the layout.',
    'PERMANENT_ROAD',
  ),
  trackId: reference('track', 'The track that it is a layout of.'),
  length: described(inUnit(number.min(1), 'm'), 'Length in metres, possibly with decimals.', 7004),
  firstUsage: described(z.int().min(0), 'Year when it was first driven.', 2007),
  lastUsage: described(z.int().min(STILL_IN_USE), 'Year when it was last driven; -1: it still is.', STILL_IN_USE),
  cornerCount: described(z.int().min(0), 'Number of corners.', 19),
  cornerNames: described(list(textItem), 'Names of the corners in order; `-` for a corner without a name.', CORNERS),
  trackMap: described(cdnKey, 'CDN key of the map.', 'TRACK/spa/grand-prix.svg'),
  trackImages: ofFiles(described(list(textItem), 'CDN keys of pictures.', ['TRACK/spa/raidillon.jpg'])),
  minLapTime: minLapTime('Shortest time of a lap that counts there, in ms; null: 1.', 60_000),
  enabled,
});

export const addTrackLayout = additionOf(
  'AddTrackLayout',
  TrackLayout.extend({ minLapTime: TrackLayout.shape.minLapTime.default(null), enabled: enabled.default(true) }),
);
export const changeTrackLayout = changeOf('ChangeTrackLayout', TrackLayout.partial());
