import { z } from 'zod';
import { bodyCommand, type CommandOf, type PartialUpdate } from '../src/service/domain/body-command.ts';
import { changesTo, evolvedBy, fieldsChanged, flagSet, referenceMoved } from '../src/service/domain/field-events.ts';
import { EXAMPLES, reference } from '../src/service/domain/examples.ts';
import { described, enabled, text } from '../src/service/domain/fields.ts';
import { decider, whenAbsent, whenPresent } from '../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../src/service/kernel/event-types.ts';

/** A car model; `brandId` names the maker, not a sponsor. */
export const Car = z.object({
  brandId: reference('carBrand', 'The maker: a car brand.'),
  modelName: described(text(1, 120), 'Name of the model.', EXAMPLES.car.name),
  carClassId: reference('carClass', 'The class that it is driven in.'),
  enabled,
});
export type Car = z.output<typeof Car>;

const carReferences = { brandId: 'carBrand', carClassId: 'carClass' } as const;

const changes = {
  CarRenamed: fieldsChanged(Car.pick({ modelName: true })),
  CarMovedToBrand: referenceMoved('brandId'),
  CarMovedToClass: referenceMoved('carClassId'),
  CarEnabled: flagSet('enabled', true),
  CarDisabled: flagSet('enabled', false),
};
export const carEvents = { CarAdded: eventType(Car), ...changes };

export type CarCommand = CommandOf<{ AddCar: Car; ChangeCar: PartialUpdate<Car> }>;

export const carDecider = decider<Car | null, CarCommand, typeof carEvents>({
  category: 'car',
  initial: null,
  events: carEvents,
  evolve: { CarAdded: (_, data) => data, ...evolvedBy(changes) },
  decide: {
    AddCar: whenAbsent((data) => [{ type: 'CarAdded', data }]),
    ChangeCar: whenPresent((car, change) => changesTo(changes, car, change)),
  },
});

export const addCar = bodyCommand(carDecider, 'AddCar', {
  body: Car.extend({ enabled: enabled.default(true) }),
  references: carReferences,
});
export const changeCar = bodyCommand(carDecider, 'ChangeCar', { body: Car.partial(), references: carReferences });
