import { z } from 'zod';
import { Id, Text } from '../../domain/facts.ts';
import { eventType } from '../../kernel/event-types.ts';

const Requested = z.object({ rebuildId: Id });

/** The events by which earlier releases recorded rebuilds. Nothing depends on them; they stay readable. */
export const rebuildEvents = {
  RebuildRequested: eventType(Requested),
  RebuildStarted: eventType(Requested.extend({ generation: Text })),
  RebuildEnded: eventType(Requested.extend({ error: Text.nullable() })),
};
