import { simulators } from './simulators.ts';
import { racingEventEvents, type EVENT_MODES } from '../commands/racing-events.ts';
import { simulatorEvents } from '../commands/simulators.ts';
import type { JsonObject } from '../src/kernel/json.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

export type RacingEventDocument = DocumentMeta & {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly mode: (typeof EVENT_MODES)[number] | null;
  /** ISO 8601; null when not scheduled. */
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly simulatorId: string;
  readonly simulatorDisplayName: string;
  readonly carIds: readonly string[];
  readonly trackLayoutIds: readonly string[];
  readonly rigIds: readonly string[];
  readonly brandIds: readonly string[];
  readonly i18nJson: JsonObject | null;
  readonly settingsJson: JsonObject | null;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const racingEvents = readModel<RacingEventDocument>('events', {
  category: 'event',
  indexes: [['enabled', 'startsAt'], ['startsAt'], ['simulatorId']],
});

export const racingEventsProjection = projection(
  racingEvents,
  { own: racingEventEvents, others: simulatorEvents },
  {
    EventScheduled: async ({ data, id, at }, look) => {
      const simulator = await look(simulators, data.simulatorId);
      const simulatorDisplayName = simulator?.displayName ?? '';
      return racingEvents.insert(id, { ...data, simulatorDisplayName, createdAt: at, updatedAt: at });
    },
    EventRenamed: ({ data, id, at }) => racingEvents.set(id, { ...data, updatedAt: at }),
    EventSlugChanged: ({ data, id, at }) => racingEvents.set(id, { ...data, updatedAt: at }),
    EventDescribed: ({ data, id, at }) => racingEvents.set(id, { ...data, updatedAt: at }),
    EventModeChanged: ({ data, id, at }) => racingEvents.set(id, { ...data, updatedAt: at }),
    EventRescheduled: ({ data, id, at }) => racingEvents.set(id, { ...data, updatedAt: at }),
    EventMovedToSimulator: async ({ data: { to }, id, at }, look) => {
      const simulator = await look(simulators, to);
      return racingEvents.set(id, {
        simulatorId: to,
        simulatorDisplayName: simulator?.displayName ?? '',
        updatedAt: at,
      });
    },
    EventCarsChanged: ({ data, id, at }) => racingEvents.set(id, { ...data, updatedAt: at }),
    EventTrackLayoutsChanged: ({ data, id, at }) => racingEvents.set(id, { ...data, updatedAt: at }),
    EventRigsChanged: ({ data, id, at }) => racingEvents.set(id, { ...data, updatedAt: at }),
    EventBrandsChanged: ({ data, id, at }) => racingEvents.set(id, { ...data, updatedAt: at }),
    EventLocalized: ({ data, id, at }) => racingEvents.set(id, { ...data, updatedAt: at }),
    EventConfigured: ({ data, id, at }) => racingEvents.set(id, { ...data, updatedAt: at }),
    EventEnabled: ({ id, at }) => racingEvents.set(id, { enabled: true, updatedAt: at }),
    EventDisabled: ({ id, at }) => racingEvents.set(id, { enabled: false, updatedAt: at }),
    SimulatorRenamed: ({ data, id }) =>
      racingEvents.setWhere('simulatorId', id, { simulatorDisplayName: data.displayName }),
  },
);
