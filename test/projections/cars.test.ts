import { expect } from 'chai';
import { carEvents } from '../../commands/cars.ts';
import { carBrandsProjection } from '../../projections/car-brands.ts';
import { carClassesProjection } from '../../projections/car-classes.ts';
import { cars, carsProjection } from '../../projections/cars.ts';
import { itFollows } from '../support/event-store/following.ts';
import { givenHistory, minute } from '../support/kernel/projecting.ts';

const PORSCHE = '00000000-0000-7000-8000-0000000000b1';
const AUDI = '00000000-0000-7000-8000-0000000000b2';
const GT3 = '00000000-0000-7000-8000-0000000000c1';
const CUP = '00000000-0000-7000-8000-0000000000c2';
const GROUP = [carBrandsProjection, carClassesProjection, carsProjection];

const brandAdded = (id: string, displayName: string) => ({
  stream: `carBrand-${id}`,
  type: 'CarBrandAdded',
  data: { displayName, slug: 'slug', logo: '', svg: false, country: 'DEU', enabled: true },
});
const classAdded = (id: string, displayName: string) => ({
  stream: `carClass-${id}`,
  type: 'CarClassAdded',
  data: { displayName, shortName: displayName, logo: '', svg: false, enabled: true },
});
const carAdded = (stream: string, brandId: string, carClassId: string) => ({
  stream,
  type: 'CarAdded',
  data: { brandId, modelName: '911', carClassId, enabled: true },
});

const history = [
  brandAdded(PORSCHE, 'Porsche'),
  brandAdded(AUDI, 'Audi'),
  classAdded(GT3, 'GT3'),
  classAdded(CUP, 'Cup'),
  carAdded('car-1', PORSCHE, GT3),
];
const shown = {
  id: '1',
  brandId: PORSCHE,
  brandDisplayName: 'Porsche',
  modelName: '911',
  carClassId: GT3,
  carClassDisplayName: 'GT3',
  enabled: true,
  createdAt: minute(4),
  updatedAt: minute(4),
  _created: 5,
  _position: 5,
  _revision: 0,
};

describe('cars projection', () => {
  it('shows a new car with the names of its maker and class', async () => {
    const { thenDocument } = await givenHistory(GROUP, ...history);
    expect(await thenDocument(cars, '1')).to.deep.equal(shown);
  });

  itFollows({
    projections: GROUP,
    model: cars,
    born: history,
    events: carEvents,
    created: 'CarAdded',
    changes: {
      CarRenamed: { data: { modelName: '992' }, shows: { modelName: '992' } },
      CarMovedToBrand: { data: { from: PORSCHE, to: AUDI }, shows: { brandId: AUDI, brandDisplayName: 'Audi' } },
      CarMovedToClass: { data: { from: GT3, to: CUP }, shows: { carClassId: CUP, carClassDisplayName: 'Cup' } },
      CarDisabled: { data: {}, shows: { enabled: false } },
      CarEnabled: { data: {}, shows: { enabled: true } },
    },
  });

  it('shows the new name of a maker on its cars alone', async () => {
    const { thenDocument } = await givenHistory(GROUP, ...history, carAdded('car-2', AUDI, GT3), {
      stream: `carBrand-${PORSCHE}`,
      type: 'CarBrandRenamed',
      data: { displayName: 'Porsche AG' },
    });
    expect(await thenDocument(cars, '1')).to.deep.equal({ ...shown, brandDisplayName: 'Porsche AG', _position: 7 });
    expect(await thenDocument(cars, '2')).to.include({ brandDisplayName: 'Audi', _position: 6 });
  });

  it('shows the new name of a class on its cars alone', async () => {
    const { thenDocument } = await givenHistory(GROUP, ...history, carAdded('car-2', PORSCHE, CUP), {
      stream: `carClass-${GT3}`,
      type: 'CarClassRenamed',
      data: { displayName: 'FIA GT3' },
    });
    expect(await thenDocument(cars, '1')).to.deep.equal({ ...shown, carClassDisplayName: 'FIA GT3', _position: 7 });
    expect(await thenDocument(cars, '2')).to.include({ carClassDisplayName: 'Cup', _position: 6 });
  });

  it('follows the names of the maker and class that a car moved to, not of those it left', async () => {
    const { thenDocument } = await givenHistory(
      GROUP,
      ...history,
      { stream: `carBrand-${AUDI}`, type: 'CarBrandRenamed', data: { displayName: 'Audi Sport' } },
      { stream: 'car-1', type: 'CarMovedToBrand', data: { from: PORSCHE, to: AUDI } },
      { stream: 'car-1', type: 'CarMovedToClass', data: { from: GT3, to: CUP } },
      { stream: `carBrand-${PORSCHE}`, type: 'CarBrandRenamed', data: { displayName: 'Porsche AG' } },
      { stream: `carClass-${GT3}`, type: 'CarClassRenamed', data: { displayName: 'FIA GT3' } },
      { stream: `carClass-${CUP}`, type: 'CarClassRenamed', data: { displayName: 'Carrera Cup' } },
    );
    expect(await thenDocument(cars, '1')).to.include({
      brandDisplayName: 'Audi Sport',
      carClassDisplayName: 'Carrera Cup',
      _position: 11,
      _revision: 2,
    });
  });
});
