import { z } from 'zod';
import { bodyCommand } from '../src/domain/body-command.ts';
import { text, uuid } from '../src/domain/fields.ts';
import { references } from '../src/domain/references.ts';
import { changedFields, eventIf, eventIfChanged, changedReference } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, mergeFields, evolveExisting, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';

const car = { brandId: uuid, modelName: text(1, 120), carClassId: uuid, enabled: z.boolean() };

const AddCarBody = z.object({ ...car, enabled: car.enabled.default(true) }).meta({ id: 'AddCar' });
const ChangeCarBody = z.object(car).partial().meta({ id: 'ChangeCar' });

/** `brandId` names the maker, not a sponsor (SPEC.md "Car"). */
const carReferences = references({ brandId: 'carBrand', carClassId: 'carClass' });

const move = z.object({ from: uuid, to: uuid });

export const carEvents = {
  CarAdded: eventType(z.object(car)),
  CarRenamed: eventType(z.object({ modelName: car.modelName })),
  CarMovedToBrand: eventType(move),
  CarMovedToClass: eventType(move),
  CarEnabled: eventType(z.object({})),
  CarDisabled: eventType(z.object({})),
};

type Car = z.output<typeof AddCarBody>;

export type CarCommand =
  | { readonly type: 'AddCar'; readonly data: Car }
  | { readonly type: 'ChangeCar'; readonly data: z.output<typeof ChangeCarBody> };

export const carDecider = decider<Car | null, CarCommand, typeof carEvents>({
  category: 'car',
  initial: null,
  events: carEvents,
  evolve: {
    CarAdded: (_, data) => data,
    CarRenamed: mergeFields,
    CarMovedToBrand: evolveExisting((state, { to }) => ({ ...state, brandId: to })),
    CarMovedToClass: evolveExisting((state, { to }) => ({ ...state, carClassId: to })),
    CarEnabled: evolveExisting((state) => ({ ...state, enabled: true })),
    CarDisabled: evolveExisting((state) => ({ ...state, enabled: false })),
  },
  decide: {
    AddCar: whenAbsent((data) => [{ type: 'CarAdded', data }]),
    ChangeCar: whenPresent((state, change) => [
      ...eventIfChanged('CarRenamed', changedFields(state, change, 'modelName')),
      ...eventIfChanged('CarMovedToBrand', changedReference(state, change, 'brandId')),
      ...eventIfChanged('CarMovedToClass', changedReference(state, change, 'carClassId')),
      ...eventIf(change.enabled === true && !state.enabled, 'CarEnabled'),
      ...eventIf(change.enabled === false && state.enabled, 'CarDisabled'),
    ]),
  },
});

export const addCar = bodyCommand({
  decider: carDecider,
  body: AddCarBody,
  references: carReferences,
  command: (data): CarCommand => ({ type: 'AddCar', data }),
});

export const changeCar = bodyCommand({
  decider: carDecider,
  body: ChangeCarBody,
  references: carReferences,
  command: (data): CarCommand => ({ type: 'ChangeCar', data }),
});
