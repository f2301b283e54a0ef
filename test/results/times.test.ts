import { expect } from 'chai';
import { msOf, msOfTenThousandths, msOfText } from '../../src/clients/results/times.ts';

describe('times of result files', () => {
  it('are null where games have none', () => {
    for (const sentinel of [0, -1, -1_000, 999_999_999, 2_147_483_647, 4_294_967_295, Infinity, NaN, 0.4]) {
      expect(msOf(sentinel), `${sentinel}`).to.equal(null);
    }
    for (const text of ['', '--.----', '-1.0000', '0.0000', '-', '1e5', '0x10', '1:2:3:4', '12345678901']) {
      expect(msOfText(text), text).to.equal(null);
    }
    expect(msOfTenThousandths(-1)).to.equal(null);
  });

  it('are rounded half up, decimals as they are written', () => {
    const texts = { '1.0005': 1_001, '1.0004': 1_000, '134.8484': 134_848, '48.4065': 48_407, '7': 7_000, '0.5': 500 };
    for (const [text, ms] of Object.entries(texts)) expect(msOfText(text), text).to.equal(ms);
    expect(msOfText('1:31.207')).to.equal(91_207);
    expect(msOfText('1:02:03.4')).to.equal(3_723_400);
    expect(msOfTenThousandths(1_296_204)).to.equal(129_620);
    expect(msOfTenThousandths(1_296_205)).to.equal(129_621);
    expect(msOf(1_500.5)).to.equal(1_501);
  });
});
