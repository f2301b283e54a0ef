import { participantsProjection } from '../../../projections/participants.ts';
import type { JsonObject } from '../../../src/kernel/json.ts';
import type { Projection } from '../../../src/kernel/projection/projection.ts';

/** Last name of somebody whose registration cannot be projected while the fault is on. */
export const POISON = 'Poison';

/** A fault that can be switched on and off, as if a release had it. */
export interface ProjectionFault {
  on: boolean;
}

/** Puts a fault into the projection of participants, switched off, for the tests of a `describe`. */
export function useProjectionFault(): ProjectionFault {
  return useFaultIn(participantsProjection, ['ParticipantRegistered'], ({ lastName }) => {
    if (lastName === POISON) throw new Error('cannot project such a person');
  });
}

/**
 * The same for some events of any projection: while the fault is on, `check` is called with their data first. It has to
 * come before the service starts, which looks the handlers up then.
 */
export function useFaultIn(
  { on }: Projection,
  types: readonly string[],
  check: (data: JsonObject) => void,
): ProjectionFault {
  const fault: ProjectionFault = { on: false };
  const originals = new Map([...on].filter(([type]) => types.includes(type)));
  const handlers: unknown = on;
  if (!(handlers instanceof Map) || originals.size < types.length)
    throw new Error(`there is no ${types.join()} to poison`);
  before(() => {
    for (const [type, original] of originals) {
      const failing: typeof original = (event, ...reading) => {
        if (fault.on) check(event.data);
        return original(event, ...reading);
      };
      handlers.set(type, failing);
    }
  });
  after(() => {
    for (const [type, original] of originals) handlers.set(type, original);
  });
  return fault;
}
