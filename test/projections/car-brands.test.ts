import { expect } from 'chai';
import { carBrandEvents } from '../../commands/car-brands.ts';
import { carBrands, carBrandsProjection } from '../../projections/car-brands.ts';
import { itFollows } from '../support/event-store/following.ts';
import { givenHistory, minute } from '../support/kernel/projecting.ts';

const porsche = {
  displayName: 'Porsche',
  slug: 'porsche',
  logo: 'BRAND/porsche.png',
  svg: false,
  country: 'DEU',
  enabled: true,
};
const added = { stream: 'carBrand-1', type: 'CarBrandAdded', data: porsche };

describe('car brands projection', () => {
  it('shows a new car brand', async () => {
    const { thenDocument } = await givenHistory([carBrandsProjection], added);
    expect(await thenDocument(carBrands, '1')).to.deep.equal({
      id: '1',
      ...porsche,
      createdAt: minute(0),
      updatedAt: minute(0),
      _created: 1,
      _position: 1,
      _revision: 0,
    });
  });

  itFollows({
    projections: [carBrandsProjection],
    model: carBrands,
    born: [added],
    events: carBrandEvents,
    created: 'CarBrandAdded',
    changes: {
      CarBrandRenamed: { data: { displayName: 'Porsche AG' }, shows: { displayName: 'Porsche AG' } },
      CarBrandSlugChanged: { data: { slug: 'porsche-ag' }, shows: { slug: 'porsche-ag' } },
      CarBrandLogoChanged: { data: { logo: 'BRAND/p.svg', svg: true }, shows: { logo: 'BRAND/p.svg', svg: true } },
      CarBrandCountryChanged: { data: { country: 'AUT' }, shows: { country: 'AUT' } },
      CarBrandDisabled: { data: {}, shows: { enabled: false } },
      CarBrandEnabled: { data: {}, shows: { enabled: true } },
    },
  });
});
