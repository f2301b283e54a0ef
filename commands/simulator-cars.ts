import { z } from 'zod';
import { commandsFrom } from '../src/domain/body-command.ts';
import { changeOf } from '../src/domain/catalogue.ts';
import { reference } from '../src/domain/references.ts';
import { bodyOf, Id, Text } from '../src/domain/facts.ts';
import { fieldsChanged } from '../src/domain/field-events.ts';
import { described, text } from '../src/domain/fields.ts';
import { mappingDecider } from '../src/domain/mappings.ts';
import { reject } from '../src/kernel/aggregate/rejection.ts';
import { eventType } from '../src/kernel/event-types.ts';

const CarMapped = z.object({ simulatorId: Id, carId: Id, simulatorIdentifier: Text, contentId: Text.nullable() });
export type SimulatorCar = z.output<typeof CarMapped>;

const changes = {
  CarIdentifierChanged: fieldsChanged(CarMapped, 'simulatorIdentifier'),
  CarContentChanged: fieldsChanged(CarMapped, 'contentId'),
};
export const simulatorCarEvents = {
  CarMapped: eventType(CarMapped),
  /** Mapped once more after it had been unmapped. */
  CarRemapped: eventType(CarMapped),
  ...changes,
  CarUnmapped: eventType(z.object({})),
};

export const simulatorCarDecider = mappingDecider<SimulatorCar>({
  category: 'simulatorCar',
  events: simulatorCarEvents,
  mapped: 'CarMapped',
  remapped: 'CarRemapped',
  unmapped: 'CarUnmapped',
  changes,
  taken: reject('TAKEN', 'The car is mapped to this simulator already.', '/carId'),
});

/**
 * The identifier and `contentId` have the bounds of a track layout's identifier, as docs/interface.md names none
 * (docs/interface.md#simulator-mappings).
 */
export const SimulatorCar = bodyOf(CarMapped, {
  simulatorId: reference('simulator', 'The simulator.'),
  carId: reference('car', 'The car.'),
  simulatorIdentifier: described(text(0, 255), 'What the simulator calls it.', 'porsche_992_gt3_r'),
  contentId: described(
    text(0, 255).nullable(),
    'Id of its content in the simulator, stored as sent; null: none.',
    'porsche_992_gt3_r_dlc',
  ),
});

const { simulatorIdentifier, contentId } = SimulatorCar.shape;
export const mapCar = commandsFrom('MapCar', {
  body: SimulatorCar.omit({ simulatorId: true }).extend({ contentId: contentId.default(null) }),
  commands: (sent, { simulatorId = '' }) => [{ type: 'Map', data: { simulatorId, ...sent } } as const],
});
export const changeCarMapping = changeOf(
  'ChangeCarMapping',
  z.object({ simulatorIdentifier, contentId: contentId.optional() }),
);
