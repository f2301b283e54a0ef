import { licenses } from './licenses.ts';
import { simulators } from './simulators.ts';
import { licenseEvents } from '../commands/licenses.ts';
import { racingEventEvents, type RacingEventState } from '../commands/racing-events.ts';
import { simulatorEvents } from '../commands/simulators.ts';
import { nameOf, resourceProjection, type DocumentOf, type Named } from '../src/domain/documents.ts';
import { OPEN_END } from '../src/domain/filters.ts';
import { readModel } from '../src/kernel/projection/projection.ts';

export const racingEventNames = { simulatorId: 'simulatorDisplayName' } as const;

/** A racing event as it is shown: its moments are ISO 8601, or null. */
export type RacingEventDocument = DocumentOf<
  RacingEventState &
    Named<typeof racingEventNames> & {
      /** `endsAt`, or `OPEN_END`, which sorts after all moments. */
      readonly _until: string;
      /** The licence whose key scheduled it; null: none. */
      readonly _licenseId: string | null;
      /** What people see of that licence: its name, logo, colour and time zone. */
      readonly _venueName: string;
      readonly _venueLogo: string | null;
      readonly _venueAccentColor: string | null;
      readonly _venueTimeZone: string | null;
      /** The same of `finishedAt`. */ readonly _untilFinished: string;
    }
>;

export const racingEvents = readModel<RacingEventDocument>('events', {
  category: 'event',
  version: 6,
  indexes: [['enabled', 'startsAt'], ['startsAt'], ['_until'], ['rigIds[]', 'enabled', 'startsAt'], ['_licenseId']],
  columns: ['enabled', 'startsAt', '_until', '_untilFinished', 'simulatorId', 'mode'],
});

export const racingEventsProjection = resourceProjection(
  racingEvents,
  { own: racingEventEvents, others: { ...simulatorEvents, ...licenseEvents } },
  {
    EventScheduled: async ({ data, id, at, recorded }, look) => {
      const { licenseId = null } = recorded.metadata;
      const license = licenseId === null ? null : await look(licenses, licenseId);
      const simulatorDisplayName = await nameOf(look(simulators, data.simulatorId));
      return racingEvents.insert(id, {
        ...data,
        minLapTime: data.minLapTime ?? null,
        simulatorDisplayName,
        createdAt: at,
        updatedAt: at,
        finishedAt: null,
        _until: data.endsAt ?? OPEN_END,
        _licenseId: licenseId,
        _venueName: license?.displayName ?? '',
        _venueLogo: license?.logo ?? null,
        _venueAccentColor: license?.accentColor ?? null,
        _venueTimeZone: license?.timeZone ?? null,
        _untilFinished: OPEN_END,
      });
    },
    EventRescheduled: ({ data, id, at }) =>
      racingEvents.set(id, { ...data, updatedAt: at, _until: data.endsAt ?? OPEN_END }),
    EventFinished: ({ data: { finishedAt }, id, at }) =>
      racingEvents.set(id, { finishedAt, updatedAt: at, _untilFinished: finishedAt }),
    EventReopened: ({ id, at }) => racingEvents.set(id, { finishedAt: null, updatedAt: at, _untilFinished: OPEN_END }),
    EventMovedToSimulator: async ({ data: { to }, id, at }, look) => {
      const simulatorDisplayName = await nameOf(look(simulators, to));
      return racingEvents.set(id, { simulatorId: to, simulatorDisplayName, updatedAt: at });
    },
    SimulatorRenamed: ({ data, id }) =>
      racingEvents.setWhere('simulatorId', id, { simulatorDisplayName: data.displayName }),
    LicenseRenamed: ({ data, id }) => racingEvents.setWhere('_licenseId', id, { _venueName: data.displayName }),
    LicenseLogoChanged: ({ data, id }) => racingEvents.setWhere('_licenseId', id, { _venueLogo: data.logo }),
    LicenseAccentColorChanged: ({ data, id }) =>
      racingEvents.setWhere('_licenseId', id, { _venueAccentColor: data.accentColor }),
    LicenseTimeZoneChanged: ({ data, id }) =>
      racingEvents.setWhere('_licenseId', id, { _venueTimeZone: data.timeZone }),
  },
);
