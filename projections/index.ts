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

/** Read models of release 0.1.0, whose version was 1. */
const FIRST_READ_MODELS = 18;

/**
 * What releases have changed in read models of the release before: other documents of the same events, other
 * collections or indexes. One line for each change, for ever; a read model that is removed takes two, as there is one
 * less to count.
 */
const CHANGED: readonly string[] = [
  'participants name the licence of the key that registered them; API keys have an end and old tokens',
  'laps keep what they were at first, not all that they ever were; boards are always sure of the best laps',
  'indexes for the filters of lists; events know until when they go on, participants who owns them',
  'laps say when they were driven, which orders equal times of boards',
  'laps show which of their rig they are',
  'a board is of one layout, and its best sectors of laps with as many sectors',
  'laps keep the position of their recording, and versions of laps what changed them and the rig',
  'rigs say when they were last seen',
  'documents tell when they were created, which orders those that are equal, on boards as well',
];

/**
 * Version of the built-in read models: it grows by one with each read model that is added and with each change of one.
 * Read models of an older version are rebuilt by the first projector of a release; those of a newer one are refused. So
 * it must be greater than in the release before when anything differs, and the same when nothing does.
 */
export const BUILT_IN_VERSION = 1 + (builtInProjections.length - FIRST_READ_MODELS) + CHANGED.length;

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
