import { z } from 'zod';
import { bodyCommand, type CommandOf, type PartialUpdate } from '../src/service/domain/body-command.ts';
import { changesTo, evolvedBy, fieldsChanged, flagSet } from '../src/service/domain/field-events.ts';
import { EXAMPLES } from '../src/service/domain/examples.ts';
import { cdnKey, country, described, enabled, name, slug, svg } from '../src/service/domain/fields.ts';
import { decider, whenAbsent, whenPresent } from '../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../src/service/kernel/event-types.ts';

/** A car brand: a maker of cars. */
export const CarBrand = z.object({
  displayName: described(name(3, 120), 'Name of the maker.', EXAMPLES.carBrand.name),
  slug: described(slug(2, 20), 'Short name for addresses.', 'porsche'),
  logo: described(cdnKey, 'CDN key of the logo.', 'BRAND/porsche.svg'),
  svg,
  country: described(country, 'Its country by ISO 3166-1 alpha-3.', 'DEU'),
  enabled,
});
export type CarBrand = z.output<typeof CarBrand>;

const changes = {
  CarBrandRenamed: fieldsChanged(CarBrand.pick({ displayName: true })),
  CarBrandSlugChanged: fieldsChanged(CarBrand.pick({ slug: true })),
  CarBrandLogoChanged: fieldsChanged(CarBrand.pick({ logo: true, svg: true })),
  CarBrandCountryChanged: fieldsChanged(CarBrand.pick({ country: true })),
  CarBrandEnabled: flagSet('enabled', true),
  CarBrandDisabled: flagSet('enabled', false),
};
export const carBrandEvents = { CarBrandAdded: eventType(CarBrand), ...changes };

export type CarBrandCommand = CommandOf<{ AddCarBrand: CarBrand; ChangeCarBrand: PartialUpdate<CarBrand> }>;

export const carBrandDecider = decider<CarBrand | null, CarBrandCommand, typeof carBrandEvents>({
  category: 'carBrand',
  initial: null,
  events: carBrandEvents,
  evolve: { CarBrandAdded: (_, data) => data, ...evolvedBy(changes) },
  decide: {
    AddCarBrand: whenAbsent((data) => [{ type: 'CarBrandAdded', data }]),
    ChangeCarBrand: whenPresent((carBrand, change) => changesTo(changes, carBrand, change)),
  },
});

export const addCarBrand = bodyCommand(carBrandDecider, 'AddCarBrand', {
  body: CarBrand.extend({ svg: svg.default(false), enabled: enabled.default(true) }),
});
export const changeCarBrand = bodyCommand(carBrandDecider, 'ChangeCarBrand', { body: CarBrand.partial() });
