import { participantsProjection } from '../../../projections/participants.ts';
import type { Projection } from '../../../src/service/kernel/projection/projection.ts';

/** Last name of somebody whose registration cannot be projected while the fault is on. */
export const POISON = 'Poison';

/** A fault that can be switched on and off, as if a release had it. */
export interface ProjectionFault {
  on: boolean;
}

/**
 * Puts a fault into the projection of participants, switched off, for the tests of a `describe`. It has to come before
 * the service starts, which looks the handlers up then.
 */
export function useProjectionFault(): ProjectionFault {
  const fault: ProjectionFault = { on: false };
  let uninstall = (): void => undefined;
  before(() => {
    uninstall = installFault(participantsProjection, 'ParticipantRegistered', fault);
  });
  after(() => uninstall());
  return fault;
}

function installFault({ on }: Projection, type: string, fault: ProjectionFault): () => void {
  const handlers: unknown = on;
  const original = on.get(type);
  if (!(handlers instanceof Map) || original === undefined) throw new Error(`there is no ${type} to poison`);
  const failing: typeof original = (event, ...reading) => {
    if (fault.on && event.data['lastName'] === POISON) throw new Error('cannot project such a person');
    return original(event, ...reading);
  };
  handlers.set(type, failing);
  return () => void handlers.set(type, original);
}
