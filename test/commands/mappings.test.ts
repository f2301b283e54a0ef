import { changeCarMapping, mapCar, simulatorCarDecider } from '../../commands/simulator-cars.ts';
import { changeTrackLayoutMapping, mapTrackLayout, simulatorLayoutDecider } from '../../commands/simulator-layouts.ts';
import { UNMAP, type Mapping, type MappingCommand } from '../../src/service/domain/mappings.ts';
import type { Decider } from '../../src/service/kernel/aggregate/decider.ts';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import { given, happened } from '../support/kernel/given.ts';

const simulatorId = '0190a000-0000-7000-8000-000000000001';
const mappedId = '0190a000-0000-7000-8000-000000000002';
const car = { carId: mappedId, simulatorIdentifier: 'porsche_992', contentId: 'dlc-7' };
const otherCar = { carId: mappedId, simulatorIdentifier: 'p992', contentId: null };
const layout = { trackLayoutId: mappedId, simulatorIdentifier: 'spa_2024' };
const otherLayout = { trackLayoutId: mappedId, simulatorIdentifier: 'spa' };

interface Mappings<S extends JsonObject> {
  readonly decider: Decider<Mapping<S> | null, MappingCommand<S>>;
  /** How the names of its events begin, and where a second one is refused. */
  readonly name: string;
  readonly pointer: string;
  readonly first: JsonObject;
  readonly other: JsonObject;
  /** The commands that map it so, and that change the mapping to that. */
  readonly map: (body: JsonObject) => readonly MappingCommand<S>[];
  readonly change: (body: JsonObject) => readonly MappingCommand<S>[];
}

/** What the laws of resources do not say of mappings: that they are taken back and made again. */
function itIsMapped<S extends JsonObject>(of: Mappings<S>): void {
  const { decider, name, pointer, first, other, map, change } = of;
  const mapped = happened(`${name}Mapped`, { simulatorId, ...first });
  const unmapped = happened(`${name}Unmapped`);
  const remapped = happened(`${name}Remapped`, { simulatorId, ...other });

  it('is made once', () =>
    given(decider, mapped)
      .when(...map(other))
      .thenRejected('TAKEN', pointer));

  it('is taken back, and is then as good as none', () => {
    given(decider, mapped).when(UNMAP).thenOnce('NOT_FOUND', unmapped);
    for (const history of [[], [mapped, unmapped]]) {
      for (const commands of [[UNMAP], change(other)])
        given(decider, ...history)
          .when(...commands)
          .thenRejected('NOT_FOUND');
    }
  });

  it('is made again, with nothing of what it was before, and taken back again', () => {
    given(decider, mapped, unmapped)
      .when(...map(other))
      .thenOnce('TAKEN', remapped);
    given(decider, mapped, unmapped, remapped)
      .when(...change(other))
      .thenNothing();
    given(decider, mapped, unmapped, remapped).when(UNMAP).thenOnce('NOT_FOUND', unmapped);
  });
}

describe('the mapping of a car', () => {
  itIsMapped({
    ...{ decider: simulatorCarDecider, name: 'Car', pointer: '/carId', first: car, other: otherCar },
    map: (body) => mapCar.commands(mapCar.body.parse(body), { simulatorId }),
    change: (body) => changeCarMapping.commands(changeCarMapping.body.parse(body), {}),
  });
});

describe('the mapping of a track layout', () => {
  itIsMapped({
    ...{ decider: simulatorLayoutDecider, name: 'TrackLayout', pointer: '/trackLayoutId' },
    ...{ first: layout, other: otherLayout },
    map: (body) => mapTrackLayout.commands(mapTrackLayout.body.parse(body), { simulatorId }),
    change: (body) => changeTrackLayoutMapping.commands(changeTrackLayoutMapping.body.parse(body), {}),
  });
});
