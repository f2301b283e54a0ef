import { expect } from 'chai';
import { contrastOf, readableColor } from '../../src/clients/web/shared/color.ts';

const LIGHT = { background: '#eaecf0', towards: '#000000' };
const DARK = { background: '#1f262f', towards: '#ffffff' };

describe('Pages: the colour of a venue', () => {
  it('has contrasts as WCAG defines them', () => {
    expect(contrastOf('#000000', '#ffffff')).to.equal(21);
    expect(contrastOf('#ffffff', '#ffffff')).to.equal(1);
    expect(contrastOf('#777777', '#ffffff')).to.be.closeTo(4.48, 0.01);
    expect(contrastOf('#ffffff', '#0b5cad')).to.equal(contrastOf('#0b5cad', '#ffffff'));
  });

  it('can be read in both themes, whatever it is', () => {
    for (let n = 0; n < 0x1000; n += 1) {
      const color = `#${[n >> 8, (n >> 4) & 15, n & 15].map((digit) => digit.toString(16).repeat(2)).join('')}`;
      for (const theme of [LIGHT, DARK]) {
        expect(contrastOf(readableColor(color, theme), theme.background), color).to.be.at.least(4.5);
      }
    }
  });

  it('stays as it is where it can be read', () => {
    expect(readableColor('#0b5cad', LIGHT)).to.equal('#0b5cad');
    expect(readableColor('#6db3ff', DARK)).to.equal('#6db3ff');
    expect(readableColor('#ffff00', LIGHT)).not.to.equal('#ffff00');
  });
});
