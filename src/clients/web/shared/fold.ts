/** Letters that Unicode does not decompose, as people without them on their keyboard write them. */
const PLAIN: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
  ø: 'o',
  ɔ: 'o',
  ɵ: 'o',
  ł: 'l',
  ƚ: 'l',
  đ: 'd',
  ð: 'd',
  ɖ: 'd',
  ɗ: 'd',
  ı: 'i',
  ɨ: 'i',
  ȷ: 'j',
  ŋ: 'n',
  ɲ: 'n',
  ħ: 'h',
  ŧ: 't',
  ƶ: 'z',
  ǥ: 'g',
  ƙ: 'k',
  ĸ: 'k',
  ɓ: 'b',
  ƀ: 'b',
  ƴ: 'y',
  ʉ: 'u',
  ə: 'a',
  ǝ: 'a',
  ɛ: 'e',
  ς: 'σ',
};

const PLAIN_LETTERS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu');

/** Scripts that write words without blanks: what is typed may begin anywhere. */
const WITHOUT_BLANKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** A text without accents, case and ligatures, for searching: `Ångström` and `ANGSTROM` are `angstrom`. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(PLAIN_LETTERS, (letter) => PLAIN[letter] ?? letter);
}

/** What a reader sees of a text: the same for two spellings that look the same; empty if it shows nothing. */
export function shownForm(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The words of a text, folded: with all that stands between letters and digits as a gap, and as nothing. */
function wordsOf(text: string) {
  const whole = folded(text);
  return {
    apart: whole.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''),
    joined: whole
      .split(/\s+/)
      // Letters such as the ʻokina are marks between letters, too.
      .map((word) => word.replaceAll(/[^\p{L}\p{N}]|\p{Lm}/gu, ''))
      .filter((word) => word !== ''),
  };
}

/** What a name is found by. */
export interface Searchable {
  readonly whole: string;
  readonly words: readonly string[];
}

export function searchable(name: string): Searchable {
  const { apart, joined } = wordsOf(name);
  return { whole: folded(name), words: [...new Set([...apart, ...joined])] };
}

/**
 * Whether a name is one that somebody may be typing: each word of the query begins a word of the name, in any order.
 * Accents, case and marks between letters do not count.
 */
export function finder(query: string): (name: Searchable) => boolean {
  const { apart, joined } = wordsOf(query);
  if (apart.length === 0) {
    // Nothing but blanks finds everything; signs find themselves.
    const signs = folded(query).trim();
    return ({ whole }) => whole.includes(signs);
  }
  const begins = (wanted: string, { whole, words }: Searchable): boolean =>
    words.some((word) => word.startsWith(wanted)) || (WITHOUT_BLANKS.test(wanted) && whole.includes(wanted));
  return (name) => [apart, joined].some((wanted) => wanted.every((word) => begins(word, name)));
}
