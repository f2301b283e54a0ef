import { Car } from '../commands/cars.ts';
import { carNames, cars } from '../projections/cars.ts';
import { query, resourceView, withNames } from '../src/domain/query.ts';

export const carQuery = query(cars, {
  view: resourceView('Car', withNames(Car.shape, carNames)),
  defaultSort: 'modelName',
  hidesDisabled: true,
});
