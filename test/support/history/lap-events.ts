import type { JsonObject } from '../../../src/service/kernel/json.ts';
import type { HistoryEvent } from '../kernel/projecting.ts';

/** An event of a stream. */
export const told = (stream: string, type: string, data: JsonObject = {}): HistoryEvent => ({ stream, type, data });
/** A participant. */
export const registered = (id: string, firstName: string): HistoryEvent =>
  told(`participant-${id}`, 'ParticipantRegistered', {
    licenseId: 'license',
    firstName,
    lastName: 'Racer',
    email: 'a@b.org',
    phoneNumber: '',
    extraFieldsJson: {},
  });
/** A valid lap of `ada` in `cup` on `spa`, as long as its sectors, unless `others` say otherwise. */
export const recorded = (id: string, sectors: readonly number[], others: JsonObject = {}): HistoryEvent =>
  told(`lap-${id}`, 'LapRecorded', {
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
export const scheduled = told('event-cup', 'EventScheduled', {
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
});
