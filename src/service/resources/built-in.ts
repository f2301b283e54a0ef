import { apiKeyUsageEvents } from '../../../commands/api-keys.ts';
import { rigPairingEvents } from '../../../commands/rig-pairings.ts';
import { copyEvents } from './copy-events.ts';
import { rebuildEvents } from './rebuild-events.ts';
import * as all from '../../../projections/all.ts';
import { apiKeys } from '../../../projections/api-keys.ts';
import { licenses } from '../../../projections/licenses.ts';
import { claimEvents } from '../../kernel/aggregate/claims.ts';
import type { EventTypes } from '../../kernel/event-types.ts';
import { retryEvents } from '../../kernel/projection/dead-letters.ts';
import type { Projection } from '../../kernel/projection/projection.ts';

export const BUILT_IN = 'built-in';

/**
 * The built-in read models: one group, with one checkpoint (docs/architecture.md#projection-rules). Its order is that of
 * the names, so that it does not depend on the order of the declarations.
 */
export const builtInProjections: readonly Projection[] = Object.values(all)
  .filter((each) => 'on' in each)
  .sort((a, b) => (a.model.collection < b.model.collection ? -1 : 1));

/**
 * Names of read models that earlier releases had and this one has not. Whoever removes a read model adds it here, or what
 * such a release has made would look newer; and subtracts its version, and one more, from `OFFSET`, so that the sum grows.
 */
export const REMOVED_READ_MODELS: readonly string[] = [];

/** The version of each built-in read model, by its name. */
export const READ_MODEL_VERSIONS: Readonly<Record<string, number>> = Object.fromEntries(
  builtInProjections.map(({ model: { collection, version } }) => [collection, version]),
);

/** One less than the sum of the versions of the read models of release 0.1.0. */
const OFFSET = 17;

/** The sum of versions of read models, counted so that release 0.1.0 had 1. */
export function sumOfVersions(versions: Readonly<Record<string, number>>): number {
  return Object.values(versions).reduce((sum, version) => sum + version, -OFFSET);
}

/**
 * The sum of the versions of the built-in read models, for people, and for releases that know no version of each: these
 * refuse read models with a greater one.
 */
export const BUILT_IN_VERSION = sumOfVersions(READ_MODEL_VERSIONS);

/** The versions of all built-in read models as one text: two lines of releases may come to the same sum. */
export const READ_MODELS_FINGERPRINT = Object.entries(READ_MODEL_VERSIONS)
  .map(([name, version]) => `${name} ${version}`)
  .join(', ');

/** Types of events that may be gone later: their streams keep only their newest one. */
export const REPLACEABLE_EVENTS: ReadonlySet<string> = new Set(Object.keys(apiKeyUsageEvents));

/** The fields that projections set by such events. */
export const REPLACEABLE_FIELDS = ['lastUsedAt', 'lastLoginAt', 'lastSeenAt'] as const;

/**
 * Categories of the streams that say who may do what. No event in them is skipped: one of a type that this release does
 * not know may end a key. The use of a key, which is a stream of its own, gives no rights.
 */
export const CATEGORIES_OF_RIGHTS: readonly string[] = [apiKeys.category, licenses.category];

/** The types of all events that this release writes or has written: whatever else there is, another has written. */
export const EVENT_TYPES: EventTypes = {
  ...Object.fromEntries(builtInProjections.flatMap(({ events }) => Object.entries(events))),
  ...claimEvents,
  ...retryEvents,
  ...rebuildEvents,
  // No read model is made of them: they are read by their streams.
  ...rigPairingEvents,
  ...copyEvents,
};

export const KNOWN_EVENTS: ReadonlySet<string> = new Set(Object.keys(EVENT_TYPES));
