import { CarClass } from '../commands/car-classes.ts';
import { carClasses } from '../projections/car-classes.ts';
import { query, resourceView } from '../src/domain/query.ts';

export const carClassQuery = query(carClasses, {
  view: resourceView('CarClass', 'A class of cars that race against each other.', CarClass.shape),
  defaultSort: 'displayName',
  hidesDisabled: true,
});
