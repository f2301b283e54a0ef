import { isVisible } from './fields.ts';

/** How a licence shows its people in public: by their whole names, as `Ada K.`, or by their nicknames where they have one. */
export const PUBLIC_NAMES = ['full', 'initial', 'nickname'] as const;
export type PublicNames = (typeof PUBLIC_NAMES)[number];

/** The setting of a licence that has not chosen. */
export const DEFAULT_PUBLIC_NAMES: PublicNames = 'full';

/** The setting that shows the least: it stands for what this release does not know. */
const MOST_PRIVATE: PublicNames = 'nickname';

/** First and last name, of which one may be blank. */
export interface WholeName {
  readonly firstName: string;
  readonly lastName: string;
}

/** A person's names. */
export interface PersonNames extends WholeName {
  /** Null: the person has none. */
  readonly nickname: string | null;
}

/** The names by which a person is shown to everybody. */
export interface ShownNames {
  /** The whole of it. */
  readonly publicName: string;
  /** The same in the two fields of a person. */
  readonly firstName: string;
  readonly lastName: string;
  /** What stands for the last name where people are sorted by it: it reveals no more than the public name. */
  readonly sortedBy: string;
}

/** First and last name joined; one that is blank or invisible adds nothing. '' for nobody. */
export function fullName(person: WholeName | null): string {
  return person === null ? '' : joined(person.firstName, person.lastName);
}

/** The name by which a person is shown to everybody. */
export function publicNameOf(person: PersonNames, setting: PublicNames): string {
  return shownNamesOf(person, setting).publicName;
}

/** The names by which a person is shown to everybody, in the forms in which they are shown. */
export function shownNamesOf(person: PersonNames, setting: PublicNames): ShownNames {
  const { firstName, lastName, nickname } = person;
  if (setting === 'full') return { publicName: fullName(person), firstName, lastName, sortedBy: lastName };
  if (setting === 'nickname' && nickname !== null) return oneName(nickname.trim(), nickname.trim());
  const initial = initialOf(lastName);
  return oneName(joined(firstName, initial), initial);
}

/** The setting of several that shows the least; one that is unknown shows nothing of the whole name. */
export function mostPrivateOf(settings: Iterable<string>): PublicNames {
  let found = 0;
  for (const setting of settings) {
    const place = PUBLIC_NAMES.findIndex((known) => known === setting);
    if (place === -1) return MOST_PRIVATE;
    found = Math.max(found, place);
  }
  return PUBLIC_NAMES[found] ?? MOST_PRIVATE;
}

function oneName(publicName: string, sortedBy: string): ShownNames {
  return { publicName, firstName: publicName, lastName: '', sortedBy };
}

function joined(...names: readonly string[]): string {
  return names
    .filter(isVisible)
    .map((name) => name.trim())
    .join(' ');
}

/** What people see as one character: a letter with its marks, a flag, or emoji that are joined to one. */
const CHARACTER =
  /^(?:\p{Regional_Indicator}{2}|[^](?:\p{M}|\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic}|(?<=[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d]\u200d?)\p{L})*)/u;

/** Where the first letter or digit begins. */
const LETTER = /[\p{L}\p{N}]/u;

/** Capital letters of Georgian, in which names do not begin: they are for headlines. */
const GEORGIAN_CAPITAL = /^[\u1c90-\u1cbf]/u;

/**
 * The first letter of a last name with a full stop: `K.`; '' for a name that is blank. It is that of the first word,
 * whether or not that is a particle: `van der Berg` has `V.`, since which words are particles depends on the language.
 * Marks before it do not count: `'t Hooft` has `T.`. A name without letters has its first character.
 */
function initialOf(lastName: string): string {
  if (!isVisible(lastName)) return '';
  const name = lastName.normalize('NFC').trim();
  const begin = name.search(LETTER);
  const first = firstCharacterOf(begin === -1 ? firstVisibleOf(name) : name.slice(begin));
  const capital = firstCharacterOf(first.toUpperCase());
  return `${GEORGIAN_CAPITAL.test(capital) ? first : capital}.`;
}

/** A text from its first visible character on. */
function firstVisibleOf(text: string): string {
  let rest = text;
  while (rest !== '' && !isVisible(firstCharacterOf(rest))) rest = rest.slice(firstCharacterOf(rest).length);
  return rest;
}

function firstCharacterOf(text: string): string {
  return CHARACTER.exec(text)?.[0] ?? '';
}
