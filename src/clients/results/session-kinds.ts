import type { SessionKind } from './plan.ts';

/** What words of games begin with, in the order in which they are tried. */
const WORDS: readonly { readonly pattern: RegExp; readonly kind: SessionKind }[] = [
  { pattern: /quali|superpole/, kind: 'qualifying' },
  { pattern: /warm[ _-]?up/, kind: 'warmup' },
  { pattern: /time[ _-]?(trial|attack)/, kind: 'time-trial' },
  { pattern: /hot[ _-]?(lap|stint)/, kind: 'hotlap' },
  { pattern: /practice|test/, kind: 'practice' },
  { pattern: /race/, kind: 'race' },
];

/** The kind of session that a word of a game means: `QUALIFY`, `Open Practice`, `race1`. */
export function sessionKindOf(word: string | null): SessionKind {
  if (word === null) return 'unknown';
  const lower = word.toLowerCase();
  return WORDS.find(({ pattern }) => pattern.test(lower))?.kind ?? 'unknown';
}
