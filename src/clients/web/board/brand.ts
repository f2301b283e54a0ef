const LEAST_SCALE = 0.4;
const MOST_SCALE = 1.6;

export function logoScale(percent: number): number {
  return Math.min(Math.max(percent / 100, LEAST_SCALE), MOST_SCALE);
}

/** An address to link to; null if the text is not a web address. */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}

/** A text of an event in a language, from its `i18nJson`; null if there is none. */
export function localName(i18n: Readonly<Record<string, unknown>> | null, language: string): string | null {
  const texts = i18n?.[language];
  if (typeof texts !== 'object' || texts === null || !('name' in texts)) return null;
  return typeof texts.name === 'string' && texts.name.trim() !== '' ? texts.name : null;
}
