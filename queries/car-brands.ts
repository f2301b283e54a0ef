import { CarBrand } from '../commands/car-brands.ts';
import { carBrands } from '../projections/car-brands.ts';
import { query, resourceView } from '../src/domain/query.ts';

export const carBrandQuery = query(carBrands, {
  view: resourceView('CarBrand', 'A maker of cars.', CarBrand.shape),
  defaultSort: 'displayName',
  hidesDisabled: true,
});
