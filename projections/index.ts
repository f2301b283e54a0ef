import { apiKeyUsageEvents } from '../commands/api-keys.ts';
import { rebuildEvents } from '../commands/rebuilds.ts';
import * as all from './all.ts';
import type { Projection } from '../src/service/kernel/projection/projection.ts';
import { KEY_CLAIMED } from '../src/service/kernel/aggregate/claims.ts';
import { DEAD_LETTER_RETRIED } from '../src/service/kernel/projection/dead-letters.ts';

/** Namespace of the built-in read models. */
export const BUILT_IN = 'built-in';

/** The built-in read models: one group, with one checkpoint (docs/architecture.md#projection-rules). */
export const builtInProjections: readonly Projection[] = Object.values(all).filter(
  (each: object): each is Projection => 'model' in each && 'on' in each,
);

/**
 * One less than the sum of the versions of the read models of release 0.1.0. Whoever removes a read model subtracts its
 * version and one more, so that the sum still grows.
 */
const OFFSET = 17;

/**
 * Version of the built-in read models: the sum of their versions, counted so that release 0.1.0 had version 1. The first
 * projector of a release rebuilds read models of an older version, and refuses those of a newer one. So it must be greater
 * than in the release before when anything differs, and the same when nothing does.
 */
export const BUILT_IN_VERSION = builtInProjections.reduce((sum, { model }) => sum + model.version, -OFFSET);

/** Whether an event may be gone later: its stream keeps only its newest one. */
export const isReplaceable = ({ type }: { readonly type: string }): boolean => Object.hasOwn(apiKeyUsageEvents, type);

/** The fields that projections set by such events. */
export const REPLACEABLE_FIELDS = ['lastUsedAt', 'lastLoginAt', 'lastSeenAt'] as const;

/** The types of all events that this release writes or has written: whatever else there is, another has written. */
export const KNOWN_EVENTS: ReadonlySet<string> = new Set([
  ...builtInProjections.flatMap(({ events }) => Object.keys(events)),
  KEY_CLAIMED,
  DEAD_LETTER_RETRIED,
  ...Object.keys(rebuildEvents),
]);
