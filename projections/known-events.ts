import { builtInProjections } from './index.ts';
import { KEY_CLAIMED } from '../src/kernel/aggregate/claims.ts';
import { DEAD_LETTER_RETRIED } from '../src/kernel/projection/dead-letters.ts';

/** The types of all events that this release writes or has written: whatever else there is, another has written. */
export const KNOWN_EVENTS: ReadonlySet<string> = new Set([
  ...builtInProjections.flatMap(({ events }) => Object.keys(events)),
  KEY_CLAIMED,
  DEAD_LETTER_RETRIED,
]);
