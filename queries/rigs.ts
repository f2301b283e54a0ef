import { Rig } from '../commands/rigs.ts';
import { rigNames, rigs } from '../projections/rigs.ts';
import { A_MOMENT, described, instant } from '../src/domain/fields.ts';
import { equal } from '../src/domain/filters.ts';
import { query, resourceView, withNames } from '../src/domain/query.ts';

export const rigQuery = query(rigs, {
  view: resourceView('Rig', 'A place to sit and drive, which records laps.', {
    ...withNames(Rig.shape, rigNames),
    lastSeenAt: described(
      instant.nullable(),
      'When one of its keys was last used, to the minute; null: not yet.',
      A_MOMENT,
    ),
  }),
  defaultSort: 'name',
  hidesDisabled: true,
  filters: { licenseId: equal('licenseId') },
});
