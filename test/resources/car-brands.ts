import { entry, of } from '../support/resources/entry.ts';

/** docs/interface.md#cars */
export default entry('CarBrand', 'car-brands', {
  commands: ['AddCarBrand', 'ChangeCarBrand'],
  sort: 'displayName',
  hides: true,
  create: {
    displayName: of.like(of.names(3, 120), (n) => `Maker ${n}`),
    slug: of.slugs(2, 20),
    logo: of.texts(0, 255),
    svg: of.flags(false),
    country: of.like(of.countries(), 'ITA'),
    enabled: of.flags(true),
  },
  events: {
    CarBrandAdded: 'all',
    CarBrandRenamed: ['displayName'],
    CarBrandSlugChanged: ['slug'],
    CarBrandLogoChanged: ['logo', 'svg'],
    CarBrandCountryChanged: ['country'],
    CarBrandEnabled: { enabled: true },
    CarBrandDisabled: { enabled: false },
  },
});
