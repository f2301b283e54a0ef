/** Reads the value of a parameter of the address; null if it is invalid. */
export type Reader<T> = (text: string) => T | null;

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The id in a segment of a path; null: it is none. */
export function idInPath(segment: string): string | null {
  try {
    return id(decodeURIComponent(segment));
  } catch (error) {
    // It is not encoded as paths are.
    if (error instanceof URIError) return null;
    throw error;
  }
}

export const id: Reader<string> = (text) => (ID.test(text) ? text.toLowerCase() : null);

export function oneOf<const T extends string>(words: readonly T[]): Reader<T> {
  return (text) => words.find((word) => word === text) ?? null;
}

/** A number within bounds, with up to three decimals. */
export function number(least: number, most: number): Reader<number> {
  return (text) => {
    const value = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : NaN;
    return value >= least && value <= most ? value : null;
  };
}

export function wholeNumber(least: number, most: number): Reader<number> {
  const read = number(least, most);
  return (text) => (text.includes('.') ? null : read(text));
}

/** Seconds of delay (docs/interface.md#live). */
export const delay = wholeNumber(0, 3_600);

/** Reads parameters from the address; an invalid one counts as left out, and `onFault` gets its name. */
export function parameterReader(query: URLSearchParams, onFault: (name: string) => void = () => undefined) {
  return <T, D>(name: string, read: Reader<T>, without: D): T | D => {
    const text = query.get(name) ?? '';
    if (text === '') return without;
    const value = read(text);
    if (value === null) onFault(name);
    return value ?? without;
  };
}
