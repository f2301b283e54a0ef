import { z } from 'zod';
import { commandFrom, type CommandOf, type PartialUpdate } from '../src/service/domain/body-command.ts';
import { changesTo, evolvedBy, fieldsChanged } from '../src/service/domain/field-events.ts';
import { EXAMPLES } from '../src/service/domain/examples.ts';
import { cdnKey, described, inUnit, name, number, shownAs, webAddress } from '../src/service/domain/fields.ts';
import { decider, whenAbsent, whenPresent } from '../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../src/service/kernel/event-types.ts';

/** A sponsor or partner. */
export const Brand = z.object({
  name: described(name(2, 120), 'Name of the sponsor.', EXAMPLES.brand.name),
  websiteUrl: described(webAddress(255), 'Address of its website.', 'https://brakes.example'),
  logo: described(cdnKey, 'CDN key of the logo, or an external URL when `logoUrl` is true.', 'BRAND/brakes.png'),
  logoScalePercent: described(inUnit(number, '%'), 'Size at which the logo is shown, in percent.', 100),
  logoUrl: described(z.boolean(), 'Whether `logo` is an external URL.', false),
});
export type Brand = z.output<typeof Brand>;

const changes = {
  BrandRenamed: fieldsChanged(Brand.pick({ name: true })),
  BrandWebsiteChanged: fieldsChanged(Brand.pick({ websiteUrl: true })),
  BrandLogoChanged: fieldsChanged(Brand.pick({ logo: true, logoUrl: true })),
  BrandLogoScaled: fieldsChanged(Brand.pick({ logoScalePercent: true })),
};
export const brandEvents = { BrandAdded: eventType(Brand), ...changes };

export type BrandCommand = CommandOf<{ AddBrand: Brand; ChangeBrand: PartialUpdate<Brand> }>;

export const brandDecider = decider<Brand | null, BrandCommand, typeof brandEvents>({
  category: 'brand',
  initial: null,
  events: brandEvents,
  evolve: { BrandAdded: (_, data) => data, ...evolvedBy(changes) },
  decide: {
    AddBrand: whenAbsent((data) => [{ type: 'BrandAdded', data }]),
    ChangeBrand: whenPresent((brand, change) => changesTo(changes, brand, change)),
  },
});

/** What clients send as `logoScalePercentage` is stored and shown as `logoScalePercent`. */
const { logoScalePercent, logoUrl } = Brand.shape;
const logoScalePercentage = shownAs(logoScalePercent, 'logoScalePercent');
const Sent = Brand.omit({ logoScalePercent: true }).extend({ logoScalePercentage });

export const addBrand = commandFrom({
  decider: brandDecider,
  body: Sent.extend({ logoUrl: logoUrl.default(false), logoScalePercentage: logoScalePercentage.default(100) }).meta({
    id: 'AddBrand',
  }),
  command: ({ logoScalePercentage, ...sent }): BrandCommand => ({
    type: 'AddBrand',
    data: { ...sent, logoScalePercent: logoScalePercentage },
  }),
});
export const changeBrand = commandFrom({
  decider: brandDecider,
  body: Sent.partial().meta({ id: 'ChangeBrand' }),
  command: ({ logoScalePercentage, ...sent }): BrandCommand => ({
    type: 'ChangeBrand',
    data: { ...sent, logoScalePercent: logoScalePercentage },
  }),
});
