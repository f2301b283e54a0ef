import { PitStop } from './command.ts';
import { pitStopNames, pitStops } from './projection.ts';
import { query, resourceView, withNames } from '../../../src/service/domain/query.ts';

export const pitStopQuery = query(pitStops, {
  view: resourceView('PitStop', 'A stop in the pits.', withNames(PitStop.shape, pitStopNames)),
  defaultSort: 'duration',
  hidesDisabled: true,
});
