import { z } from 'zod';
import { simulatorCars } from '../projections/simulator-cars.ts';
import { uuid } from '../src/domain/fields.ts';
import { query } from '../src/domain/query.ts';

const SimulatorCarView = z
  .object({
    simulatorId: uuid,
    simulatorDisplayName: z.string(),
    carId: uuid,
    carDisplayName: z.string(),
    carBrandId: uuid,
    carBrandDisplayName: z.string(),
    carClassId: uuid,
    carClassDisplayName: z.string(),
    simulatorIdentifier: z.string(),
    contentId: z.string().nullable(),
  })
  .meta({ id: 'SimulatorCar' });

export const simulatorCarQuery = query(simulatorCars, {
  view: SimulatorCarView,
  defaultSort: 'carDisplayName',
  only: { _mapped: true },
});
