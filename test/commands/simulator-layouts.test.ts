import { changeTrackLayoutMapping, mapTrackLayout, simulatorLayoutDecider } from '../../commands/simulator-layouts.ts';
import { UNMAP } from '../../src/service/domain/mappings.ts';
import { given, happened } from '../support/kernel/given.ts';

const simulatorId = '0190a000-0000-7000-8000-000000000001';
const trackLayoutId = '0190a000-0000-7000-8000-000000000002';
const body = { trackLayoutId, simulatorIdentifier: 'spa_2024' };
const map = mapTrackLayout.commands(body, { simulatorId });
const mapped = happened('TrackLayoutMapped', { simulatorId, ...body });
const unmapped = happened('TrackLayoutUnmapped');
const rename = (simulatorIdentifier: string) => changeTrackLayoutMapping.commands({ simulatorIdentifier }, {});

describe('the mapping of a track layout', () => {
  it('is made once', () => {
    given(simulatorLayoutDecider)
      .when(...map)
      .thenOnce('TAKEN', mapped);
    given(simulatorLayoutDecider, mapped)
      .when(...map)
      .thenRejected('TAKEN', '/trackLayoutId');
  });

  it('gets another identifier', () => {
    given(simulatorLayoutDecider, mapped)
      .when(...rename('spa'))
      .then(happened('TrackLayoutIdentifierChanged', { simulatorIdentifier: 'spa' }));
    given(simulatorLayoutDecider, mapped)
      .when(...rename('spa_2024'))
      .thenNothing();
  });

  it('is taken back, and is then as good as none', () => {
    given(simulatorLayoutDecider, mapped).when(UNMAP).thenOnce('NOT_FOUND', unmapped);
    for (const history of [[], [mapped, unmapped]]) {
      given(simulatorLayoutDecider, ...history)
        .when(UNMAP)
        .thenRejected('NOT_FOUND');
      given(simulatorLayoutDecider, ...history)
        .when(...rename('spa'))
        .thenRejected('NOT_FOUND');
    }
  });

  it('is made again, and taken back again', () => {
    const remapped = happened('TrackLayoutRemapped', { simulatorId, ...body });
    given(simulatorLayoutDecider, mapped, unmapped)
      .when(...map)
      .thenOnce('TAKEN', remapped);
    given(simulatorLayoutDecider, mapped, unmapped, remapped).when(UNMAP).thenOnce('NOT_FOUND', unmapped);
    const renamed = happened('TrackLayoutRemapped', { simulatorId, trackLayoutId, simulatorIdentifier: 'spa' });
    given(simulatorLayoutDecider, mapped, unmapped, renamed)
      .when(...rename('spa'))
      .thenNothing();
  });
});
