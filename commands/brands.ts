import { z } from 'zod';
import { commandsFrom } from '../src/domain/body-command.ts';
import { catalogueDecider } from '../src/domain/catalogue.ts';
import { EXAMPLES } from '../src/domain/examples.ts';
import { bodyOf, Flag, Numeral, Text } from '../src/domain/facts.ts';
import { fieldsChanged } from '../src/domain/field-events.ts';
import { cdnKey, described, inUnit, name, number, shownAs, webAddress } from '../src/domain/fields.ts';
import { eventType } from '../src/kernel/event-types.ts';

const BrandAdded = z.object({ name: Text, websiteUrl: Text, logo: Text, logoScalePercent: Numeral, logoUrl: Flag });
export type Brand = z.output<typeof BrandAdded>;

export const brandEvents = {
  BrandAdded: eventType(BrandAdded),
  BrandRenamed: fieldsChanged(BrandAdded, 'name'),
  BrandWebsiteChanged: fieldsChanged(BrandAdded, 'websiteUrl'),
  BrandLogoChanged: fieldsChanged(BrandAdded, 'logo', 'logoUrl'),
  BrandLogoScaled: fieldsChanged(BrandAdded, 'logoScalePercent'),
};

export const brandDecider = catalogueDecider('brand', brandEvents, { added: 'BrandAdded' });

export const Brand = bodyOf(BrandAdded, {
  name: described(name(2, 120), 'Name of the sponsor.', EXAMPLES.brand.name),
  websiteUrl: described(webAddress(255), 'Address of its website.', 'https://brakes.example'),
  logo: described(cdnKey, 'CDN key of the logo, or an external URL when `logoUrl` is true.', 'BRAND/brakes.png'),
  logoScalePercent: described(inUnit(number, '%'), 'Size at which the logo is shown, in percent.', 100),
  logoUrl: described(z.boolean(), 'Whether `logo` is an external URL.', false),
});

/** Clients send `logoScalePercentage`; it is stored and shown as `logoScalePercent`. */
const { logoScalePercent, logoUrl } = Brand.shape;
const logoScalePercentage = shownAs(logoScalePercent, 'logoScalePercent');
const Sent = Brand.omit({ logoScalePercent: true }).extend({ logoScalePercentage });

export const addBrand = commandsFrom('AddBrand', {
  body: Sent.extend({ logoUrl: logoUrl.default(false), logoScalePercentage: logoScalePercentage.default(100) }),
  commands: ({ logoScalePercentage: percent, ...sent }) => [
    { type: 'Add', data: { ...sent, logoScalePercent: percent } } as const,
  ],
});
export const changeBrand = commandsFrom('ChangeBrand', {
  body: Sent.partial(),
  commands: ({ logoScalePercentage: percent, ...sent }) => [
    { type: 'Change', data: { ...sent, logoScalePercent: percent } } as const,
  ],
});
