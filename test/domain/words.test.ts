import { expect } from 'chai';
import { wordsOf } from '../../src/domain/words.ts';

describe('the words of a name', () => {
  it('are without case and accents, whatever their script', () => {
    for (const [name, words] of [
      ['Nora Lindqvist', ['nora', 'lindqvist']],
      ['ÅNGSTRÖM Ångström A\u030angstro\u0308m', ['angstrom']],
      ['Søren Łukasz Weiß GROẞ Ærø Æon', ['soren', 'lukasz', 'weiss', 'gross', 'aero', 'aeon']],
      ['İpek ışık', ['ipek', 'isik']],
      ['ΝΊΚΟΣ Νίκος', ['νικοσ']],
      ['ﬁnn Ｎｏｒａ', ['finn', 'nora']],
      ['李 小龙 محمّد', ['李', '小龙', 'محمد']],
    ] as const)
      expect(wordsOf(name), name).to.deep.equal(words);
  });

  it('are parted by blanks, hyphens and apostrophes', () => {
    for (const [name, words] of [
      ['  Jean-Luc   O’Brien ', ['jean', 'luc', 'o', 'brien']],
      ["d'Artagnan–Smith\u00a0\tHawaiʻi", ['d', 'artagnan', 'smith', 'hawai', 'i']],
      ['Anna‑Lena', ['anna', 'lena']],
      ['J. R. Ewing, Jr.', ['j.', 'r.', 'ewing,', 'jr.']],
      [" -'’ ", []],
      ['', []],
    ] as const)
      expect(wordsOf(name), name).to.deep.equal(words);
  });
});
