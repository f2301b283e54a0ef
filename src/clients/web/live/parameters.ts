/** A parameter of the address: reads its value, null if it is invalid; `without` is its value if it is left out. */
export interface Parameter<T> {
  readonly read: (text: string) => T | null;
  readonly without: T;
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const id: Parameter<string | null> = {
  read: (text) => (ID.test(text) ? text.toLowerCase() : null),
  without: null,
};

/** One of several words; the first is the default. */
export function oneOf<const T extends string>(values: readonly [T, ...T[]]): Parameter<T> {
  return { read: (text) => values.find((value) => value === text) ?? null, without: values[0] };
}

interface Range {
  readonly least: number;
  readonly most: number;
  readonly without: number;
}

/** A number within bounds, with up to three decimals. */
export function number({ least, most, without }: Range): Parameter<number> {
  const read = (text: string): number | null => {
    const value = /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : NaN;
    return value >= least && value <= most ? value : null;
  };
  return { read, without };
}

export function wholeNumber(range: Range): Parameter<number> {
  const { read, without } = number(range);
  return { read: (text) => (text.includes('.') ? null : read(text)), without };
}

/** Seconds of delay (docs/interface.md#live). */
export const delay = wholeNumber({ least: 0, most: 3_600, without: 0 });

/** Reads parameters from the address; an invalid one counts as left out, and `onFault` gets its name. */
export function parameterReader(query: URLSearchParams, onFault: (name: string) => void = () => undefined) {
  return <T>(name: string, { read, without }: Parameter<T>): T => {
    const text = query.get(name) ?? '';
    if (text === '') return without;
    const value = read(text);
    if (value === null) onFault(name);
    return value ?? without;
  };
}
