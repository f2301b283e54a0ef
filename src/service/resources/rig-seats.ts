import { rigSeatDecider } from '../../../commands/rig-seats.ts';
import { listsRig } from './events.ts';
import { part } from './resource.ts';

/** Who sits on a rig, by its endpoint `/seat`. */
export const rigSeatPart = part({
  decider: rigSeatDecider,
  access: {
    owner: { kind: 'parent', field: 'rigId', category: 'rig' },
    // As laps: a driver of any licence, in an event that is one's own or shared, or admits the rig.
    parents: [{ field: 'eventId', category: 'event', admits: (event, { rigId }) => listsRig(event, rigId) }],
    rigKeys: { create: true, change: 'all', rig: 'rigId' },
  },
});
