import { sequenceDecider } from '../../../commands/sequences.ts';
import { part } from './resource.ts';

/** The announcements of rigs at `/sequence`: how many laps they have sent. */
export const sequencePart = part({
  decider: sequenceDecider,
  access: {
    owner: { kind: 'parent', field: 'rigId', category: 'rig' },
    rigKeys: { create: true, change: 'all', rig: 'rigId' },
  },
});
