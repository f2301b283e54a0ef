import { apiKeyEvents, apiKeyUsageEvents } from '../commands/api-keys.ts';
import { licenseEvents } from '../commands/licenses.ts';
import { builtInProjections } from '../projections/index.ts';
import { KEY_CLAIMED } from './kernel/claims.ts';
import { RETRIED } from './kernel/dead-letters.ts';

/** The types of all events that this release writes or has written: whatever else there is, another has written. */
export const KNOWN_EVENTS: ReadonlySet<string> = new Set([
  ...builtInProjections.flatMap(({ events }) => Object.keys(events)),
  ...[apiKeyEvents, apiKeyUsageEvents, licenseEvents].flatMap((events) => Object.keys(events)),
  KEY_CLAIMED,
  RETRIED,
]);
