import { expect } from 'chai';
import { fullName, mostPrivateOf, publicNameOf, shownNamesOf } from '../../src/domain/public-names.ts';
import { isVisible } from '../../src/domain/fields.ts';
import fc from 'fast-check';

const INVISIBLE = ['', ' ', '\u3000\u00a0', '\u200b', '\u202e\u2066', '\u2800', '\u00ad'];

function withInitial(firstName: string, lastName: string): string {
  return publicNameOf({ firstName, lastName, nickname: null }, 'initial');
}

describe('the whole name of a person', () => {
  it('joins first and last name, of which either may be empty', () => {
    expect(fullName({ firstName: 'Ada', lastName: 'Lovelace' })).to.equal('Ada Lovelace');
    expect(fullName({ firstName: '', lastName: 'Lovelace' })).to.equal('Lovelace');
    expect(fullName({ firstName: '', lastName: '' })).to.equal('');
    expect(fullName({ firstName: 'Max Emilian', lastName: 'van der Meer' })).to.equal('Max Emilian van der Meer');
    expect(fullName(null)).to.equal('');
  });

  it('has nothing of a name that is blank or invisible, not even a space', () => {
    for (const blank of INVISIBLE) {
      expect(fullName({ firstName: 'Ada', lastName: blank })).to.equal('Ada');
      expect(fullName({ firstName: blank, lastName: 'Lovelace' })).to.equal('Lovelace');
    }
    expect(fullName({ firstName: ' Ada ', lastName: ' Lovelace\u3000' })).to.equal('Ada Lovelace');
  });
});

describe('the public name of a person', () => {
  const ada = { firstName: 'Ada', lastName: 'Kowalska', nickname: 'Ace' };

  it('is what the setting says', () => {
    expect(publicNameOf(ada, 'full')).to.equal('Ada Kowalska');
    expect(publicNameOf(ada, 'initial')).to.equal('Ada K.');
    expect(publicNameOf(ada, 'nickname')).to.equal('Ace');
    expect(publicNameOf({ ...ada, nickname: null }, 'nickname')).to.equal('Ada K.');
  });

  it('has the first letter of the last name in many scripts, with its marks, as a capital where there are any', () => {
    for (const [lastName, initial] of [
      ['kowalska', 'K'],
      ['Ångström', 'Å'],
      ['A\u030angstro\u0308m', 'Å'],
      ['e\u0301\u0323tienne', 'Ẹ\u0301'],
      ['ßen', 'S'],
      ['ﬁnn', 'F'],
      ['ijsselmeer', 'I'],
      ['ǆabić', 'Ǆ'],
      ['ılıca', 'I'],
      ['İnönü', 'İ'],
      ['Παπαδόπουλος', 'Π'],
      ['ώρα', 'Ώ'],
      ['иванов', 'И'],
      ['Հակոբյան', 'Հ'],
      ['ყიფიანი', 'ყ'],
      ['לוי', 'ל'],
      ['الزهراء', 'ا'],
      ['نور', 'ن'],
      ['李', '李'],
      ['김', '김'],
      ['\u1100\u1175\u11b7', '김'],
      ['さとう', 'さ'],
      ['がとう', 'が'],
      ['か\u3099とう', 'が'],
      ['शर्मा', 'श'],
      ['किरण', 'कि'],
      ['क्षत्रिय', 'क्ष'],
      ['\u{1e922}aa', '\u{1e900}'],
      ['𠮷田', '𠮷'],
    ] as const)
      expect(withInitial('Ada', lastName), lastName).to.equal(`Ada ${initial}.`);
  });

  it('has the initial of the first word as it is written: nobody knows which words are particles', () => {
    for (const [lastName, initial] of [
      ['van der Berg', 'V'],
      ['de la Cruz', 'D'],
      ["O'Brien", 'O'],
      ['al-Farsi', 'A'],
      ['Văn Nguyễn', 'V'],
      ["'t Hooft", 'T'],
      ['(Junior) Smith', 'J'],
      ['\u2067לוי\u2069', 'ל'],
      ['7of9', '7'],
    ] as const)
      expect(withInitial('Ada', lastName), lastName).to.equal(`Ada ${initial}.`);
  });

  it('has the first character of a name without letters, as people see it', () => {
    for (const [lastName, initial] of [
      ['🦊🦊', '🦊'],
      ['🇩🇪🇩🇪', '🇩🇪'],
      ['👩\u200d👩\u200d👧 family', 'F'],
      ['👩\u200d👩\u200d👧', '👩\u200d👩\u200d👧'],
      ['👍🏽👍', '👍🏽'],
      ['❤\ufe0f!', '❤\ufe0f'],
      ['\u200b.', '.'],
    ] as const)
      expect(withInitial('Ada', lastName), lastName).to.equal(`Ada ${initial}.`);
  });

  it('has nothing of a blank last name, and a mononym in the last name is an initial', () => {
    for (const blank of INVISIBLE) {
      expect(withInitial('Ada', blank)).to.equal('Ada');
      expect(withInitial(blank, 'Lovelace')).to.equal('L.');
    }
  });

  it('is never blank, and shows no more of a last name than its first letter', () => {
    const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter(isVisible);
    fc.assert(
      fc.property(names, names, (firstName, lastName) => {
        const shown = withInitial(firstName, lastName);
        expect(isVisible(shown)).to.equal(true);
        const rest = shown.slice(firstName.trim().length);
        expect(Array.from(rest.normalize('NFD').replaceAll(/\p{M}/gu, '')).length).to.be.at.most(12);
        expect(shown.endsWith('.')).to.equal(true);
      }),
    );
  });

  it('is in the two fields of a person as it is where it is whole, and else in the first of them', () => {
    expect(shownNamesOf(ada, 'full')).to.include({ firstName: 'Ada', lastName: 'Kowalska', sortedBy: 'Kowalska' });
    expect(shownNamesOf(ada, 'initial')).to.include({ firstName: 'Ada K.', lastName: '', sortedBy: 'K.' });
    expect(shownNamesOf(ada, 'nickname')).to.include({ firstName: 'Ace', lastName: '', sortedBy: 'Ace' });
  });
});

describe('the setting for people of several licences', () => {
  it('is the most private one, and an unknown one shows the least', () => {
    expect(mostPrivateOf([])).to.equal('full');
    expect(mostPrivateOf(['full', 'full'])).to.equal('full');
    expect(mostPrivateOf(['initial', 'full'])).to.equal('initial');
    expect(mostPrivateOf(['initial', 'nickname', 'full'])).to.equal('nickname');
    expect(mostPrivateOf(['full', 'by number'])).to.equal('nickname');
  });
});
