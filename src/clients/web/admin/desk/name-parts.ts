import { folded } from '../../shared/fold.ts';

/** The parts of a person's name, as the service keeps them. */
export interface NameParts {
  readonly firstName: string;
  /** Empty: the name is one word. */
  readonly lastName: string;
}

/** Words that last names begin with: `van der Berg`, `de la Cruz`. */
const PARTICLES: ReadonlySet<string> = new Set([
  ...['van', 'von', 'vom', 'zu', 'zum', 'zur', 'der', 'den', 'ten', 'ter', 'te', "'t"],
  ...['de', 'del', 'della', 'dello', 'dei', 'degli', 'di', 'da', 'das', 'do', 'dos', 'du', 'des'],
  ...['la', 'las', 'le', 'les', 'los', 'lo', 'el', 'al', 'bin', 'ibn', 'ben', 'bint', 'abu', 'af', 'av', 'san', 'st.'],
]);

/** What stands behind a last name and belongs to it. */
const SUFFIX = /^(?:jr|sr|jun|sen|ii|iii|iv)\.?$/i;

/**
 * Splits a name as it was typed: `Max van der Berg`, or `van der Berg, Max`. The last word is the last name, with the
 * particles before it and a suffix behind it.
 */
export function namePartsOf(typed: string): NameParts {
  const comma = typed.indexOf(',');
  if (comma > 0) {
    const firstName = inWords(typed.slice(comma + 1)).join(' ');
    const lastName = inWords(typed.slice(0, comma)).join(' ');
    if (firstName !== '' && lastName !== '' && !SUFFIX.test(firstName)) return { firstName, lastName };
  }
  const words = inWords(typed);
  let begin = words.length - 1;
  // At least one word is the first name, and one more is the last name without its suffix.
  if (begin > 1 && SUFFIX.test(words[begin] ?? '')) begin -= 1;
  while (begin > 1 && PARTICLES.has((words[begin - 1] ?? '').toLowerCase())) begin -= 1;
  if (begin < 1) return { firstName: words.join(' '), lastName: '' };
  return { firstName: words.slice(0, begin).join(' '), lastName: words.slice(begin).join(' ') };
}

/** A name as it was typed, and the nickname in quotes that was typed with it. */
export interface CalledName {
  readonly name: string;
  /** Null: none was typed. */
  readonly nickname: string | null;
}

/** A nickname in double quotes, as keyboards and languages have them. */
const QUOTED = /["“”„«»]([^"“”„«»]*)["“”„«»]/;

/** Parts a nickname in quotes from a name: `Ada "Ace" Kowalska`. */
export function calledName(typed: string): CalledName {
  const [quoted = '', inside = ''] = QUOTED.exec(typed) ?? [];
  const nickname = inWords(inside).join(' ');
  if (nickname === '') return { name: typed, nickname: null };
  return { name: inWords(typed.replace(quoted, ' ')).join(' '), nickname };
}

/** A name as it was typed, the first name first: `Max van der Berg` for `van der Berg, Max`. */
export function firstNameFirst(typed: string): string {
  const { firstName, lastName } = namePartsOf(typed);
  return `${firstName} ${lastName}`.trim();
}

/** Whether a name is exactly the one that was typed, in either form, but for accents and case. */
export function isNamed(name: string, typed: string): boolean {
  return folded(name) === folded(firstNameFirst(typed));
}

function inWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
