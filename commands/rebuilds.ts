import { z } from 'zod';
import { uuid } from '../src/service/domain/fields.ts';
import { eventType } from '../src/service/kernel/event-types.ts';

const Requested = z.object({ rebuildId: uuid });

/** Events by which earlier versions were asked for a rebuild: nothing depends on them, and they stay readable. */
export const rebuildEvents = {
  RebuildRequested: eventType(Requested),
  RebuildStarted: eventType(Requested.extend({ generation: z.string() })),
  RebuildEnded: eventType(Requested.extend({ error: z.string().nullable() })),
};
