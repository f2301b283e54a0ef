import { addCarBrand, carBrandDecider, changeCarBrand } from '../../../commands/car-brands.ts';
import { carBrandQuery } from '../../../queries/car-brands.ts';
import { resource } from './resource.ts';

export const carBrandResource = resource({
  path: '/api/v1/car-brands',
  decider: carBrandDecider,
  query: carBrandQuery,
  create: addCarBrand,
  change: changeCarBrand,
  access: { read: 'public', write: 'CRUD', owner: { kind: 'creator' } },
  history: false,
  export: { name: 'car-brands' },
});
