import { z } from 'zod';
import type { CommandOf } from '../src/service/domain/body-command.ts';
import { uuid } from '../src/service/domain/fields.ts';
import { decider, evolveExisting } from '../src/service/kernel/aggregate/decider.ts';
import { eventType } from '../src/service/kernel/event-types.ts';

const Requested = z.object({ rebuildId: uuid });
const Started = Requested.extend({
  /** Namespace of the read models that are being made. */
  generation: z.string(),
});
const Ended = Requested.extend({
  /** Why it was given up; null: what it made is current. */
  error: z.string().nullable(),
});

export const rebuildEvents = {
  RebuildRequested: eventType(Requested),
  /** Again for another generation, where the one of before cannot be continued. */
  RebuildStarted: eventType(Started),
  RebuildEnded: eventType(Ended),
};

/** The rebuild of a group of read models that was asked for last. */
export interface Rebuild {
  readonly id: string;
  /** Null until a process has started it. */
  readonly generation: string | null;
  readonly ended: boolean;
  /** Why it was given up; null: it was not. */
  readonly error: string | null;
}

export type RebuildCommand = CommandOf<{
  RequestRebuild: z.output<typeof Requested>;
  StartRebuild: z.output<typeof Started>;
  EndRebuild: z.output<typeof Ended>;
}>;

/** Whether a rebuild is the one that is meant, and not over yet. */
function isUnderWay(rebuild: Rebuild | null, { rebuildId }: z.output<typeof Requested>): rebuild is Rebuild {
  return rebuild?.id === rebuildId && !rebuild.ended;
}

/** The rebuilds of a group, one after the other: while one is under way, another is not begun. */
export const rebuildDecider = decider<Rebuild | null, RebuildCommand, typeof rebuildEvents>({
  category: 'rebuild',
  initial: null,
  events: rebuildEvents,
  evolve: {
    RebuildRequested: (_, { rebuildId }) => ({ id: rebuildId, generation: null, ended: false, error: null }),
    RebuildStarted: evolveExisting((rebuild, { generation }) => ({ ...rebuild, generation })),
    RebuildEnded: evolveExisting((rebuild, { error }) => ({ ...rebuild, ended: true, error })),
  },
  decide: {
    RequestRebuild: (rebuild, data) => (rebuild === null || rebuild.ended ? [{ type: 'RebuildRequested', data }] : []),
    StartRebuild: (rebuild, data) =>
      isUnderWay(rebuild, data) && rebuild.generation !== data.generation ? [{ type: 'RebuildStarted', data }] : [],
    EndRebuild: (rebuild, data) => (isUnderWay(rebuild, data) ? [{ type: 'RebuildEnded', data }] : []),
  },
});
