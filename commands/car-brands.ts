import { z } from 'zod';
import { bodyCommand } from '../src/domain/body-command.ts';
import { cdnKey, country, name, slug } from '../src/domain/fields.ts';
import { changedFields, eventIf, eventIfChanged } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, mergeFields, evolveExisting, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';

const carBrand = {
  displayName: name(3, 120),
  slug: slug(2, 20),
  logo: cdnKey,
  svg: z.boolean(),
  country,
  enabled: z.boolean(),
};

const AddCarBrandBody = z
  .object({ ...carBrand, svg: carBrand.svg.default(false), enabled: carBrand.enabled.default(true) })
  .meta({ id: 'AddCarBrand' });
const ChangeCarBrandBody = z.object(carBrand).partial().meta({ id: 'ChangeCarBrand' });

export const carBrandEvents = {
  CarBrandAdded: eventType(z.object(carBrand)),
  CarBrandRenamed: eventType(z.object({ displayName: carBrand.displayName })),
  CarBrandSlugChanged: eventType(z.object({ slug: carBrand.slug })),
  CarBrandLogoChanged: eventType(z.object({ logo: carBrand.logo, svg: carBrand.svg })),
  CarBrandCountryChanged: eventType(z.object({ country })),
  CarBrandEnabled: eventType(z.object({})),
  CarBrandDisabled: eventType(z.object({})),
};

type CarBrand = z.output<typeof AddCarBrandBody>;

export type CarBrandCommand =
  | { readonly type: 'AddCarBrand'; readonly data: CarBrand }
  | { readonly type: 'ChangeCarBrand'; readonly data: z.output<typeof ChangeCarBrandBody> };

export const carBrandDecider = decider<CarBrand | null, CarBrandCommand, typeof carBrandEvents>({
  category: 'carBrand',
  initial: null,
  events: carBrandEvents,
  evolve: {
    CarBrandAdded: (_, data) => data,
    CarBrandRenamed: mergeFields,
    CarBrandSlugChanged: mergeFields,
    CarBrandLogoChanged: mergeFields,
    CarBrandCountryChanged: mergeFields,
    CarBrandEnabled: evolveExisting((brand) => ({ ...brand, enabled: true })),
    CarBrandDisabled: evolveExisting((brand) => ({ ...brand, enabled: false })),
  },
  decide: {
    AddCarBrand: whenAbsent((data) => [{ type: 'CarBrandAdded', data }]),
    ChangeCarBrand: whenPresent((brand, change) => [
      ...eventIfChanged('CarBrandRenamed', changedFields(brand, change, 'displayName')),
      ...eventIfChanged('CarBrandSlugChanged', changedFields(brand, change, 'slug')),
      ...eventIfChanged('CarBrandLogoChanged', changedFields(brand, change, 'logo', 'svg')),
      ...eventIfChanged('CarBrandCountryChanged', changedFields(brand, change, 'country')),
      ...eventIf(change.enabled === true && !brand.enabled, 'CarBrandEnabled'),
      ...eventIf(change.enabled === false && brand.enabled, 'CarBrandDisabled'),
    ]),
  },
});

export const addCarBrand = bodyCommand({
  decider: carBrandDecider,
  body: AddCarBrandBody,
  command: (data): CarBrandCommand => ({ type: 'AddCarBrand', data }),
});

export const changeCarBrand = bodyCommand({
  decider: carBrandDecider,
  body: ChangeCarBrandBody,
  command: (data): CarBrandCommand => ({ type: 'ChangeCarBrand', data }),
});
