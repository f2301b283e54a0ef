import { expect } from 'chai';
import { simulatorCars } from '../../projections/simulator-cars.ts';
import { simulatorLayouts } from '../../projections/simulator-layouts.ts';
import { builtInProjections } from '../../src/service/resources/built-in.ts';
import { layoutAdded, eventOn } from '../support/history/lap-events.ts';
import { givenHistory, type HistoryEvent } from '../support/kernel/projecting.ts';

const carKeys = { simulatorId: 'sim', carId: 'gt3' };
const layoutKeys = { simulatorId: 'sim', trackLayoutId: 'spa' };

/** The mappings, and how they are made again. */
const MAPPINGS = [
  {
    model: simulatorCars,
    stream: 'simulatorCar-sim:gt3',
    name: 'Car',
    made: { ...carKeys, simulatorIdentifier: 'p992', contentId: 'dlc' },
    again: { ...carKeys, simulatorIdentifier: 'p', contentId: null },
  },
  {
    model: simulatorLayouts,
    stream: 'simulatorLayout-sim:spa',
    name: 'TrackLayout',
    made: { ...layoutKeys, simulatorIdentifier: 'spa_2024' },
    again: { ...layoutKeys, simulatorIdentifier: 'spa' },
  },
] as const;

const before = [
  eventOn('simulator-sim', 'SimulatorAdded', { displayName: 'iRacing' }),
  eventOn('carBrand-porsche', 'CarBrandAdded', { displayName: 'Porsche' }),
  eventOn('carClass-gt3', 'CarClassAdded', { displayName: 'GT3' }),
  eventOn('carClass-gt4', 'CarClassAdded', { displayName: 'GT4' }),
  eventOn('car-gt3', 'CarAdded', { brandId: 'porsche', carClassId: 'gt3', modelName: '911', enabled: true }),
  layoutAdded('spa', 'Spa'),
];

/** What happens while a mapping is taken back. */
const meanwhile = [
  eventOn('simulator-sim', 'SimulatorRenamed', { displayName: 'iR' }),
  eventOn('car-gt3', 'CarRenamed', { modelName: '911 GT3' }),
  eventOn('car-gt3', 'CarMovedToClass', { from: 'gt3', to: 'gt4' }),
  eventOn('trackLayout-spa', 'TrackLayoutRenamed', { displayName: 'Spa GP' }),
];

for (const { model, stream, name, made, again } of MAPPINGS) {
  describe(`mappings of ${model.collection} as they are read`, () => {
    const after = async (...history: readonly HistoryEvent[]) => {
      const { models } = await givenHistory(builtInProjections, ...before, ...history);
      return (await models.get(model.collection, stream.slice(stream.indexOf('-') + 1))) ?? expect.fail('no document');
    };
    const takenBack = [eventOn(stream, `${name}Mapped`, made), eventOn(stream, `${name}Unmapped`)];

    it('are marked when removed, and are created again as if new, with the present names', async () => {
      expect(await after(...takenBack)).to.include({
        ...made,
        _mapped: false,
        _created: 7,
        _position: 8,
        _revision: 1,
      });
      const fresh = await after(...meanwhile, eventOn(stream, `${name}Mapped`, again));
      expect(await after(...takenBack, ...meanwhile, eventOn(stream, `${name}Remapped`, again))).to.deep.equal({
        ...fresh,
        _created: 7,
        _position: 13,
        _revision: 2,
        _updatedAt: '2026-01-01T12:12:00.000Z',
      });
    });
  });
}
