import { expect } from 'chai';
import { simulatorCars } from '../../projections/simulator-cars.ts';
import { simulatorLayouts } from '../../projections/simulator-layouts.ts';
import { simulatorCarQuery } from '../../queries/simulator-cars.ts';
import { simulatorLayoutQuery } from '../../queries/simulator-layouts.ts';
import { pick } from '../../src/service/kernel/json.ts';
import { builtInProjections } from '../../src/service/resources/read-models.ts';
import { layoutAdded, told } from '../support/history/lap-events.ts';
import { givenHistory } from '../support/kernel/projecting.ts';

const carKeys = { simulatorId: 'sim', carId: 'gt3' };
const layoutKeys = { simulatorId: 'sim', trackLayoutId: 'spa' };

/** The mappings, what happens while they are taken back, and what they are shown with then. */
const MAPPINGS = [
  {
    ...{ model: simulatorCars, query: simulatorCarQuery, stream: 'simulatorCar-sim:gt3', name: 'Car' },
    ...{ made: { ...carKeys, simulatorIdentifier: 'p992', contentId: null } },
    ...{ again: { ...carKeys, simulatorIdentifier: 'p', contentId: 'dlc' } },
    meanwhile: [
      told('car-gt3', 'CarRenamed', { modelName: '911 GT3' }),
      told('car-gt3', 'CarMovedToClass', { from: 'gt3', to: 'gt4' }),
    ],
    shown: {
      simulatorId: 'sim',
      simulatorDisplayName: 'iRacing',
      carId: 'gt3',
      carDisplayName: '911 GT3',
      carBrandId: 'porsche',
      carBrandDisplayName: 'Porsche',
      carClassId: 'gt4',
      carClassDisplayName: 'GT4',
      simulatorIdentifier: 'p',
      contentId: 'dlc',
    },
  },
  {
    ...{ model: simulatorLayouts, query: simulatorLayoutQuery, stream: 'simulatorLayout-sim:spa', name: 'TrackLayout' },
    ...{ made: { ...layoutKeys, simulatorIdentifier: 'spa_2024' } },
    ...{ again: { ...layoutKeys, simulatorIdentifier: 'spa' } },
    meanwhile: [
      told('simulator-sim', 'SimulatorRenamed', { displayName: 'iR' }),
      told('trackLayout-spa', 'TrackLayoutRenamed', { displayName: 'Spa GP' }),
    ],
    shown: {
      simulatorId: 'sim',
      simulatorDisplayName: 'iR',
      trackLayoutId: 'spa',
      trackLayoutDisplayName: 'Spa GP',
      simulatorIdentifier: 'spa',
    },
  },
] as const;

const before = [
  told('simulator-sim', 'SimulatorAdded', { displayName: 'iRacing' }),
  told('carBrand-porsche', 'CarBrandAdded', { displayName: 'Porsche' }),
  told('carClass-gt3', 'CarClassAdded', { displayName: 'GT3' }),
  told('carClass-gt4', 'CarClassAdded', { displayName: 'GT4' }),
  told('car-gt3', 'CarAdded', { brandId: 'porsche', carClassId: 'gt3', modelName: '911', enabled: true }),
  layoutAdded('spa', 'Spa'),
];

for (const { model, query, stream, name, made, again, meanwhile, shown } of MAPPINGS) {
  describe(`mappings of ${model.collection} as they are read`, () => {
    const history = [...before, told(stream, `${name}Mapped`, made), told(stream, `${name}Unmapped`)];
    const documentAfter = async (...more: readonly (typeof before)[number][]) => {
      const { models } = await givenHistory(builtInProjections, ...history, ...more);
      return (await models.get(model.collection, stream.slice(stream.indexOf('-') + 1))) ?? expect.fail('no document');
    };

    it('are marked when taken back, and stay for the day they are made again, with the names of that day', async () => {
      expect(await documentAfter()).to.include({ ...made, _mapped: false, _created: 7, _position: 8, _revision: 1 });
      const document = await documentAfter(...meanwhile, told(stream, `${name}Remapped`, again));
      expect(document).to.include({ _mapped: true, _created: 7, _position: 11, _revision: 2 });
      expect(Object.entries(pick(document, query.shown)), 'in the order of the interface').to.deep.equal(
        Object.entries(shown),
      );
      expect(query.only).to.deep.equal({ _mapped: true });
    });
  });
}
