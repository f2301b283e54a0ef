import { expect } from 'chai';
import { brandEvents } from '../../commands/brands.ts';
import { brands, brandsProjection } from '../../projections/brands.ts';
import { itFollows } from '../support/event-store/following.ts';
import { givenHistory, minute } from '../support/kernel/projecting.ts';

const acme = {
  name: 'Acme',
  websiteUrl: 'https://acme.example',
  logo: 'LOGO/acme.svg',
  logoUrl: false,
  logoScalePercent: 100,
};
const added = { stream: 'brand-1', type: 'BrandAdded', data: acme };
const external = { logo: 'https://acme.example/logo.svg', logoUrl: true };

describe('brands projection', () => {
  it('shows a new brand', async () => {
    const { thenDocument } = await givenHistory([brandsProjection], added);
    expect(await thenDocument(brands, '1')).to.deep.equal({
      id: '1',
      ...acme,
      createdAt: minute(0),
      updatedAt: minute(0),
      _created: 1,
      _position: 1,
      _revision: 0,
    });
  });

  itFollows({
    projections: [brandsProjection],
    model: brands,
    born: [added],
    events: brandEvents,
    created: 'BrandAdded',
    changes: {
      BrandRenamed: { data: { name: 'Acme Tyres' }, shows: { name: 'Acme Tyres' } },
      BrandWebsiteChanged: { data: { websiteUrl: 'acme.example' }, shows: { websiteUrl: 'acme.example' } },
      BrandLogoChanged: { data: external, shows: external },
      BrandLogoScaled: { data: { logoScalePercent: 80 }, shows: { logoScalePercent: 80 } },
    },
  });
});
