import { SimulatorCar } from '../commands/simulator-cars.ts';
import { simulatorCars } from '../projections/simulator-cars.ts';
import { referredName } from '../src/domain/references.ts';
import { Car } from '../commands/cars.ts';
import { query, view } from '../src/domain/query.ts';

const { brandId, carClassId } = Car.shape;
const { simulatorId, carId, ...mapping } = SimulatorCar.shape;

export const simulatorCarQuery = query(simulatorCars, {
  view: view('SimulatorCar', 'What a simulator calls a car.', {
    simulatorId,
    simulatorDisplayName: referredName('simulatorId', simulatorId),
    carId,
    carDisplayName: referredName('carId', carId),
    carBrandId: brandId,
    carBrandDisplayName: referredName('carBrandId', brandId),
    carClassId,
    carClassDisplayName: referredName('carClassId', carClassId),
    ...mapping,
  }),
  defaultSort: 'carDisplayName',
  only: { _mapped: true },
});
