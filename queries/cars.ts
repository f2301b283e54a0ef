import { Car } from '../commands/cars.ts';
import { carNames, cars } from '../projections/cars.ts';
import { equal } from '../src/domain/filters.ts';
import { query, resourceView, withNames } from '../src/domain/query.ts';

export const carQuery = query(cars, {
  view: resourceView('Car', 'A model of car.', withNames(Car.shape, carNames)),
  defaultSort: 'modelName',
  hidesDisabled: true,
  filters: { brandId: equal('brandId'), carClassId: equal('carClassId') },
});
