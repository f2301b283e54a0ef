import { inLanguage, type Language, type Text } from '../../shared/language.ts';
import texts from '../../texts/api/result-notes.json' with { type: 'json' };

/** A sentence of the parsers: what stands between its values, the names of these, and its text. */
interface Sentence {
  readonly parts: readonly string[];
  readonly names: readonly string[];
  readonly text: Text;
}

const sentences: readonly Sentence[] = texts.map((text) => ({
  parts: text.en.split(/\{\w+\}/),
  names: Array.from(text.en.matchAll(/\{(\w+)\}/g), ([, name = '']) => name),
  text,
}));

/** Longest sentence that is looked up: names in it are of 256 letters at most. */
const MAX_LETTERS = 2_000;

/** How places are named that parsers put into sentences. */
const PLACES: readonly { readonly pattern: RegExp; readonly de: string }[] = [
  { pattern: /\bline (\d+)/g, de: 'Zeile $1' },
  { pattern: /\bcolumn (\d+)/g, de: 'Spalte $1' },
  { pattern: /\brow (\d+)/g, de: 'Reihe $1' },
  { pattern: /\bbyte (\d+)/g, de: 'Byte $1' },
  { pattern: /\b(\d+) times, first at /g, de: '$1-mal, zuerst: ' },
  { pattern: /^at /g, de: '' },
];

/** A sentence that a parser has written about a file, in a language; one that is not known stays as it is. */
export function noteIn(language: Language, note: string): string {
  if (language === 'en' || note.length > MAX_LETTERS) return note;
  for (const { parts, names, text } of sentences) {
    const found = valuesIn(note, parts);
    if (found === null) continue;
    const values: Record<string, string> = {};
    for (const [index, name] of names.entries()) values[name] = placeIn(found[index] ?? '');
    return inLanguage(language, text, values);
  }
  return note;
}

/** What stands between the parts of a sentence; null: it is another sentence. */
function valuesIn(note: string, parts: readonly string[]): readonly string[] | null {
  const [first = '', ...others] = parts;
  if (!note.startsWith(first)) return null;
  if (others.length === 0) return note === first ? [] : null;
  const values: string[] = [];
  let at = first.length;
  for (const [index, part] of others.entries()) {
    const isLast = index === others.length - 1;
    const next = isLast ? note.length - part.length : note.indexOf(part, at + 1);
    if (next <= at || !note.startsWith(part, next)) return null;
    values.push(note.slice(at, next));
    at = next + part.length;
  }
  return values;
}

function placeIn(value: string): string {
  return PLACES.reduce((text, { pattern, de }) => text.replaceAll(pattern, de), value);
}
