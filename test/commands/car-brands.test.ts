import { expect } from 'chai';
import { addCarBrand, carBrandDecider, changeCarBrand } from '../../commands/car-brands.ts';
import { bodies } from '../support/api/bodies.ts';
import { given, happened } from '../support/kernel/given.ts';

const porsche = {
  displayName: 'Porsche',
  slug: 'porsche',
  logo: 'BRAND/porsche.svg',
  svg: true,
  country: 'DEU',
  enabled: true,
};
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

  it('says each change by its own name', () => {
    given(carBrandDecider, added)
      .when({ type: 'ChangeCarBrand', data: { slug: 'porsche-ag', country: 'AUT' } })
      .then(
        happened('CarBrandSlugChanged', { slug: 'porsche-ag' }),
        happened('CarBrandCountryChanged', { country: 'AUT' }),
      );
  });

  it('records nothing when nothing changes', () => {
    given(carBrandDecider, added).when({ type: 'ChangeCarBrand', data: porsche }).thenNothing();
    given(carBrandDecider, added).when({ type: 'ChangeCarBrand', data: {} }).thenNothing();
  });

  it('is disabled once, and enabled again', () => {
    const disabled = happened('CarBrandDisabled');
    given(carBrandDecider, added)
      .when({ type: 'ChangeCarBrand', data: { enabled: false } })
      .then(disabled);
    given(carBrandDecider, added, disabled)
      .when({ type: 'ChangeCarBrand', data: { enabled: false } })
      .thenNothing();
    given(carBrandDecider, added, disabled)
      .when({ type: 'ChangeCarBrand', data: { enabled: true } })
      .then(happened('CarBrandEnabled'));
  });

  it('cannot be changed before it exists', () => {
    given(carBrandDecider)
      .when({ type: 'ChangeCarBrand', data: { enabled: false } })
      .thenRejected('NOT_FOUND');
  });
});

describe('car brand bodies', () => {
  const { takes, refuses, takesLengths, needsOnly } = bodies(addCarBrand, changeCarBrand, porsche);

  it('leave out what has a default', () => {
    const { displayName, slug, logo, country } = porsche;
    expect(addCarBrand.body.parse({ displayName, slug, logo, country, colour: 'red' })).to.deep.equal({
      displayName,
      slug,
      logo,
      country,
      svg: false,
      enabled: true,
    });
    needsOnly('displayName', 'slug', 'logo', 'country');
  });

  it('hold every field to its bounds', () => {
    takesLengths('displayName', 3, 120);
    takesLengths('slug', 2, 20);
    takesLengths('logo', 0, 255);
    takesLengths('country', 3, 3);
    refuses('displayName', '    ', null, 911);
    takes('slug', 'Az09._~-');
    refuses('slug', 'a b', 'a/b', 'spä', null);
    refuses('logo', null);
    refuses('country', 'D3U', 'DÉU', null);
    refuses('svg', null, 'true', 1);
    refuses('enabled', null, 'true', 1);
  });
});
