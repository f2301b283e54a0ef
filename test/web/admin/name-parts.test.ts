import { expect } from 'chai';
import { calledName, namePartsOf } from '../../../src/clients/web/admin/desk/name-parts.ts';

/** Names as they are typed, each with the first and the last name. */
const NAMES: readonly (readonly [typed: string, firstName: string, lastName: string])[] = [
  ['Nora Lindqvist', 'Nora', 'Lindqvist'],
  ['  Nora   Lindqvist ', 'Nora', 'Lindqvist'],
  ['Hans Peter Müller', 'Hans Peter', 'Müller'],
  ['Max van der Berg', 'Max', 'van der Berg'],
  ['Ursula von der Leyen', 'Ursula', 'von der Leyen'],
  ['María de la Cruz', 'María', 'de la Cruz'],
  ['Leonardo Da Vinci', 'Leonardo', 'Da Vinci'],
  ['van der Berg, Max', 'Max', 'van der Berg'],
  ['Martin Luther King Jr.', 'Martin Luther', 'King Jr.'],
  ['King, Jr.', 'King,', 'Jr.'],
  ['Van Dyke', 'Van', 'Dyke'],
  ['De Niro', 'De', 'Niro'],
  ['Pelé', 'Pelé', ''],
  ['Lindqvist,', 'Lindqvist,', ''],
  ['田中 太郎', '田中', '太郎'],
  ['محمد بن سلمان', 'محمد بن', 'سلمان'],
  ['', '', ''],
];

describe('Pages: names as they are typed at the desk', () => {
  for (const [typed, firstName, lastName] of NAMES)
    it(`“${typed}” is ${JSON.stringify([firstName, lastName])}`, () => {
      expect(namePartsOf(typed)).to.deep.equal({ firstName, lastName });
    });

  it('may have a nickname in the quotes of any language', () => {
    for (const typed of [
      'Ada "Ace" Kowalska',
      'Ada “Ace” Kowalska',
      'Ada „Ace“ Kowalska',
      '«Ace» Ada Kowalska',
      'Ada Kowalska "Ace"',
    ])
      expect(calledName(typed), typed).to.deep.equal({ name: 'Ada Kowalska', nickname: 'Ace' });
    for (const typed of ['Ada Kowalska', 'Ada "" Kowalska', 'Ada "Ace Kowalska', "Pat O'Brien"])
      expect(calledName(typed), typed).to.deep.equal({ name: typed, nickname: null });
  });
});
