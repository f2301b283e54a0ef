import { z } from 'zod';
import { bodyCommand } from '../src/domain/body-command.ts';
import { text, uuid } from '../src/domain/fields.ts';
import { references } from '../src/domain/references.ts';
import { changed, eventIf, eventIfChanged, movedFrom } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, merged, present, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
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
    CarRenamed: merged,
    CarMovedToBrand: present((state, { to }) => ({ ...state, brandId: to })),
    CarMovedToClass: present((state, { to }) => ({ ...state, carClassId: to })),
    CarEnabled: present((state) => ({ ...state, enabled: true })),
    CarDisabled: present((state) => ({ ...state, enabled: false })),
  },
  decide: {
    AddCar: whenAbsent((data) => [{ type: 'CarAdded', data }]),
    ChangeCar: whenPresent((state, change) => [
      ...eventIfChanged('CarRenamed', changed(state, change, 'modelName')),
      ...eventIfChanged('CarMovedToBrand', movedFrom(state, change, 'brandId')),
      ...eventIfChanged('CarMovedToClass', movedFrom(state, change, 'carClassId')),
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
