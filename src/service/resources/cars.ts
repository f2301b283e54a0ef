import { addCar, carDecider, changeCar } from '../../../commands/cars.ts';
import { carQuery } from '../../../queries/cars.ts';
import { resource } from './resource.ts';

export const carResource = resource({
  path: '/api/v1/cars',
  decider: carDecider,
  query: carQuery,
  create: addCar,
  change: changeCar,
  access: { read: 'public', write: 'CRUD', owner: { kind: 'creator' } },
  history: false,
  export: { name: 'cars' },
});
