import { addCarClass, carClassDecider, changeCarClass } from '../../../commands/car-classes.ts';
import { carClassQuery } from '../../../queries/car-classes.ts';
import { resource } from './resource.ts';

export const carClassResource = resource({
  path: '/api/v1/car-classes',
  decider: carClassDecider,
  query: carClassQuery,
  create: addCarClass,
  change: changeCarClass,
  access: { read: 'public', write: 'CRUD', owner: { kind: 'creator' } },
  history: false,
  export: { name: 'car-classes' },
});
