import { entry, of } from '../support/resources/entry.ts';

/** docs/interface.md#sponsor-brands */
export default entry('Brand', 'brands', {
  commands: ['AddBrand', 'ChangeBrand'],
  sort: 'name',
  create: {
    name: of.like(of.names(2, 120), (n) => `Sponsor ${n}`),
    websiteUrl: of.websites(),
    logo: of.texts(0, 255),
    logoScalePercentage: { ...of.anyNumber(100), shownAs: 'logoScalePercent', storedAs: 'logoScalePercent' },
    logoUrl: of.flags(false),
  },
  events: {
    BrandAdded: 'all',
    BrandRenamed: ['name'],
    BrandWebsiteChanged: ['websiteUrl'],
    BrandLogoChanged: ['logo', 'logoUrl'],
    BrandLogoScaled: ['logoScalePercentage'],
  },
});
