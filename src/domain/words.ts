/** Letters that Unicode does not decompose, as people without them on their keyboard write them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ς: 'σ',
};

const LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');

/** What stands between words: blanks, hyphens and dashes, apostrophes in all the forms that keyboards have. */
const BETWEEN_WORDS = /[\s\p{Pd}'`\u2018\u2019\u201b\u02b9\u02bb\u02bc\u2032]+/u;

/** A text without accents and case: `Ångström` and `ANGSTROM` are `angstrom`. */
function folded(text: string): string {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      // Lower case may have brought marks: that of `İ` is `i` with a dot.
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter)
  );
}

/** The different words of a text, folded, in order: `Jean-Luc O’Brien` has `jean`, `luc`, `o` and `brien`. */
export function wordsOf(text: string): readonly string[] {
  const words = folded(text)
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '');
  return [...new Set(words)];
}
