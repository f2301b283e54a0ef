import { License } from '../commands/licenses.ts';
import { licenses } from '../projections/licenses.ts';
import { A_MOMENT, described, instant } from '../src/domain/fields.ts';
import { query, resourceView } from '../src/domain/query.ts';

export const licenseQuery = query(licenses, {
  view: resourceView('License', 'An organisation that uses the service; its keys belong to its licence.', {
    ...License.shape,
    lastLoginAt: described(instant.nullable(), 'When one of its keys was last used; null: never.', A_MOMENT),
  }),
  defaultSort: 'name',
});
