import { carBrands } from './car-brands.ts';
import { carClasses } from './car-classes.ts';
import { carBrandEvents } from '../commands/car-brands.ts';
import { carClassEvents } from '../commands/car-classes.ts';
import { carEvents } from '../commands/cars.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

/** A car as it is shown; `brandId` is the id of its maker (SPEC.md "Car"). */
export type CarDocument = DocumentMeta & {
  readonly brandId: string;
  readonly brandDisplayName: string;
  readonly modelName: string;
  readonly carClassId: string;
  readonly carClassDisplayName: string;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const cars = readModel<CarDocument>('cars', {
  category: 'car',
  indexes: [['enabled', 'modelName'], ['modelName'], ['brandId'], ['carClassId']],
});

export const carsProjection = projection(
  cars,
  { own: carEvents, others: { ...carBrandEvents, ...carClassEvents } },
  {
    CarAdded: async ({ data, id, at }, look) =>
      cars.insert(id, {
        ...data,
        brandDisplayName: (await look(carBrands, data.brandId))?.displayName ?? '',
        carClassDisplayName: (await look(carClasses, data.carClassId))?.displayName ?? '',
        createdAt: at,
        updatedAt: at,
      }),
    CarRenamed: ({ data, id, at }) => cars.set(id, { ...data, updatedAt: at }),
    CarMovedToBrand: async ({ data, id, at }, look) =>
      cars.set(id, {
        brandId: data.to,
        brandDisplayName: (await look(carBrands, data.to))?.displayName ?? '',
        updatedAt: at,
      }),
    CarMovedToClass: async ({ data, id, at }, look) =>
      cars.set(id, {
        carClassId: data.to,
        carClassDisplayName: (await look(carClasses, data.to))?.displayName ?? '',
        updatedAt: at,
      }),
    CarEnabled: ({ id, at }) => cars.set(id, { enabled: true, updatedAt: at }),
    CarDisabled: ({ id, at }) => cars.set(id, { enabled: false, updatedAt: at }),
    CarBrandRenamed: ({ data, id }) => cars.setWhere('brandId', id, { brandDisplayName: data.displayName }),
    CarClassRenamed: ({ data, id }) => cars.setWhere('carClassId', id, { carClassDisplayName: data.displayName }),
  },
);
