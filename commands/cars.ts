import { z } from 'zod';
import { additionOf, catalogueDecider, changeOf } from '../src/domain/catalogue.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { reference } from '../src/domain/references.ts';
import { bodyOf, Flag, Id, Text } from '../src/domain/facts.ts';
import { fieldsChanged, flagSet, referenceMoved } from '../src/domain/field-events.ts';
import { described, enabled, text } from '../src/domain/fields.ts';
import { eventType } from '../src/kernel/event-types.ts';

const CarAdded = z.object({ brandId: Id, modelName: Text, carClassId: Id, enabled: Flag });
/** A car model; `brandId` names the maker, not a sponsor. */
export type Car = z.output<typeof CarAdded>;

export const carEvents = {
  CarAdded: eventType(CarAdded),
  CarRenamed: fieldsChanged(CarAdded, 'modelName'),
  CarMovedToBrand: referenceMoved('brandId'),
  CarMovedToClass: referenceMoved('carClassId'),
  CarEnabled: flagSet('enabled', true),
  CarDisabled: flagSet('enabled', false),
};

export const carDecider = catalogueDecider('car', carEvents, { added: 'CarAdded' });

export const Car = bodyOf(CarAdded, {
  brandId: reference('carBrand', 'The maker: a car brand.'),
  modelName: described(text(1, 120), 'Name of the model.', EXAMPLES.car.name),
  carClassId: reference('carClass', 'The class that it is driven in.'),
  enabled,
});

export const addCar = additionOf('AddCar', Car.extend({ enabled: enabled.default(true) }));
export const changeCar = changeOf('ChangeCar', Car.partial());
