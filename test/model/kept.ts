import type { Call } from '../support/model/calls.ts';

/** A sequence that once failed. */
interface Kept {
  readonly what: string;
  readonly calls: readonly Call[];
}

/** Sequences that once failed, played before any others. */
export const KEPT: readonly Kept[] = [
  {
    what: 'the key of a rig that has moved to another licence neither records a lap, nor corrects one',
    calls: [
      { do: 'change', kind: 'Rig', by: 'admin', target: 0, body: { licenseId: { $ref: 1 } }, match: 'none' },
      {
        do: 'create',
        kind: 'Lap',
        by: { key: 0 },
        body: {
          participantId: { $ref: 0 },
          rigId: { $ref: 0 },
          eventId: { $ref: 0 },
          sectors: [],
          totalTime: 0,
          valid: false,
          carId: { $ref: 0 },
          trackId: { $ref: 0 },
        },
        simulator: 0,
        license: 0,
        idempotency: null,
      },
      { do: 'change', kind: 'Lap', by: { key: 0 }, target: 0, body: { totalTime: 1 }, match: 'none' },
      { do: 'change', kind: 'Rig', by: { key: 0 }, target: 0, body: { name: 'moved' }, match: 'none' },
    ],
  },
  {
    what: 'a mapping is created that a key of another licence has created',
    calls: [
      {
        do: 'create',
        kind: 'Simulator',
        by: 'admin',
        body: { displayName: { $name: 0 }, slug: { $name: 0 }, logo: { $name: 0 }, logoWide: { $name: 0 } },
        simulator: 0,
        license: 0,
        idempotency: null,
      },
      mappedBy(4),
      registered(0),
      registered(1),
      mappedBy(4),
    ],
  },
];

/** A car is mapped with the n-th key of those that there are: with more keys, another one. */
function mappedBy(key: number): Call {
  return {
    do: 'create',
    kind: 'SimulatorCar',
    by: { key },
    body: { carId: { $ref: 0 }, simulatorIdentifier: { $name: 0 }, contentId: null },
    simulator: 0,
    license: 0,
    idempotency: null,
  };
}

function registered(name: number): Call {
  return {
    do: 'create',
    kind: 'Rig',
    by: 'admin',
    body: { hardwareId: { $name: name } },
    simulator: 0,
    license: 0,
    idempotency: null,
  };
}
