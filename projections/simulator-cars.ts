import { carBrands } from './car-brands.ts';
import { carClasses } from './car-classes.ts';
import { cars, type CarDocument } from './cars.ts';
import { simulators } from './simulators.ts';
import { carBrandEvents } from '../commands/car-brands.ts';
import { carClassEvents } from '../commands/car-classes.ts';
import { carEvents } from '../commands/cars.ts';
import { simulatorCarEvents } from '../commands/simulator-cars.ts';
import { simulatorEvents } from '../commands/simulators.ts';
import { projection, readModel } from '../src/kernel/projection/projection.ts';
import type { DocumentMeta } from '../src/kernel/ports/read-store.ts';

/** What a simulator calls a car; `carDisplayName` is the car's model name (DESIGN §5). */
export type SimulatorCarDocument = DocumentMeta & {
  readonly simulatorId: string;
  readonly simulatorDisplayName: string;
  readonly carId: string;
  readonly carDisplayName: string;
  readonly carBrandId: string;
  readonly carBrandDisplayName: string;
  readonly carClassId: string;
  readonly carClassDisplayName: string;
  readonly simulatorIdentifier: string;
  readonly contentId: string | null;
  /** False once taken back: nothing is deleted (DESIGN §2), and names stay current for the day it is mapped again. */
  readonly _mapped: boolean;
};

export const simulatorCars = readModel<SimulatorCarDocument>('simulatorCars', {
  category: 'simulatorCar',
  indexes: [['simulatorId', '_mapped', 'carDisplayName'], ['carId'], ['carBrandId'], ['carClassId']],
});

export const simulatorCarsProjection = projection(
  simulatorCars,
  { own: simulatorCarEvents, others: { ...simulatorEvents, ...carEvents, ...carBrandEvents, ...carClassEvents } },
  {
    CarMapped: async ({ data, id }, look) =>
      simulatorCars.insert(id, {
        simulatorId: data.simulatorId,
        simulatorDisplayName: (await look(simulators, data.simulatorId))?.displayName ?? '',
        carId: data.carId,
        ...described(await look(cars, data.carId)),
        simulatorIdentifier: data.simulatorIdentifier,
        contentId: data.contentId,
        _mapped: true,
      }),
    CarRemapped: ({ data: { simulatorIdentifier, contentId }, id }) =>
      simulatorCars.set(id, { simulatorIdentifier, contentId, _mapped: true }),
    CarIdentifierChanged: ({ data, id }) => simulatorCars.set(id, data),
    CarContentChanged: ({ data, id }) => simulatorCars.set(id, data),
    CarUnmapped: ({ id }) => simulatorCars.set(id, { _mapped: false }),
    SimulatorRenamed: ({ data, id }) =>
      simulatorCars.setWhere('simulatorId', id, { simulatorDisplayName: data.displayName }),
    CarRenamed: ({ data, id }) => simulatorCars.setWhere('carId', id, { carDisplayName: data.modelName }),
    CarMovedToBrand: async ({ data: { to }, id }, look) => {
      const carBrandDisplayName = (await look(carBrands, to))?.displayName ?? '';
      return simulatorCars.setWhere('carId', id, { carBrandId: to, carBrandDisplayName });
    },
    CarMovedToClass: async ({ data: { to }, id }, look) => {
      const carClassDisplayName = (await look(carClasses, to))?.displayName ?? '';
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
