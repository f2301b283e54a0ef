import { changeLap, lapDecider, recordLap } from '../../../commands/laps.ts';
import { lapsProjection } from '../../../projections/laps.ts';
import { lapQuery } from '../../../queries/laps.ts';
import { resource } from './resource.ts';

export const lapResource = resource({
  path: '/api/v1/laps',
  decider: lapDecider,
  projection: lapsProjection,
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
    rigKeys: { create: true, change: 'all', rig: 'rigId' },
  },
  history: true,
  export: { name: 'laps' },
});
