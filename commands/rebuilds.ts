import { z } from 'zod';
import { Id, Text } from '../src/domain/facts.ts';
import { eventType } from '../src/kernel/event-types.ts';

const Requested = z.object({ rebuildId: Id });

/** Events by which earlier versions were asked for a rebuild: nothing depends on them, and they stay readable. */
export const rebuildEvents = {
  RebuildRequested: eventType(Requested),
  RebuildStarted: eventType(Requested.extend({ generation: Text })),
  RebuildEnded: eventType(Requested.extend({ error: Text.nullable() })),
};
