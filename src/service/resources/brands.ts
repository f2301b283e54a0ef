import { addBrand, brandDecider, changeBrand } from '../../../commands/brands.ts';
import { brandQuery } from '../../../queries/brands.ts';
import { resource } from './resource.ts';

export const brandResource = resource({
  path: '/api/v1/brands',
  decider: brandDecider,
  query: brandQuery,
  create: addBrand,
  change: changeBrand,
  access: { read: 'public', write: 'CRUD', owner: { kind: 'creator' } },
  history: false,
  export: { name: 'brands' },
});
