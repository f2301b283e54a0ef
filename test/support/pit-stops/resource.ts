import { changePitStop, pitStopDecider, recordPitStop } from './command.ts';
import { pitStopsProjection } from './projection.ts';
import { pitStopQuery } from './query.ts';
import { resource } from '../../../src/service/resources/resource.ts';

export const pitStopResource = resource({
  path: '/api/v1/pit-stops',
  decider: pitStopDecider,
  projection: pitStopsProjection,
  query: pitStopQuery,
  create: recordPitStop,
  change: changePitStop,
  access: { read: 'public', write: 'CRUD', owner: { kind: 'creator' } },
  history: false,
  export: null,
});
