import { changeLap, lapDecider, recordLap } from '../../../commands/laps.ts';
import { lapQuery } from '../../../queries/laps.ts';
import { reject, type Rejection } from '../kernel/aggregate/decider.ts';
import type { JsonObject } from '../kernel/json.ts';
import { resource } from './resource.ts';

/** The licence of the driver may strike a lap, with a reason, and do no more. */
function refusalOfStrike({ valid, reason, ...others }: JsonObject, notYours: Rejection): Rejection | null {
  if (valid !== false || Object.keys(others).length > 0) return notYours;
  if (typeof reason === 'string' && reason.trim() !== '') return null;
  return reject('INVALID', 'A lap on the rig of another licence is struck with a reason.', '/reason');
}

export const lapResource = resource({
  path: '/api/v1/laps',
  decider: lapDecider,
  query: lapQuery,
  create: recordLap,
  change: changeLap,
  access: {
    read: 'public',
    write: 'CRUD',
    owner: { kind: 'parent', field: 'rigId', category: 'rig' },
    // An event takes in the laps of its rigs, whoever owns these.
    parents: [
      {
        field: 'eventId',
        category: 'event',
        admits: (event, { rigId }) => Array.isArray(event['rigIds']) && event['rigIds'].includes(rigId),
      },
    ],
    foreignChange: {
      by: { field: 'participantId', category: 'participant' },
      within: { field: 'eventId', category: 'event' },
      refuses: refusalOfStrike,
    },
    rigKeys: { create: true, change: 'all', rig: 'rigId' },
  },
  history: true,
  export: { name: 'laps' },
});
