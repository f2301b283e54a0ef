export const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

/** One text in every language; `{name}` in it stands for a value. */
export type Text = { readonly [L in Language]: string };

/**
 * The language to show: the one in the address (`?lang=de`), else the first of the reader's languages that we have.
 * @param requested value of `lang` in the address, or null
 * @param preferred language tags (BCP 47), the most preferred first
 */
export function languageFor(requested: string | null, preferred: readonly string[]): Language {
  const asked = [...(requested === null ? [] : [requested]), ...preferred].map(
    (tag) => tag.toLowerCase().split('-')[0],
  );
  return asked.flatMap((tag) => LANGUAGES.filter((language) => language === tag))[0] ?? 'en';
}

/** A text in a language with its values filled in; a missing value stays visible as `{name}`. */
export function inLanguage(
  language: Language,
  text: Text,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return text[language].replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
