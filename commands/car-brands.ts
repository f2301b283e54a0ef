import { z } from 'zod';
import { additionOf, catalogueDecider, changeOf, logoDefaults } from '../src/domain/catalogue.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { bodyOf, Flag, Text } from '../src/domain/facts.ts';
import { fieldsChanged, flagSet } from '../src/domain/field-events.ts';
import { cdnKey, country, described, enabled, name, slug, svg } from '../src/domain/fields.ts';
import { eventType } from '../src/kernel/event-types.ts';

const CarBrandAdded = z.object({ displayName: Text, slug: Text, logo: Text, svg: Flag, country: Text, enabled: Flag });
export type CarBrand = z.output<typeof CarBrandAdded>;

export const carBrandEvents = {
  CarBrandAdded: eventType(CarBrandAdded),
  CarBrandRenamed: fieldsChanged(CarBrandAdded, 'displayName'),
  CarBrandSlugChanged: fieldsChanged(CarBrandAdded, 'slug'),
  CarBrandLogoChanged: fieldsChanged(CarBrandAdded, 'logo', 'svg'),
  CarBrandCountryChanged: fieldsChanged(CarBrandAdded, 'country'),
  CarBrandEnabled: flagSet('enabled', true),
  CarBrandDisabled: flagSet('enabled', false),
};

export const carBrandDecider = catalogueDecider('carBrand', carBrandEvents, { added: 'CarBrandAdded' });

export const CarBrand = bodyOf(CarBrandAdded, {
  displayName: described(name(3, 120), 'Name of the maker.', EXAMPLES.carBrand.name),
  slug: described(slug(2, 20), 'Short name for URLs.', 'porsche'),
  logo: described(cdnKey, 'CDN key of the logo.', 'BRAND/porsche.svg'),
  svg,
  country: described(country, 'Its country, ISO 3166-1 alpha-3.', 'DEU'),
  enabled,
});

export const addCarBrand = additionOf('AddCarBrand', CarBrand.extend(logoDefaults));
export const changeCarBrand = changeOf('ChangeCarBrand', CarBrand.partial());
