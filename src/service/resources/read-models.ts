import { z } from 'zod';
import { apiKeyUsageEvents } from '../../../commands/api-keys.ts';
import { rebuildEvents } from '../../../commands/rebuilds.ts';
import * as all from '../../../projections/all.ts';
import { AnyObject, Id, Integer, listOf, Text } from '../domain/facts.ts';
import { KEY_CLAIMED } from '../kernel/aggregate/claims.ts';
import { eventType, type EventTypes } from '../kernel/event-types.ts';
import { DEAD_LETTER_RETRIED } from '../kernel/projection/dead-letters.ts';
import type { Projection } from '../kernel/projection/projection.ts';

export const BUILT_IN = 'built-in';

/**
 * The built-in read models: one group, with one checkpoint (docs/architecture.md#projection-rules). Its order is that of
 * the names, so that it does not depend on the order of the declarations.
 */
export const builtInProjections: readonly Projection[] = Object.values(all)
  .filter((each) => 'on' in each)
  .sort((a, b) => (a.model.collection < b.model.collection ? -1 : 1));

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

/** Types of events that may be gone later: their streams keep only their newest one. */
export const REPLACEABLE_EVENTS: ReadonlySet<string> = new Set(Object.keys(apiKeyUsageEvents));

/** The fields that projections set by such events. */
export const REPLACEABLE_FIELDS = ['lastUsedAt', 'lastLoginAt', 'lastSeenAt'] as const;

/** A claim holds complete events. */
const KeyClaimed = z.object({
  owner: Text,
  revision: z.union([Integer, z.literal('no_stream')]),
  events: listOf(z.object({ id: Id, type: Text, data: AnyObject, metadata: AnyObject })),
});

/** The types of all events that this release writes or has written: whatever else there is, another has written. */
export const EVENT_TYPES: EventTypes = {
  ...Object.fromEntries(builtInProjections.flatMap(({ events }) => Object.entries(events))),
  [KEY_CLAIMED]: eventType(KeyClaimed),
  [DEAD_LETTER_RETRIED]: eventType(z.object({ letter: Text })),
  ...rebuildEvents,
};

export const KNOWN_EVENTS: ReadonlySet<string> = new Set(Object.keys(EVENT_TYPES));
