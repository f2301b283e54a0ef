import { z } from 'zod';
import { bodyCommand } from '../src/domain/body-command.ts';
import { name, text } from '../src/domain/fields.ts';
import { changedFields, eventIfChanged, type PartialUpdate } from '../src/kernel/aggregate/changed-fields.ts';
import { decider, mergeFields, whenAbsent, whenPresent } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';

const brand = {
  name: name(2, 120),
  websiteUrl: text(0, 255).refine(isLinkable, 'must be a web address: no scheme but http or https'),
  /** A CDN key, or an external URL when `logoUrl` is true. */
  logo: text(0, 255),
  logoUrl: z.boolean(),
};

/** What clients send as `logoScalePercentage` is stored and shown as `logoScalePercent` (SPEC.md "Brand"). */
const logoScalePercent = z.number();

const AddBrandBody = z
  .object({ ...brand, logoUrl: brand.logoUrl.default(false), logoScalePercentage: logoScalePercent.default(100) })
  .meta({ id: 'AddBrand' });
const ChangeBrandBody = z
  .object({ ...brand, logoScalePercentage: logoScalePercent })
  .partial()
  .meta({ id: 'ChangeBrand' });

const BrandData = z.object({ ...brand, logoScalePercent });

export const brandEvents = {
  BrandAdded: eventType(BrandData),
  BrandRenamed: eventType(z.object({ name: brand.name })),
  BrandWebsiteChanged: eventType(z.object({ websiteUrl: brand.websiteUrl })),
  BrandLogoChanged: eventType(z.object({ logo: brand.logo, logoUrl: brand.logoUrl })),
  BrandLogoScaled: eventType(z.object({ logoScalePercent })),
};

type Brand = z.output<typeof BrandData>;

export type BrandCommand =
  | { readonly type: 'AddBrand'; readonly data: Brand }
  | { readonly type: 'ChangeBrand'; readonly data: PartialUpdate<Brand> };

export const brandDecider = decider<Brand | null, BrandCommand, typeof brandEvents>({
  category: 'brand',
  initial: null,
  events: brandEvents,
  evolve: {
    BrandAdded: (_, data) => data,
    BrandRenamed: mergeFields,
    BrandWebsiteChanged: mergeFields,
    BrandLogoChanged: mergeFields,
    BrandLogoScaled: mergeFields,
  },
  decide: {
    AddBrand: whenAbsent((data) => [{ type: 'BrandAdded', data }]),
    ChangeBrand: whenPresent((state, change) => [
      ...eventIfChanged('BrandRenamed', changedFields(state, change, 'name')),
      ...eventIfChanged('BrandWebsiteChanged', changedFields(state, change, 'websiteUrl')),
      ...eventIfChanged('BrandLogoChanged', changedFields(state, change, 'logo', 'logoUrl')),
      ...eventIfChanged('BrandLogoScaled', changedFields(state, change, 'logoScalePercent')),
    ]),
  },
});

/**
 * Whether a browser that follows the text as a link stays on the web. People write `www.example.com`, so a scheme may
 * be missing. Judged by the browsers' own parser, because it finds `javascript:` behind blanks and line breaks too.
 */
function isLinkable(value: string): boolean {
  const base = 'https://website.invalid';
  return URL.canParse(value, base) && ['http:', 'https:'].includes(new URL(value, base).protocol);
}

export const addBrand = bodyCommand({
  decider: brandDecider,
  body: AddBrandBody,
  command: ({ logoScalePercentage, ...data }): BrandCommand => ({
    type: 'AddBrand',
    data: { ...data, logoScalePercent: logoScalePercentage },
  }),
});

export const changeBrand = bodyCommand({
  decider: brandDecider,
  body: ChangeBrandBody,
  command: ({ logoScalePercentage, ...data }): BrandCommand => ({
    type: 'ChangeBrand',
    data: { ...data, logoScalePercent: logoScalePercentage },
  }),
});
