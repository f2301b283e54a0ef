/** Most seconds of delay (docs/interface.md#live). */
export const MOST_DELAY = 3_600;

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The id that a parameter of the address names; null: it is none. */
export function idIn(text: string): string | null {
  return ID.test(text) ? text.toLowerCase() : null;
}

/** The number within bounds, with up to three decimals, that a parameter of the address names; null: it is none. */
export function numberIn(text: string, { least, most }: { readonly least: number; readonly most: number }) {
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(text)) return null;
  const value = Number(text);
  return value >= least && value <= most ? value : null;
}

/** The same of whole numbers. */
export function wholeNumberIn(text: string, bounds: { readonly least: number; readonly most: number }) {
  return text.includes('.') ? null : numberIn(text, bounds);
}
