import { expect } from 'chai';
import { addBrand, brandDecider, changeBrand } from '../../commands/brands.ts';
import { bodies } from '../support/api/bodies.ts';
import { given, happened } from '../support/kernel/given.ts';

const acme = {
  name: 'Acme',
  websiteUrl: 'https://acme.example',
  logo: 'LOGO/acme.svg',
  logoUrl: false,
  logoScalePercent: 100,
};
const added = happened('BrandAdded', acme);
const external = { logo: 'https://acme.example/l.svg', logoUrl: true };

describe('brand', () => {
  it('is added', () => {
    given(brandDecider).when({ type: 'AddBrand', data: acme }).then(added);
  });

  it('says what changed, and only that', () => {
    given(brandDecider, added)
      .when({
        type: 'ChangeBrand',
        data: { name: 'Acme Tyres', websiteUrl: 'acme.example', ...external, logoScalePercent: 80 },
      })
      .then(
        happened('BrandRenamed', { name: 'Acme Tyres' }),
        happened('BrandWebsiteChanged', { websiteUrl: 'acme.example' }),
        happened('BrandLogoChanged', external),
        happened('BrandLogoScaled', { logoScalePercent: 80 }),
      );
    given(brandDecider, added)
      .when({ type: 'ChangeBrand', data: { ...acme, logo: 'LOGO/a.svg' } })
      .then(happened('BrandLogoChanged', { logo: 'LOGO/a.svg', logoUrl: false }));
  });

  it('records nothing when nothing changes', () => {
    given(brandDecider, added).when({ type: 'ChangeBrand', data: acme }).thenNothing();
    given(brandDecider, added).when({ type: 'ChangeBrand', data: {} }).thenNothing();
  });

  it('cannot be changed before it exists', () => {
    given(brandDecider)
      .when({ type: 'ChangeBrand', data: { name: 'Acme' } })
      .thenRejected('NOT_FOUND');
  });
});

describe('brand bodies', () => {
  const { logoScalePercent, ...fields } = acme;
  const whole = { ...fields, logoScalePercentage: logoScalePercent };
  const { takes, refuses, takesLengths, needsOnly } = bodies(addBrand, changeBrand, whole);

  it('leave out what has a default', () => {
    const { name, websiteUrl, logo } = acme;
    expect(addBrand.body.parse({ name, websiteUrl, logo, colour: 'red' })).to.deep.equal(whole);
    needsOnly('name', 'websiteUrl', 'logo');
  });

  it('call the scale a percentage, which is stored as a percent', () => {
    const half = { ...acme, logoScalePercent: 50 };
    given(brandDecider)
      .when(addBrand.command({ ...whole, logoScalePercentage: 50 }, {}))
      .then(happened('BrandAdded', half));
    const change = (body: object) => changeBrand.command(changeBrand.body.parse(body), {});
    given(brandDecider, added)
      .when(change({ logoScalePercentage: 50 }))
      .then(happened('BrandLogoScaled', { logoScalePercent: 50 }));
    given(brandDecider, added)
      .when(change({ logoScalePercent: 50 }))
      .thenNothing();
  });

  it('hold every field to its bounds', () => {
    takesLengths('name', 2, 120);
    takesLengths('websiteUrl', 0, 255);
    takesLengths('logo', 0, 255);
    refuses('name', '   ', null, 12);
    refuses('websiteUrl', null, 1);
    refuses('logo', null);
    takes('logoScalePercentage', 0, 1, 99.5, 250);
    refuses('logoScalePercentage', null, '100', NaN, Infinity);
    refuses('logoUrl', null, 'true', 1);
  });

  it('take a website with or without a scheme, which may be http or https only', () => {
    takes('websiteUrl', 'http://acme.example', 'HTTPS://Acme.example:8080/a?b=c:d#e', '//acme.example');
    takes('websiteUrl', '', 'acme.example', 'www.acme.example/a:b');
    refuses(
      'websiteUrl',
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      ' javascript:alert(1)',
      'java\tscript:alert(1)',
      '\u0001javascript:alert(1)',
      'data:text/html,x',
      'ftp://acme.example',
      'mailto:us@acme.example',
      'https://',
    );
  });
});
