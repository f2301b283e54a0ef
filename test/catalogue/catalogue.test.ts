import { expect } from 'chai';
import { addCarBrand } from '../../commands/car-brands.ts';
import { addCarClass } from '../../commands/car-classes.ts';
import { addCar } from '../../commands/cars.ts';
import { mapCar } from '../../commands/simulator-cars.ts';
import { mapTrackLayout } from '../../commands/simulator-layouts.ts';
import { addSimulator } from '../../commands/simulators.ts';
import { addTrackLayout } from '../../commands/track-layouts.ts';
import { addTrack } from '../../commands/tracks.ts';
import {
  CAR_CLASSES,
  CAR_MAPPINGS,
  CARS,
  LAYOUT_MAPPINGS,
  LAYOUTS,
  MAKERS,
  SIMULATORS,
  TRACKS,
} from '../../src/catalogue/catalogue.ts';

const ID = '018f5e7a-3b1c-7c1e-9d55-6a1f0c2b7e06';
const NO_PICTURES = { logo: '', logoWide: '', trackMap: '', trackImages: [] };

/** Records of the catalogue, the body that adds one, and what the record has not. */
const TABLES = [
  { name: 'simulators', rows: SIMULATORS, body: addSimulator.body, more: {} },
  { name: 'tracks', rows: TRACKS, body: addTrack.body, more: {} },
  { name: 'layouts', rows: LAYOUTS, body: addTrackLayout.body, more: { trackId: ID } },
  { name: 'makers', rows: MAKERS, body: addCarBrand.body, more: {} },
  { name: 'car classes', rows: CAR_CLASSES, body: addCarClass.body, more: {} },
  { name: 'cars', rows: CARS, body: addCar.body, more: { brandId: ID, carClassId: ID } },
  { name: 'names of layouts', rows: LAYOUT_MAPPINGS, body: mapTrackLayout.body, more: { trackLayoutId: ID } },
  { name: 'names of cars', rows: CAR_MAPPINGS, body: mapCar.body, more: { carId: ID } },
] as const;

function expectDistinct(values: readonly string[]): void {
  expect(values).to.have.length(new Set(values).size);
}

describe('the starter catalogue', () => {
  for (const { name, rows, body, more } of TABLES) {
    it(`has ${name} that the interface takes`, () => {
      expect(rows).not.to.be.empty;
      for (const row of rows) {
        const { error } = body.safeParse({ ...NO_PICTURES, ...row, ...more });
        expect(error?.issues ?? [], JSON.stringify(row)).to.deep.equal([]);
      }
    });
  }

  it('has each slug once, whatever it is of, so that items can be named by them', () => {
    expectDistinct([
      ...SIMULATORS.map(({ slug }) => slug),
      ...TRACKS.map(({ slug }) => slug),
      ...CAR_CLASSES.map(({ shortName }) => shortName.toLowerCase()),
    ]);
    expectDistinct(LAYOUTS.map(({ slug }) => slug));
    expectDistinct(MAKERS.map(({ slug }) => slug));
    expectDistinct(CARS.map(({ key }) => key));
  });

  it('refers only to what it has', () => {
    const tracks = TRACKS.map(({ slug }) => slug);
    const makers = MAKERS.map(({ slug }) => slug);
    const classes = CAR_CLASSES.map(({ shortName }) => shortName);
    expect(tracks).to.include.members(LAYOUTS.map(({ track }) => track));
    expect(makers).to.include.members(CARS.map(({ maker }) => maker));
    expect(classes).to.include.members(CARS.map(({ carClass }) => carClass));
    const simulators = SIMULATORS.map(({ slug }) => slug);
    expect(simulators).to.include.members([...LAYOUT_MAPPINGS, ...CAR_MAPPINGS].map(({ simulator }) => simulator));
    expect(LAYOUTS.map(({ slug }) => slug)).to.include.members(LAYOUT_MAPPINGS.map(({ layout }) => layout));
    expect(CARS.map(({ key }) => key)).to.include.members(CAR_MAPPINGS.map(({ car }) => car));
  });

  it('has a layout of each track, and a car of each class and each maker', () => {
    expect(new Set(LAYOUTS.map(({ track }) => track))).to.have.property('size', TRACKS.length);
    expect(new Set(CARS.map(({ maker }) => maker))).to.have.property('size', MAKERS.length);
    expect(new Set(CARS.map(({ carClass }) => carClass))).to.have.property('size', CAR_CLASSES.length);
  });

  it('names all corners of a layout, or none', () => {
    for (const { slug, cornerCount, cornerNames } of LAYOUTS)
      if (cornerNames.length > 0) expect(cornerNames.length, slug).to.equal(cornerCount);
  });

  it('names a layout or a car of a simulator once', () => {
    expectDistinct(LAYOUT_MAPPINGS.map(({ simulator, layout }) => `${simulator} ${layout}`));
    expectDistinct(CAR_MAPPINGS.map(({ simulator, car }) => `${simulator} ${car}`));
  });
});
