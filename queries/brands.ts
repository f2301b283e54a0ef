import { Brand } from '../commands/brands.ts';
import { brands } from '../projections/brands.ts';
import { query, resourceView } from '../src/domain/query.ts';

export const brandQuery = query(brands, {
  view: resourceView('Brand', 'A sponsor or partner of events.', Brand.shape),
  defaultSort: 'name',
});
