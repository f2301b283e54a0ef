import { z } from 'zod';
import { additionOf, catalogueDecider, changeOf, logoDefaults } from '../src/domain/catalogue.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { bodyOf, Flag, Text } from '../src/domain/facts.ts';
import { fieldsChanged, flagSet } from '../src/domain/field-events.ts';
import { cdnKey, described, enabled, name, svg } from '../src/domain/fields.ts';
import { eventType } from '../src/kernel/event-types.ts';

const CarClassAdded = z.object({ displayName: Text, shortName: Text, logo: Text, svg: Flag, enabled: Flag });
export type CarClass = z.output<typeof CarClassAdded>;

export const carClassEvents = {
  CarClassAdded: eventType(CarClassAdded),
  CarClassRenamed: fieldsChanged(CarClassAdded, 'displayName'),
  CarClassShortNameChanged: fieldsChanged(CarClassAdded, 'shortName'),
  CarClassLogoChanged: fieldsChanged(CarClassAdded, 'logo', 'svg'),
  CarClassEnabled: flagSet('enabled', true),
  CarClassDisabled: flagSet('enabled', false),
};

export const carClassDecider = catalogueDecider('carClass', carClassEvents, { added: 'CarClassAdded' });

export const CarClass = bodyOf(CarClassAdded, {
  displayName: described(name(2, 120), 'Name of the class.', EXAMPLES.carClass.name),
  shortName: described(name(2, 20), 'Short name, for boards.', 'GT3'),
  logo: described(cdnKey, 'CDN key of the logo.', 'CLASS/gt3.svg'),
  svg,
  enabled,
});

export const addCarClass = additionOf('AddCarClass', CarClass.extend(logoDefaults));
export const changeCarClass = changeOf('ChangeCarClass', CarClass.partial());
