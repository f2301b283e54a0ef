import { creates, type Call } from '../support/model/calls.ts';

/** A sequence that once failed. */
interface Kept {
  readonly what: string;
  readonly calls: readonly Call[];
}

const FIRST = { $ref: 0 };
const NAME = { $name: 0 };

/** Sequences that once failed, played before any others. */
export const KEPT: readonly Kept[] = [
  {
    what: 'the key of a rig that has moved to another licence neither records a lap, nor corrects one',
    calls: [
      { do: 'change', kind: 'Rig', by: 'admin', target: 0, body: { licenseId: { $ref: 1 } }, match: 'none' },
      creates(
        'Lap',
        { key: 0 },
        {
          participantId: FIRST,
          rigId: FIRST,
          eventId: FIRST,
          carId: FIRST,
          trackId: FIRST,
          sectors: [],
          totalTime: 0,
          valid: false,
        },
      ),
      { do: 'change', kind: 'Lap', by: { key: 0 }, target: 0, body: { totalTime: 1 }, match: 'none' },
      { do: 'change', kind: 'Rig', by: { key: 0 }, target: 0, body: { name: 'moved' }, match: 'none' },
    ],
  },
  {
    what: 'a mapping is created that a key of another licence has created',
    calls: [
      creates('Simulator', 'admin', { displayName: NAME, slug: NAME, logo: NAME, logoWide: NAME }),
      mappedBy(4),
      registered(0),
      registered(1),
      mappedBy(4),
    ],
  },
];

/** A car is mapped with the n-th key of those that there are: with more keys, another one. */
function mappedBy(key: number): Call {
  return creates('SimulatorCar', { key }, { carId: FIRST, simulatorIdentifier: NAME, contentId: null });
}

function registered(name: number): Call {
  return creates('Rig', 'admin', { hardwareId: { $name: name } });
}
