import type { JsonObject } from '../../src/kernel/json.ts';

/** The objects in a text of one a line. */
export function jsonLines(text: string): readonly JsonObject[] {
  const lines = text.split('\n').filter((line) => line !== '');
  // All that the tests read in this form is lines of objects.
  return lines.map((line) => JSON.parse(line) as JsonObject);
}
