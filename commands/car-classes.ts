import { z } from 'zod';
import { bodyCommand } from '../src/domain/body-command.ts';
import { cdnKey, name } from '../src/domain/fields.ts';
import { changedFields, eventIf, eventIfChanged } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, mergeFields, evolveExisting, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';

const carClass = {
  displayName: name(2, 120),
  shortName: name(2, 20),
  logo: cdnKey,
  svg: z.boolean(),
  enabled: z.boolean(),
};

const AddCarClassBody = z
  .object({ ...carClass, svg: carClass.svg.default(false), enabled: carClass.enabled.default(true) })
  .meta({ id: 'AddCarClass' });
const ChangeCarClassBody = z.object(carClass).partial().meta({ id: 'ChangeCarClass' });

export const carClassEvents = {
  CarClassAdded: eventType(z.object(carClass)),
  CarClassRenamed: eventType(z.object({ displayName: carClass.displayName })),
  CarClassShortNameChanged: eventType(z.object({ shortName: carClass.shortName })),
  CarClassLogoChanged: eventType(z.object({ logo: carClass.logo, svg: carClass.svg })),
  CarClassEnabled: eventType(z.object({})),
  CarClassDisabled: eventType(z.object({})),
};

type CarClass = z.output<typeof AddCarClassBody>;

export type CarClassCommand =
  | { readonly type: 'AddCarClass'; readonly data: CarClass }
  | { readonly type: 'ChangeCarClass'; readonly data: z.output<typeof ChangeCarClassBody> };

export const carClassDecider = decider<CarClass | null, CarClassCommand, typeof carClassEvents>({
  category: 'carClass',
  initial: null,
  events: carClassEvents,
  evolve: {
    CarClassAdded: (_, data) => data,
    CarClassRenamed: mergeFields,
    CarClassShortNameChanged: mergeFields,
    CarClassLogoChanged: mergeFields,
    CarClassEnabled: evolveExisting((state) => ({ ...state, enabled: true })),
    CarClassDisabled: evolveExisting((state) => ({ ...state, enabled: false })),
  },
  decide: {
    AddCarClass: whenAbsent((data) => [{ type: 'CarClassAdded', data }]),
    ChangeCarClass: whenPresent((state, change) => [
      ...eventIfChanged('CarClassRenamed', changedFields(state, change, 'displayName')),
      ...eventIfChanged('CarClassShortNameChanged', changedFields(state, change, 'shortName')),
      ...eventIfChanged('CarClassLogoChanged', changedFields(state, change, 'logo', 'svg')),
      ...eventIf(change.enabled === true && !state.enabled, 'CarClassEnabled'),
      ...eventIf(change.enabled === false && state.enabled, 'CarClassDisabled'),
    ]),
  },
});

export const addCarClass = bodyCommand({
  decider: carClassDecider,
  body: AddCarClassBody,
  command: (data): CarClassCommand => ({ type: 'AddCarClass', data }),
});

export const changeCarClass = bodyCommand({
  decider: carClassDecider,
  body: ChangeCarClassBody,
  command: (data): CarClassCommand => ({ type: 'ChangeCarClass', data }),
});
