import { expect } from 'chai';
import { carBrandsProjection } from '../../projections/car-brands.ts';
import { carClassesProjection } from '../../projections/car-classes.ts';
import { carsProjection } from '../../projections/cars.ts';
import { simulatorCars, simulatorCarsProjection } from '../../projections/simulator-cars.ts';
import { simulatorsProjection } from '../../projections/simulators.ts';
import { simulatorCarQuery } from '../../queries/simulator-cars.ts';
import { show } from '../../src/service/domain/query.ts';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { givenHistory, type HistoryEvent } from '../support/kernel/projecting.ts';

const told = (stream: string, type: string, data: JsonObject = {}): HistoryEvent => ({ stream, type, data });
const mapping = (type: string, data: JsonObject = {}): HistoryEvent => told('simulatorCar-sim:gt3', type, data);
const keys = { simulatorId: 'sim', carId: 'gt3' };

const before: readonly HistoryEvent[] = [
  told('simulator-sim', 'SimulatorAdded', { displayName: 'iRacing' }),
  told('carBrand-porsche', 'CarBrandAdded', { displayName: 'Porsche' }),
  told('carBrand-audi', 'CarBrandAdded', { displayName: 'Audi' }),
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
  _created: 7,
  _position: 7,
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
  it('show the names of simulator, car, maker and class', async () => {
    expect(await mappingAfter()).to.deep.equal(fresh);
  });

  it('show what an event says is new', async () => {
    const later = { ...fresh, _position: 8, _revision: 1 };
    expect(await mappingAfter(mapping('CarIdentifierChanged', { simulatorIdentifier: 'p' }))).to.deep.equal({
      ...later,
      simulatorIdentifier: 'p',
    });
    expect(await mappingAfter(mapping('CarContentChanged', { contentId: 'dlc' }))).to.deep.equal({
      ...later,
      contentId: 'dlc',
    });
  });

  it('are marked when taken back, and stay for the day they are made again, with the names of that day', async () => {
    const unmapped = mapping('CarUnmapped');
    expect(await mappingAfter(unmapped)).to.deep.equal({ ...fresh, _mapped: false, _position: 8, _revision: 1 });
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
      _position: 11,
      _revision: 2,
    });
  });

  it('follow every name', async () => {
    const renames: readonly (readonly [HistoryEvent, JsonObject])[] = [
      [told('simulator-sim', 'SimulatorRenamed', { displayName: 'iR' }), { simulatorDisplayName: 'iR' }],
      [told('car-gt3', 'CarRenamed', { modelName: '911 GT3' }), { carDisplayName: '911 GT3' }],
      [told('carBrand-porsche', 'CarBrandRenamed', { displayName: 'AG' }), { carBrandDisplayName: 'AG' }],
      [told('carClass-gt3', 'CarClassRenamed', { displayName: 'FIA GT3' }), { carClassDisplayName: 'FIA GT3' }],
    ];
    for (const [renamed, names] of renames) {
      expect(await mappingAfter(renamed), renamed.type).to.deep.equal({ ...fresh, ...names, _position: 8 });
    }
  });

  it('follow their car to another maker and class, and only these from then on', async () => {
    const moved = [
      told('car-gt3', 'CarMovedToBrand', { from: 'porsche', to: 'audi' }),
      told('car-gt3', 'CarMovedToClass', { from: 'gt3', to: 'gt4' }),
    ];
    const names = { carBrandId: 'audi', carBrandDisplayName: 'Audi', carClassId: 'gt4', carClassDisplayName: 'GT4' };
    const there = { ...fresh, ...names, _position: 9 };
    expect(await mappingAfter(...moved)).to.deep.equal(there);
    expect(
      await mappingAfter(
        ...moved,
        told('carBrand-porsche', 'CarBrandRenamed', { displayName: 'P' }),
        told('carClass-gt3', 'CarClassRenamed', { displayName: 'C' }),
      ),
    ).to.deep.equal(there);
    expect(
      await mappingAfter(...moved, told('carBrand-audi', 'CarBrandRenamed', { displayName: 'Audi Sport' })),
    ).to.deep.equal({ ...there, carBrandDisplayName: 'Audi Sport', _position: 10 });
  });

  it('are shown without an id', () => {
    expect(Object.keys(show(simulatorCarQuery, fresh)).join()).to.equal(
      'simulatorId,simulatorDisplayName,carId,carDisplayName,carBrandId,carBrandDisplayName,carClassId,' +
        'carClassDisplayName,simulatorIdentifier,contentId',
    );
    expect(simulatorCarQuery.only).to.deep.equal({ _mapped: true });
  });
});
