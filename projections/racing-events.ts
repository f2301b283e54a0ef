import { simulators } from './simulators.ts';
import { racingEventEvents, type RacingEvent } from '../commands/racing-events.ts';
import { simulatorEvents } from '../commands/simulators.ts';
import { nameOf, resourceProjection, type DocumentOf, type Named } from '../src/domain/documents.ts';
import { OPEN_END } from '../src/domain/filters.ts';
import { readModel } from '../src/kernel/projection/projection.ts';

export const racingEventNames = { simulatorId: 'simulatorDisplayName' } as const;

/** A racing event as it is shown: `startsAt` and `endsAt` are ISO 8601, or null when it is not scheduled. */
export type RacingEventDocument = DocumentOf<
  RacingEvent &
    Named<typeof racingEventNames> & {
      /** `endsAt`, or a text after all moments: until when it goes on. */ readonly _until: string;
    }
>;

export const racingEvents = readModel<RacingEventDocument>('events', {
  category: 'event',
  version: 4,
  indexes: [['enabled', 'startsAt'], ['startsAt'], ['rigIds[]', 'enabled', 'startsAt']],
  columns: ['enabled', 'startsAt', '_until', 'simulatorId', 'mode'],
});

export const racingEventsProjection = resourceProjection(
  racingEvents,
  { own: racingEventEvents, others: simulatorEvents },
  {
    EventScheduled: async ({ data, id, at }, look) => {
      const simulatorDisplayName = await nameOf(look(simulators, data.simulatorId));
      return racingEvents.insert(id, {
        ...data,
        minLapTime: data.minLapTime ?? null,
        simulatorDisplayName,
        createdAt: at,
        updatedAt: at,
        _until: data.endsAt ?? OPEN_END,
      });
    },
    EventRescheduled: ({ data, id, at }) =>
      racingEvents.set(id, { ...data, updatedAt: at, _until: data.endsAt ?? OPEN_END }),
    EventMovedToSimulator: async ({ data: { to }, id, at }, look) => {
      const simulatorDisplayName = await nameOf(look(simulators, to));
      return racingEvents.set(id, { simulatorId: to, simulatorDisplayName, updatedAt: at });
    },
    SimulatorRenamed: ({ data, id }) =>
      racingEvents.setWhere('simulatorId', id, { simulatorDisplayName: data.displayName }),
  },
);
