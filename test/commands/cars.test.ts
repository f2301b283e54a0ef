import { expect } from 'chai';
import { addCar, carDecider, changeCar } from '../../commands/cars.ts';
import { bodies } from '../support/api/bodies.ts';
import { given, happened } from '../support/kernel/given.ts';

const PORSCHE = '00000000-0000-7000-8000-0000000000b1';
const AUDI = '00000000-0000-7000-8000-0000000000b2';
const GT3 = '00000000-0000-7000-8000-0000000000c1';
const CUP = '00000000-0000-7000-8000-0000000000c2';

const car = { brandId: PORSCHE, modelName: '911', carClassId: GT3, enabled: true };
const added = happened('CarAdded', car);

describe('car', () => {
  it('is added', () => {
    given(carDecider).when({ type: 'AddCar', data: car }).then(added);
  });

  it('says what changed, and where it moved from', () => {
    given(carDecider, added)
      .when({ type: 'ChangeCar', data: { brandId: AUDI, modelName: 'R8', carClassId: CUP } })
      .then(
        happened('CarRenamed', { modelName: 'R8' }),
        happened('CarMovedToBrand', { from: PORSCHE, to: AUDI }),
        happened('CarMovedToClass', { from: GT3, to: CUP }),
      );
    given(carDecider, added)
      .when({ type: 'ChangeCar', data: { brandId: PORSCHE, carClassId: CUP } })
      .then(happened('CarMovedToClass', { from: GT3, to: CUP }));
  });

  it('remembers where it moved to', () => {
    given(carDecider, added, happened('CarMovedToBrand', { from: PORSCHE, to: AUDI }))
      .when({ type: 'ChangeCar', data: { brandId: PORSCHE } })
      .then(happened('CarMovedToBrand', { from: AUDI, to: PORSCHE }));
  });

  it('records nothing when nothing changes', () => {
    given(carDecider, added).when({ type: 'ChangeCar', data: car }).thenNothing();
    given(carDecider, added).when({ type: 'ChangeCar', data: {} }).thenNothing();
  });

  it('is disabled once, and enabled again', () => {
    const disabled = happened('CarDisabled');
    given(carDecider, added)
      .when({ type: 'ChangeCar', data: { enabled: false } })
      .then(disabled);
    given(carDecider, added, disabled)
      .when({ type: 'ChangeCar', data: { enabled: false } })
      .thenNothing();
    given(carDecider, added, disabled)
      .when({ type: 'ChangeCar', data: { enabled: true } })
      .then(happened('CarEnabled'));
  });

  it('cannot be changed before it exists', () => {
    given(carDecider)
      .when({ type: 'ChangeCar', data: { brandId: AUDI } })
      .thenRejected('NOT_FOUND');
  });

  it('refers to its maker and its class', () => {
    for (const { references } of [addCar, changeCar]) {
      expect(references).to.deep.equal({ brandId: 'carBrand', carClassId: 'carClass' });
    }
  });
});

describe('car bodies', () => {
  const { takes, refuses, takesLengths, needsOnly } = bodies(addCar, changeCar, car);

  it('leave out what has a default', () => {
    const { brandId, modelName, carClassId } = car;
    expect(addCar.body.parse({ brandId, modelName, carClassId, colour: 'red' })).to.deep.equal(car);
    needsOnly('brandId', 'modelName', 'carClassId');
  });

  it('hold every field to its bounds', () => {
    takesLengths('modelName', 1, 120);
    refuses('modelName', null, 911);
    takes('brandId', AUDI.toUpperCase());
    refuses('brandId', null, '', 'porsche', `${PORSCHE}0`);
    refuses('carClassId', null, '', 'gt3');
    refuses('enabled', null, 'true', 1);
  });
});
