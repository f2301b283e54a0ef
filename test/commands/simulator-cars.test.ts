import { expect } from 'chai';
import { changeCarMapping, mapCar, simulatorCarDecider, unmapCar } from '../../commands/simulator-cars.ts';
import { letters } from '../support/api/bodies.ts';
import { given, happened } from '../support/kernel/given.ts';

const simulatorId = '0190a000-0000-7000-8000-000000000001';
const carId = '0190a000-0000-7000-8000-000000000002';
const body = { carId, simulatorIdentifier: 'porsche_992', contentId: 'dlc-7' };
const map = mapCar.command(body, { simulatorId });
const mapped = happened('CarMapped', { simulatorId, ...body });
const unmapped = happened('CarUnmapped');
const change = (fields: object) => changeCarMapping.command(changeCarMapping.body.parse(fields), {});

describe('the mapping of a car', () => {
  it('is made once', () => {
    given(simulatorCarDecider).when(map).thenOnce('TAKEN', mapped);
    given(simulatorCarDecider, mapped).when(map).thenRejected('TAKEN', '/carId');
  });

  it('gets another identifier and other content', () => {
    given(simulatorCarDecider, mapped)
      .when(change({ simulatorIdentifier: 'p992', contentId: 'dlc-8' }))
      .then(
        happened('CarIdentifierChanged', { simulatorIdentifier: 'p992' }),
        happened('CarContentChanged', { contentId: 'dlc-8' }),
      );
    given(simulatorCarDecider, mapped)
      .when(change({ simulatorIdentifier: 'porsche_992' }))
      .thenNothing();
    given(simulatorCarDecider, mapped).when(change(body)).thenNothing();
    given(simulatorCarDecider, mapped)
      .when(change({ simulatorIdentifier: 'porsche_992', contentId: null }))
      .then(happened('CarContentChanged', { contentId: null }));
  });

  it('is taken back, and is then as good as none', () => {
    given(simulatorCarDecider, mapped).when(unmapCar).thenOnce('NOT_FOUND', unmapped);
    for (const history of [[], [mapped, unmapped]]) {
      given(simulatorCarDecider, ...history)
        .when(unmapCar)
        .thenRejected('NOT_FOUND');
      given(simulatorCarDecider, ...history)
        .when(change(body))
        .thenRejected('NOT_FOUND');
    }
  });

  it('is made again, with nothing of what it was before', () => {
    const again = { simulatorId, carId, simulatorIdentifier: 'p992', contentId: null };
    given(simulatorCarDecider, mapped, unmapped)
      .when(mapCar.command({ carId, simulatorIdentifier: 'p992', contentId: null }, { simulatorId }))
      .thenOnce('TAKEN', happened('CarRemapped', again));
    given(simulatorCarDecider, mapped, unmapped, happened('CarRemapped', again))
      .when(change({ simulatorIdentifier: 'p992', contentId: null }))
      .thenNothing();
  });

  it('needs a car and an identifier, and has content or null', () => {
    const accepts = (fields: object): boolean => mapCar.body.safeParse({ ...body, ...fields }).success;
    const acceptsChange = (fields: object): boolean =>
      changeCarMapping.body.safeParse({ simulatorIdentifier: 'p992', ...fields }).success;
    const bare = { carId, simulatorIdentifier: '' };
    expect(mapCar.body.parse(bare)).to.deep.equal({ ...bare, contentId: null });
    expect(changeCarMapping.body.parse({ simulatorIdentifier: '' })).to.deep.equal({ simulatorIdentifier: '' });
    for (const car of [undefined, null, 'porsche']) expect(accepts({ carId: car })).to.equal(false);
    for (const check of [accepts, acceptsChange]) {
      for (const field of ['simulatorIdentifier', 'contentId']) {
        for (const good of ['', letters(254), letters(255)]) expect(check({ [field]: good }), field).to.equal(true);
        for (const bad of [letters(256), 7]) expect(check({ [field]: bad }), field).to.equal(false);
      }
      for (const identifier of [undefined, null]) expect(check({ simulatorIdentifier: identifier })).to.equal(false);
      expect(check({ contentId: null })).to.equal(true);
    }
  });
});
