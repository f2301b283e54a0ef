import { carBrands } from './car-brands.ts';
import { carClasses } from './car-classes.ts';
import { cars, type CarDocument } from './cars.ts';
import { simulators } from './simulators.ts';
import { carBrandEvents } from '../commands/car-brands.ts';
import { carClassEvents } from '../commands/car-classes.ts';
import { carEvents } from '../commands/cars.ts';
import { simulatorCarEvents, type SimulatorCar } from '../commands/simulator-cars.ts';
import { simulatorEvents } from '../commands/simulators.ts';
import { nameOf } from '../src/domain/documents.ts';
import type { MappingDocument } from '../src/domain/mappings.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';

/** What a simulator calls a car; `carDisplayName` is the car's model name (docs/interface.md#simulator-mappings). */
export type SimulatorCarDocument = MappingDocument<
  SimulatorCar & { readonly simulatorDisplayName: string } & ReturnType<typeof described>
>;

export const simulatorCars = readModel<SimulatorCarDocument>('simulatorCars', {
  version: 2,
  category: 'simulatorCar',
  indexes: [['simulatorId', '_mapped', 'carDisplayName'], ['carId'], ['carBrandId'], ['carClassId']],
});

export const simulatorCarsProjection = projection(
  simulatorCars,
  { own: simulatorCarEvents, others: { ...simulatorEvents, ...carEvents, ...carBrandEvents, ...carClassEvents } },
  {
    CarMapped: async ({ data, id, at }, look) =>
      simulatorCars.insert(id, {
        ...data,
        simulatorDisplayName: await nameOf(look(simulators, data.simulatorId)),
        ...described(await look(cars, data.carId)),
        _mapped: true,
        _updatedAt: at,
      }),
    CarRemapped: ({ data: { simulatorIdentifier, contentId }, id, at }) =>
      simulatorCars.set(id, { simulatorIdentifier, contentId, _mapped: true, _updatedAt: at }),
    CarIdentifierChanged: ({ data, id, at }) => simulatorCars.set(id, { ...data, _updatedAt: at }),
    CarContentChanged: ({ data, id, at }) => simulatorCars.set(id, { ...data, _updatedAt: at }),
    CarUnmapped: ({ id, at }) => simulatorCars.set(id, { _mapped: false, _updatedAt: at }),
    SimulatorRenamed: ({ data, id }) =>
      simulatorCars.setWhere('simulatorId', id, { simulatorDisplayName: data.displayName }),
    CarRenamed: ({ data, id }) => simulatorCars.setWhere('carId', id, { carDisplayName: data.modelName }),
    CarMovedToBrand: async ({ data: { to }, id }, look) => {
      const carBrandDisplayName = await nameOf(look(carBrands, to));
      return simulatorCars.setWhere('carId', id, { carBrandId: to, carBrandDisplayName });
    },
    CarMovedToClass: async ({ data: { to }, id }, look) => {
      const carClassDisplayName = await nameOf(look(carClasses, to));
      return simulatorCars.setWhere('carId', id, { carClassId: to, carClassDisplayName });
    },
    CarBrandRenamed: ({ data, id }) =>
      simulatorCars.setWhere('carBrandId', id, { carBrandDisplayName: data.displayName }),
    CarClassRenamed: ({ data, id }) =>
      simulatorCars.setWhere('carClassId', id, { carClassDisplayName: data.displayName }),
  },
);

/** What a mapping shows of its car. */
function described(car: CarDocument | null) {
  return {
    carDisplayName: car?.modelName ?? '',
    carBrandId: car?.brandId ?? '',
    carBrandDisplayName: car?.brandDisplayName ?? '',
    carClassId: car?.carClassId ?? '',
    carClassDisplayName: car?.carClassDisplayName ?? '',
  };
}
