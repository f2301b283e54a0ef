import { BUILT_IN } from '../resources/built-in.ts';
import { fenceIn, holderIn } from '../../kernel/lease.ts';
import type { Stores } from '../../kernel/ports/stores.ts';

export const PROJECTOR_LEASE = `projector ${BUILT_IN}`;
export const REBUILD_LEASE = `rebuild ${BUILT_IN}`;

/** Sources of a lease's state: where leases are stored, and whether a holder still lives. */
export type LeaseSources = Pick<Stores, 'readStore' | 'processes'>;

/**
 * The process that holds a lease, described for people (null: nobody does, or it has surely ended), and how often the
 * lease was granted.
 * @throws {StoreUnavailable}
 */
export async function describeLease({ readStore, processes }: LeaseSources, lease: string) {
  const register = await readStore.readRegister(lease);
  const holder = holderIn(register);
  const isHeld = holder !== null && !processes.hasEnded(holder);
  return { holder: isHeld ? processes.describe(holder) : null, fence: fenceIn(register) };
}
