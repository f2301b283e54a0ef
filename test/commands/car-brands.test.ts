import { carBrandDecider } from '../../commands/car-brands.ts';
import { given, happened } from '../support/given.ts';

const porsche = { displayName: 'Porsche', slug: 'porsche', logo: 'BRAND/porsche.svg', svg: true, country: 'DEU', enabled: true };
const added = happened('CarBrandAdded', porsche);

describe('car brand', () => {
  it('is added', () => {
    given(carBrandDecider).when({ type: 'AddCarBrand', data: porsche }).then(added);
  });

  it('says what changed, and only that', () => {
    given(carBrandDecider, added)
      .when({ type: 'ChangeCarBrand', data: { displayName: 'Porsche AG', country: 'DEU', svg: false } })
      .then(
        happened('CarBrandRenamed', { displayName: 'Porsche AG' }),
        happened('CarBrandLogoChanged', { logo: porsche.logo, svg: false }),
      );
  });

  it('is disabled once', () => {
    given(carBrandDecider, added).when({ type: 'ChangeCarBrand', data: { enabled: false } }).then(happened('CarBrandDisabled'));
    given(carBrandDecider, added, happened('CarBrandDisabled')).when({ type: 'ChangeCarBrand', data: { enabled: false } }).thenNothing();
  });

  it('cannot be changed before it exists', () => {
    given(carBrandDecider).when({ type: 'ChangeCarBrand', data: { enabled: false } }).thenRejected('NOT_FOUND');
  });
});
