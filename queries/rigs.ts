import { Rig } from '../commands/rigs.ts';
import { rigNames, rigs } from '../projections/rigs.ts';
import { equal } from '../src/domain/filters.ts';
import { query, resourceView, withNames } from '../src/domain/query.ts';

export const rigQuery = query(rigs, {
  view: resourceView('Rig', 'A place to sit and drive, which records laps.', withNames(Rig.shape, rigNames)),
  defaultSort: 'name',
  hidesDisabled: true,
  // A licence may be a person's.
  personal: ['licenseDisplayName'],
  filters: { licenseId: equal('licenseId') },
});
