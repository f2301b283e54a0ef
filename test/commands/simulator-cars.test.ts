import { changeCarMapping, mapCar, simulatorCarDecider } from '../../commands/simulator-cars.ts';
import { UNMAP } from '../../src/service/domain/mappings.ts';
import { given, happened } from '../support/kernel/given.ts';

const simulatorId = '0190a000-0000-7000-8000-000000000001';
const carId = '0190a000-0000-7000-8000-000000000002';
const body = { carId, simulatorIdentifier: 'porsche_992', contentId: 'dlc-7' };
const map = mapCar.commands(body, { simulatorId });
const mapped = happened('CarMapped', { simulatorId, ...body });
const unmapped = happened('CarUnmapped');
const change = (fields: object) => changeCarMapping.commands(changeCarMapping.body.parse(fields), {});

describe('the mapping of a car', () => {
  it('is made once', () => {
    given(simulatorCarDecider)
      .when(...map)
      .thenOnce('TAKEN', mapped);
    given(simulatorCarDecider, mapped)
      .when(...map)
      .thenRejected('TAKEN', '/carId');
  });

  it('gets another identifier and other content', () => {
    given(simulatorCarDecider, mapped)
      .when(...change({ simulatorIdentifier: 'p992', contentId: 'dlc-8' }))
      .then(
        happened('CarIdentifierChanged', { simulatorIdentifier: 'p992' }),
        happened('CarContentChanged', { contentId: 'dlc-8' }),
      );
    given(simulatorCarDecider, mapped)
      .when(...change({ simulatorIdentifier: 'porsche_992' }))
      .thenNothing();
    given(simulatorCarDecider, mapped)
      .when(...change(body))
      .thenNothing();
    given(simulatorCarDecider, mapped)
      .when(...change({ simulatorIdentifier: 'porsche_992', contentId: null }))
      .then(happened('CarContentChanged', { contentId: null }));
  });

  it('is taken back, and is then as good as none', () => {
    given(simulatorCarDecider, mapped).when(UNMAP).thenOnce('NOT_FOUND', unmapped);
    for (const history of [[], [mapped, unmapped]]) {
      given(simulatorCarDecider, ...history)
        .when(UNMAP)
        .thenRejected('NOT_FOUND');
      given(simulatorCarDecider, ...history)
        .when(...change(body))
        .thenRejected('NOT_FOUND');
    }
  });

  it('is made again, with nothing of what it was before', () => {
    const again = { simulatorId, carId, simulatorIdentifier: 'p992', contentId: null };
    given(simulatorCarDecider, mapped, unmapped)
      .when(...mapCar.commands({ carId, simulatorIdentifier: 'p992', contentId: null }, { simulatorId }))
      .thenOnce('TAKEN', happened('CarRemapped', again));
    given(simulatorCarDecider, mapped, unmapped, happened('CarRemapped', again))
      .when(...change({ simulatorIdentifier: 'p992', contentId: null }))
      .thenNothing();
  });
});
