import { z } from 'zod';
import { commandsFrom } from '../src/domain/body-command.ts';
import { Id, Integer, Text } from '../src/domain/facts.ts';
import { described } from '../src/domain/fields.ts';
import { decider } from '../src/kernel/aggregate/decider.ts';
import { eventType } from '../src/kernel/event-types.ts';
import { Sequence } from './laps.ts';

/** An announcement of a rig: it has sent its laps up to this number since one start of its software. */
const Announcement = z.object({
  boot: Sequence.shape.boot,
  upTo: described(z.int().min(0), 'Number of the last lap that was sent since that start; 0: none.', 40),
});

const Announced = z.object({ rigId: Id, boot: Text, upTo: Integer });
type Announced = z.output<typeof Announced>;

export const sequenceEvents = { SequenceAnnounced: eventType(Announced) };

export type SequenceCommand = { readonly type: 'AnnounceSequence'; readonly data: Announced };

/** One start of the software of a rig. An announcement of no more laps than are known changes nothing. */
export const sequenceDecider = decider<Announced, SequenceCommand, typeof sequenceEvents>({
  category: 'sequence',
  events: sequenceEvents,
  evolve: { SequenceAnnounced: (_, data) => data },
  decide: {
    AnnounceSequence: (state, data) =>
      state !== null && data.upTo <= state.upTo ? [] : [{ type: 'SequenceAnnounced', data }],
  },
});

export const announceSequence = commandsFrom('AnnounceSequence', {
  body: Announcement.meta({ description: 'Up to which number laps were sent.' }),
  commands: (body, { rigId = '' }) => [{ type: 'AnnounceSequence', data: { ...body, rigId } } as const],
});
