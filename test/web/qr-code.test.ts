import { expect } from 'chai';
import { qrCodeOf } from '../../src/clients/web/shared/qr-code.ts';
import { readQrCode } from '../support/web/read-qr-code.ts';

/** The code of an address, as another implementation makes it. */
const ADDRESS = 'https://a.example/events/1';
const KNOWN: readonly string[] = [
  '####### # # # # # #######',
  '#     #     ### # #     #',
  '# ### # ###### #  # ### #',
  '# ### #   #  ##   # ### #',
  '# ### #      ##   # ### #',
  '#     # # #   #   #     #',
  '####### # # # # # #######',
  '         ###  # #        ',
  '# #   ##  # #   #  #  # #',
  '  ##    # ##  ### #  # ##',
  ' # ## # #####  ##   ### #',
  '##  #  # ##       #  #   ',
  '##  # ###   #  #  ##    #',
  '   #   ##      ## ##   ##',
  '## ##### ### # #  #  ## #',
  '  ##    ###   # ## ###   ',
  '###  ##  # #    #####  # ',
  '        ## # #  #   #   #',
  '####### # ##    # # #   #',
  '#     #  # ##  ##   #   #',
  '# ### #   # #  ######  # ',
  '# ### #  ###  ## #  # ## ',
  '# ### # ## # # ##  ### ##',
  '#     #  # #    # ###    ',
  '####### # ##    ###  #  #',
];

describe('Pages: QR codes', () => {
  it('are those that another implementation makes', () => {
    const code = qrCodeOf(ADDRESS) ?? [];
    expect(code.map((row) => row.map((isDark) => (isDark ? '#' : ' ')).join(''))).to.deep.equal(KNOWN);
    expect(readQrCode(code)).to.equal(ADDRESS);
  });

  it('are read as the text that they were made of, of each length that they take', () => {
    const long = `https://timing.example/rennstrecke/Nürburgring/${'0123456789'.repeat(20)}`;
    for (let length = 1; length <= 212; length += 3) {
      const text = long.slice(0, length);
      const code = qrCodeOf(text);
      expect(code, `${length} letters`).to.not.equal(null);
      expect(readQrCode(code ?? []), `${length} letters`).to.equal(text);
    }
  });

  it('do not exist for longer texts', () => {
    expect(qrCodeOf('a'.repeat(213))).to.have.length(57);
    expect(qrCodeOf('a'.repeat(214))).to.equal(null);
  });
});
