import { expect } from 'chai';
import { carBrandsProjection } from '../../projections/car-brands.ts';
import { carClassesProjection } from '../../projections/car-classes.ts';
import { carsProjection } from '../../projections/cars.ts';
import { simulatorCars, simulatorCarsProjection } from '../../projections/simulator-cars.ts';
import { simulatorsProjection } from '../../projections/simulators.ts';
import { simulatorCarQuery } from '../../queries/simulator-cars.ts';
import { pick, type JsonObject } from '../../src/service/kernel/json.ts';
import { givenHistory, type HistoryEvent } from '../support/kernel/projecting.ts';

const told = (stream: string, type: string, data: JsonObject = {}): HistoryEvent => ({ stream, type, data });
const mapping = (type: string, data: JsonObject = {}): HistoryEvent => told('simulatorCar-sim:gt3', type, data);
const keys = { simulatorId: 'sim', carId: 'gt3' };

const before: readonly HistoryEvent[] = [
  told('simulator-sim', 'SimulatorAdded', { displayName: 'iRacing' }),
  told('carBrand-porsche', 'CarBrandAdded', { displayName: 'Porsche' }),
  told('carClass-gt3', 'CarClassAdded', { displayName: 'GT3' }),
  told('carClass-gt4', 'CarClassAdded', { displayName: 'GT4' }),
  told('car-gt3', 'CarAdded', { brandId: 'porsche', carClassId: 'gt3', modelName: '911', enabled: true }),
  mapping('CarMapped', { ...keys, simulatorIdentifier: 'p992', contentId: null }),
];

const fresh = {
  id: 'sim:gt3',
  ...keys,
  simulatorDisplayName: 'iRacing',
  carDisplayName: '911',
  carBrandId: 'porsche',
  carBrandDisplayName: 'Porsche',
  carClassId: 'gt3',
  carClassDisplayName: 'GT3',
  simulatorIdentifier: 'p992',
  contentId: null,
  _mapped: true,
  _created: 6,
  _position: 6,
  _revision: 0,
};

const group = [
  simulatorCarsProjection,
  simulatorsProjection,
  carsProjection,
  carBrandsProjection,
  carClassesProjection,
];

async function mappingAfter(...history: readonly HistoryEvent[]) {
  const { thenDocument } = await givenHistory(group, ...before, ...history);
  return thenDocument(simulatorCars, 'sim:gt3');
}

describe('mappings of cars as they are read', () => {
  it('are marked when taken back, and stay for the day they are made again, with the names of that day', async () => {
    const unmapped = mapping('CarUnmapped');
    expect(await mappingAfter(unmapped)).to.deep.equal({ ...fresh, _mapped: false, _position: 7, _revision: 1 });
    expect(
      await mappingAfter(
        unmapped,
        told('car-gt3', 'CarRenamed', { modelName: '911 GT3' }),
        told('car-gt3', 'CarMovedToClass', { from: 'gt3', to: 'gt4' }),
        mapping('CarRemapped', { ...keys, simulatorIdentifier: 'p', contentId: 'dlc' }),
      ),
    ).to.deep.equal({
      ...fresh,
      carDisplayName: '911 GT3',
      carClassId: 'gt4',
      carClassDisplayName: 'GT4',
      simulatorIdentifier: 'p',
      contentId: 'dlc',
      _position: 10,
      _revision: 2,
    });
  });

  it('are shown without an id', () => {
    expect(Object.keys(pick(fresh, simulatorCarQuery.shown)).join()).to.equal(
      'simulatorId,simulatorDisplayName,carId,carDisplayName,carBrandId,carBrandDisplayName,carClassId,' +
        'carClassDisplayName,simulatorIdentifier,contentId',
    );
    expect(simulatorCarQuery.only).to.deep.equal({ _mapped: true });
  });
});
