/** What games write for an unknown count, and more. */
const NO_COUNT_FROM = 2_147_483_647;

/** A count of a file, such as of laps; null where it is none. */
export function countOf(value: number | null): number | null {
  return value !== null && Number.isInteger(value) && value >= 0 && value < NO_COUNT_FROM ? value : null;
}

/** A count written as text; null where it is none. */
export function countOfText(text: string | null | undefined): number | null {
  const digits = text?.trim() ?? '';
  return /^\d{1,10}$/.test(digits) ? countOf(Number(digits)) : null;
}

/** A position of a file, from 1; null where it is none. */
export function positionOf(value: number | null): number | null {
  const position = countOf(value);
  return position === 0 ? null : position;
}

/** The count after one that a game counts from 0; null where it is none. */
export function countFromZero(value: number | null): number | null {
  const count = countOf(value);
  return count === null ? null : count + 1;
}
