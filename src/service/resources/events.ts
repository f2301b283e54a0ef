import { changeRacingEvent, racingEventDecider, scheduleRacingEvent } from '../../../commands/racing-events.ts';
import { racingEventQuery } from '../../../queries/racing-events.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { resource } from './resource.ts';

export const racingEventResource = resource({
  path: '/api/v1/events',
  decider: racingEventDecider,
  query: racingEventQuery,
  create: scheduleRacingEvent,
  change: changeRacingEvent,
  access: { read: 'public', write: 'CRUD', owner: { kind: 'creator' } },
  history: true,
  export: { name: 'events', without: ['venue'] },
});

/** Whether an event lists a rig, and so admits what happens on it, whoever owns the rig. */
export function listsRig({ rigIds }: JsonObject, rigId: string | undefined): boolean {
  return Array.isArray(rigIds) && rigIds.includes(rigId);
}
