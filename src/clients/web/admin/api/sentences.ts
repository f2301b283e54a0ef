import type { Text } from '../../shared/language.ts';

/** A text in place of a sentence of the service, with the values of the sentence. */
export interface FoundText {
  readonly text: Text;
  readonly values: Readonly<Record<string, string>>;
}

/** A name in braces, which stands for any text: `{most}`. */
const VALUE = /\{(\w+)\}/g;

/**
 * Finds the text for a sentence of the service.
 * @param texts by sentences, in which names in braces stand for values: `No more than {most} people may wait.`
 */
export function sentenceFinder(texts: Readonly<Record<string, Text | undefined>>) {
  const patterns = Object.entries(texts)
    .filter(([sentence]) => sentence.includes('{'))
    // What says the most comes first: `must be at least {least}` before `must be {kind}`.
    .sort(([a], [b]) => b.replaceAll(VALUE, '').length - a.replaceAll(VALUE, '').length)
    .map(([sentence, text]) => ({ pattern: patternOf(sentence), text }));
  return (sentence: string): FoundText | null => {
    const exact = texts[sentence];
    if (exact !== undefined) return { text: exact, values: {} };
    for (const { pattern, text } of patterns) {
      const found = pattern.exec(sentence);
      if (found !== null && text !== undefined) return { text, values: found.groups ?? {} };
    }
    return null;
  };
}

function patternOf(sentence: string): RegExp {
  const escaped = sentence.split(VALUE).map((part, n) => {
    return n % 2 === 0 ? part.replaceAll(/[.*+?^$()[\]\\|]/g, String.raw`\$&`) : `(?<${part}>.+)`;
  });
  return new RegExp(`^${escaped.join('')}$`, 's');
}
