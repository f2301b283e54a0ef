import * as all from '../../../projections/all.ts';
import { KNOWN_EVENTS } from '../../../projections/index.ts';
import type { Projection } from '../../service/kernel/projection/projection.ts';

/** The types of events of each noun: the one that makes it first, then those that change it. */
const NOUNS: readonly (readonly string[])[] = Object.entries(all)
  .filter(([name]) => name.endsWith('Events'))
  .map(([, types]) => Object.keys(types));

/** The types of events that projections listen to and that there are none of, each with the one that may be meant. */
export function unknownEvents(projections: readonly Projection[]): readonly string[] {
  const types = projections.flatMap(({ on }) => [...on.keys()]).filter((type) => !KNOWN_EVENTS.has(type));
  return [...new Set(types)].map((type) => `there is no event type ${type}; the nearest is ${nearestTo(type)}`);
}

/**
 * What projections leave out that take the events that make something: the types of events that change or correct it. One
 * that does not matter has a handler that returns null.
 */
export function neglectedEvents(projections: readonly Projection[]): readonly string[] {
  const taken = new Set(projections.flatMap(({ on }) => [...on.keys()]));
  return NOUNS.flatMap(([made = '', ...changes]) => {
    const missing = changes.filter((type) => !taken.has(type));
    if (!taken.has(made) || missing.length === 0) return [];
    return [
      `it takes ${made} but not ${missing.join(', ')}: what these change stays as it was before. ` +
        'One that does not matter has the handler () => null',
    ];
  });
}

function nearestTo(type: string): string {
  const distances = [...KNOWN_EVENTS].map(
    (known) => [distance(type.toLowerCase(), known.toLowerCase()), known] as const,
  );
  const [nearest = [0, '']] = distances.sort(([a], [b]) => a - b);
  return nearest[1];
}

/** How many letters have to be put in, taken out or exchanged to make one word of the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (const [i, letter] of Array.from(one).entries()) {
    const next = [i + 1];
    for (const [j, another] of Array.from(other).entries()) {
      const exchanged = (row[j] ?? 0) + (letter === another ? 0 : 1);
      next.push(Math.min(exchanged, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
