import { z } from 'zod';
import { SimulatorCar } from '../commands/simulator-cars.ts';
import { simulatorCars } from '../projections/simulator-cars.ts';
import { uuid } from '../src/domain/fields.ts';
import { query, view } from '../src/domain/query.ts';

const { simulatorId, carId, ...mapping } = SimulatorCar.shape;

export const simulatorCarQuery = query(simulatorCars, {
  view: view('SimulatorCar', {
    simulatorId,
    simulatorDisplayName: z.string(),
    carId,
    carDisplayName: z.string(),
    carBrandId: uuid,
    carBrandDisplayName: z.string(),
    carClassId: uuid,
    carClassDisplayName: z.string(),
    ...mapping,
  }),
  defaultSort: 'carDisplayName',
  only: { _mapped: true },
});
