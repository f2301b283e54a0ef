import { language, t } from '../../shared/page.ts';
import type { Text } from '../../shared/language.ts';
import texts from '../../texts/api/fields.json' with { type: 'json' };
import type { Words } from './model.ts';
import { sentenceFinder } from './sentences.ts';

type Texts = Readonly<Record<string, Text | undefined>>;

const labels: Texts = texts.labels;
const hints: Texts = texts.hints;
const choices: Texts = texts.choices;
const changes: Texts = texts.changes;
const problems: Texts = texts.problems;
const resources: Readonly<Record<string, { readonly title: Text; readonly meaning: Text } | undefined>> =
  texts.resources;

/** The text of a field: that of a resource's own field comes first. Undefined: there is none. */
function textOf(of: Texts, resource: string, field: string): string | undefined {
  const text = of[`${resource}.${field}`] ?? of[field];
  return text === undefined ? undefined : t(text);
}

/** The words of the administration for what the API document names. */
export const words: Words = {
  label: (resource, field) => textOf(labels, resource, field),
  hint: (resource, field) => textOf(hints, resource, field),
  title: (resource) => {
    const text = resources[resource];
    return text === undefined ? undefined : t(text.title);
  },
  meaning: (resource) => {
    const text = resources[resource];
    return text === undefined ? undefined : t(text.meaning);
  },
};

/** A value that is chosen from a few, in words. */
export function choiceText(value: string): string {
  const text = choices[value];
  return text === undefined ? value : t(text);
}

/** What happened to a record, by the type of its event; undefined: there is no text for it. */
export function changeText(type: string): string | undefined {
  const text = changes[type];
  return text === undefined ? undefined : t(text);
}

const findSentence = sentenceFinder(texts.sentences);

/** A sentence of the service in the words of the page; null: it is none that the page knows. */
export function sentenceText(sentence: string): string | null {
  const found = findSentence(sentence);
  if (found === null) return null;
  const values = Object.entries(found.values).map(([name, value]) => [name, choiceText(value)] as const);
  return t(found.text, Object.fromEntries(values));
}

/** What a kind of problem means; null in English, which the service speaks. */
export function problemText(code: string): string | null {
  const text = problems[code];
  return language === 'en' || text === undefined ? null : t(text);
}
