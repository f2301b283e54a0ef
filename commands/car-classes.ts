import { z } from 'zod';
import { bodyCommand, type CommandOf, type PartialUpdate } from '../src/service/domain/body-command.ts';
import { changesTo, evolvedBy, fieldsChanged, flagSet } from '../src/service/domain/field-events.ts';
import { EXAMPLES } from '../src/service/domain/examples.ts';
import { cdnKey, described, enabled, name, svg } from '../src/service/domain/fields.ts';
import { decider, whenAbsent, whenPresent } from '../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../src/service/kernel/event-types.ts';

/** A car class, such as GT3. */
export const CarClass = z.object({
  displayName: described(name(2, 120), 'Name of the class.', EXAMPLES.carClass.name),
  shortName: described(name(2, 20), 'Short name, for boards.', 'GT3'),
  logo: described(cdnKey, 'CDN key of the logo.', 'CLASS/gt3.svg'),
  svg,
  enabled,
});
export type CarClass = z.output<typeof CarClass>;

const changes = {
  CarClassRenamed: fieldsChanged(CarClass.pick({ displayName: true })),
  CarClassShortNameChanged: fieldsChanged(CarClass.pick({ shortName: true })),
  CarClassLogoChanged: fieldsChanged(CarClass.pick({ logo: true, svg: true })),
  CarClassEnabled: flagSet('enabled', true),
  CarClassDisabled: flagSet('enabled', false),
};
export const carClassEvents = { CarClassAdded: eventType(CarClass), ...changes };

export type CarClassCommand = CommandOf<{ AddCarClass: CarClass; ChangeCarClass: PartialUpdate<CarClass> }>;

export const carClassDecider = decider<CarClass | null, CarClassCommand, typeof carClassEvents>({
  category: 'carClass',
  initial: null,
  events: carClassEvents,
  evolve: { CarClassAdded: (_, data) => data, ...evolvedBy(changes) },
  decide: {
    AddCarClass: whenAbsent((data) => [{ type: 'CarClassAdded', data }]),
    ChangeCarClass: whenPresent((carClass, change) => changesTo(changes, carClass, change)),
  },
});

export const addCarClass = bodyCommand(carClassDecider, 'AddCarClass', {
  body: CarClass.extend({ svg: svg.default(false), enabled: enabled.default(true) }),
});
export const changeCarClass = bodyCommand(carClassDecider, 'ChangeCarClass', { body: CarClass.partial() });
