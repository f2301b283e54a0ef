import { z } from 'zod';
import { bodyCommand, commandFrom, type CommandOf, type PartialUpdate } from '../src/service/domain/body-command.ts';
import { changesTo, evolvedBy, fieldsChanged } from '../src/service/domain/field-events.ts';
import { reference } from '../src/service/domain/examples.ts';
import { described, text } from '../src/service/domain/fields.ts';
import { isMapped, whenMapped } from '../src/service/domain/mappings.ts';
import { decider, evolveExisting, reject } from '../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../src/service/kernel/event-types.ts';

/**
 * What a simulator calls a car. docs/interface.md names no bounds: the identifier has that of a track layout's, and so
 * has `contentId` (docs/interface.md#simulator-mappings).
 */
export const SimulatorCar = z.object({
  simulatorId: reference('simulator', 'The simulator.'),
  carId: reference('car', 'The car.'),
  simulatorIdentifier: described(text(0, 255), 'What the simulator calls it.', 'porsche_992_gt3_r'),
  contentId: described(
    text(0, 255).nullable(),
    'Id of its content in the simulator, kept as sent; null: none.',
    'porsche_992_gt3_r_dlc',
  ),
});
export type SimulatorCar = z.output<typeof SimulatorCar>;

const changes = {
  CarIdentifierChanged: fieldsChanged(SimulatorCar.pick({ simulatorIdentifier: true })),
  CarContentChanged: fieldsChanged(SimulatorCar.pick({ contentId: true })),
};
export const simulatorCarEvents = {
  CarMapped: eventType(SimulatorCar),
  /** Mapped once more after it had been unmapped. */
  CarRemapped: eventType(SimulatorCar),
  ...changes,
  CarUnmapped: eventType(z.object({})),
};

export type SimulatorCarCommand = CommandOf<{
  MapCar: SimulatorCar;
  ChangeCarMapping: PartialUpdate<SimulatorCar>;
  UnmapCar: Record<string, never>;
}>;

type State = (SimulatorCar & { readonly mapped: boolean }) | null;

/** Streams have the id `mappingId(simulatorId, carId)`. */
export const simulatorCarDecider = decider<State, SimulatorCarCommand, typeof simulatorCarEvents>({
  category: 'simulatorCar',
  initial: null,
  exists: isMapped,
  events: simulatorCarEvents,
  evolve: {
    CarMapped: (_, data) => ({ ...data, mapped: true }),
    CarRemapped: (_, data) => ({ ...data, mapped: true }),
    ...evolvedBy(changes),
    CarUnmapped: evolveExisting((state) => ({ ...state, mapped: false })),
  },
  decide: {
    MapCar: (state, data) => {
      if (isMapped(state)) return reject('TAKEN', 'The car is mapped to this simulator already.', '/carId');
      return [{ type: state === null ? 'CarMapped' : 'CarRemapped', data }];
    },
    ChangeCarMapping: whenMapped((state, change) => changesTo(changes, state, change)),
    UnmapCar: whenMapped(() => [{ type: 'CarUnmapped', data: {} }]),
  },
});

const { simulatorIdentifier, contentId } = SimulatorCar.shape;
export const mapCar = commandFrom({
  decider: simulatorCarDecider,
  body: SimulatorCar.omit({ simulatorId: true })
    .extend({ contentId: contentId.default(null) })
    .meta({ id: 'MapCar' }),
  references: { carId: 'car' },
  command: (sent, { simulatorId = '' }): SimulatorCarCommand => ({ type: 'MapCar', data: { simulatorId, ...sent } }),
});
export const changeCarMapping = bodyCommand(simulatorCarDecider, 'ChangeCarMapping', {
  body: z.object({ simulatorIdentifier, contentId: contentId.optional() }),
});
/** Takes a mapping back; it has no body. */
export const unmapCar: SimulatorCarCommand = { type: 'UnmapCar', data: {} };
