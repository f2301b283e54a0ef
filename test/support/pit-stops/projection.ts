import { pitStopEvents, type PitStop } from './command.ts';
import { racingEventEvents } from '../../../commands/racing-events.ts';
import { racingEvents } from '../../../projections/racing-events.ts';
import { sets, type DocumentOf, type Named } from '../../../src/service/domain/documents.ts';
import { projection, readModel } from '../../../src/service/kernel/projection/projection.ts';

export const pitStopNames = { eventId: 'eventName' } as const;

export type PitStopDocument = DocumentOf<PitStop & Named<typeof pitStopNames>>;

export const pitStops = readModel<PitStopDocument>('pitStops', {
  category: 'pitStop',
  indexes: [['enabled', 'duration'], ['duration'], ['eventId']],
});

export const pitStopsProjection = projection(
  pitStops,
  { own: pitStopEvents, others: racingEventEvents },
  {
    PitStopRecorded: async ({ data, id, at }, look) => {
      const eventName = (await look(racingEvents, data.eventId))?.name ?? '';
      return pitStops.insert(id, { ...data, eventName, createdAt: at, updatedAt: at });
    },
    PitStopMovedToEvent: async ({ data: { to }, id, at }, look) => {
      const eventName = (await look(racingEvents, to))?.name ?? '';
      return pitStops.set(id, { eventId: to, eventName, updatedAt: at });
    },
    PitStopCorrected: sets(pitStops),
    PitStopAnnotated: sets(pitStops),
    PitStopEnabled: sets(pitStops, { enabled: true }),
    PitStopDisabled: sets(pitStops, { enabled: false }),
    EventRenamed: ({ data, id }) => pitStops.setWhere('eventId', id, { eventName: data.name }),
  },
);
