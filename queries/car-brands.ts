import { CarBrand } from '../commands/car-brands.ts';
import { carBrands } from '../projections/car-brands.ts';
import { query, resourceView } from '../src/domain/query.ts';

export const carBrandQuery = query(carBrands, {
  view: resourceView('CarBrand', CarBrand.shape),
  defaultSort: 'displayName',
  hidesDisabled: true,
});
