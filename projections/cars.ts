import { carBrands } from './car-brands.ts';
import { carClasses } from './car-classes.ts';
import { carBrandEvents } from '../commands/car-brands.ts';
import { carClassEvents } from '../commands/car-classes.ts';
import { carEvents, type Car } from '../commands/cars.ts';
import { nameOf, resourceProjection, type DocumentOf, type Named } from '../src/domain/documents.ts';
import { readModel } from '../src/kernel/projection/projection.ts';

export const carNames = { brandId: 'brandDisplayName', carClassId: 'carClassDisplayName' } as const;

/** A car as it is shown; `brandId` is the id of its maker (docs/interface.md#cars). */
export type CarDocument = DocumentOf<Car & Named<typeof carNames>>;

export const cars = readModel<CarDocument>('cars', {
  category: 'car',
  version: 2,
  indexes: [['enabled', 'modelName'], ['modelName']],
  columns: ['enabled', 'modelName', 'brandId', 'carClassId'],
});

export const carsProjection = resourceProjection(
  cars,
  { own: carEvents, others: { ...carBrandEvents, ...carClassEvents } },
  {
    CarAdded: async ({ data, id, at }, look) =>
      cars.insert(id, {
        ...data,
        brandDisplayName: await nameOf(look(carBrands, data.brandId)),
        carClassDisplayName: await nameOf(look(carClasses, data.carClassId)),
        createdAt: at,
        updatedAt: at,
      }),
    CarMovedToBrand: async ({ data: { to }, id, at }, look) =>
      cars.set(id, { brandId: to, brandDisplayName: await nameOf(look(carBrands, to)), updatedAt: at }),
    CarMovedToClass: async ({ data: { to }, id, at }, look) =>
      cars.set(id, { carClassId: to, carClassDisplayName: await nameOf(look(carClasses, to)), updatedAt: at }),
    CarBrandRenamed: ({ data, id }) => cars.setWhere('brandId', id, { brandDisplayName: data.displayName }),
    CarClassRenamed: ({ data, id }) => cars.setWhere('carClassId', id, { carClassDisplayName: data.displayName }),
  },
);
