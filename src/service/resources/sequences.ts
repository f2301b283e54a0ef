import { sequenceDecider } from '../../../commands/sequences.ts';
import { part } from './resource.ts';

/** What a rig says of its laps, by its endpoint `/sequence`. */
export const sequencePart = part({
  decider: sequenceDecider,
  access: {
    owner: { kind: 'parent', field: 'rigId', category: 'rig' },
    rigKeys: { create: true, change: 'all', rig: 'rigId' },
  },
});
