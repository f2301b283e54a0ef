import type { JsonObject } from '../../../src/kernel/json.ts';
import type { HistoryEvent } from '../kernel/projecting.ts';

/** An event of a stream. */
export const eventOn = (stream: string, type: string, data: JsonObject = {}): HistoryEvent => ({ stream, type, data });
/** A participant. */
export const registered = (id: string, firstName: string, others: JsonObject = {}): HistoryEvent =>
  eventOn(`participant-${id}`, 'ParticipantRegistered', {
    licenseId: 'license',
    firstName,
    lastName: 'Racer',
    email: 'a@b.org',
    phoneNumber: '',
    extraFieldsJson: {},
    ...others,
  });
/** A layout of a track. */
export const layoutAdded = (id: string, displayName: string, others: JsonObject = {}): HistoryEvent =>
  eventOn(`trackLayout-${id}`, 'TrackLayoutAdded', {
    displayName,
    slug: 'slug',
    type: 'PERMANENT_ROAD',
    trackId: 'track',
    length: 1,
    firstUsage: 1,
    lastUsage: -1,
    cornerCount: 0,
    cornerNames: [],
    trackMap: '',
    trackImages: [],
    enabled: true,
    ...others,
  });
/** A racing event on `spa`, unless `others` say otherwise. */
export const scheduledAs = (id: string, others: JsonObject = {}): HistoryEvent =>
  eventOn(`event-${id}`, 'EventScheduled', {
    name: 'Cup',
    slug: 'cup',
    description: '',
    mode: null,
    startsAt: null,
    endsAt: null,
    simulatorId: 'sim',
    carIds: ['car'],
    trackLayoutIds: ['spa'],
    rigIds: ['rig'],
    brandIds: [],
    i18nJson: null,
    settingsJson: null,
    enabled: true,
    ...others,
  });
/** A valid lap of `ada` in `cup` on `spa`, as long as its sectors, unless `others` say otherwise. */
export const recorded = (id: string, sectors: readonly number[], others: JsonObject = {}): HistoryEvent =>
  eventOn(`lap-${id}`, 'LapRecorded', {
    participantId: 'ada',
    rigId: 'rig',
    eventId: 'cup',
    sectors,
    valid: true,
    carId: 'car',
    trackId: 'spa',
    totalTime: sectors.reduce((sum, time) => sum + time, 0),
    ...others,
  });

/** The event `cup`, on `spa`. */
export const scheduled = scheduledAs('cup');
