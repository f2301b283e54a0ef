import { License } from '../commands/licenses.ts';
import { licenses } from '../projections/licenses.ts';
import { instant } from '../src/domain/fields.ts';
import { query, resourceView } from '../src/domain/query.ts';

export const licenseQuery = query(licenses, {
  view: resourceView('License', { ...License.shape, lastLoginAt: instant.nullable() }),
  defaultSort: 'name',
});
