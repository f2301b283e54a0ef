import { BUILT_IN } from '../resources/read-models.ts';
import { fenceIn, holderIn } from '../kernel/lease.ts';
import type { ReadStore } from '../kernel/ports/read-store.ts';
import type { Processes } from '../kernel/ports/system.ts';

/** Name of the projector's lease. */
export const PROJECTOR_LEASE = `projector ${BUILT_IN}`;

/** Name of the lease of a rebuild. */
export const REBUILD_LEASE = `rebuild ${BUILT_IN}`;

/** Sources of a lease's state: where leases are stored, and whether a holder still lives. */
export interface LeaseSources {
  readonly readStore: Pick<ReadStore, 'readRegister'>;
  readonly processes: Pick<Processes, 'hasEnded'>;
}

/** The process that holds a lease; null when nobody does, or it has surely ended. @throws {StoreUnavailable} */
export async function holderOf({ readStore, processes }: LeaseSources, lease: string): Promise<string | null> {
  const holder = holderIn(await readStore.readRegister(lease));
  return holder === null || processes.hasEnded(holder) ? null : holder;
}

/** A lease as its register shows it: its holder, described for people (null: nobody), and how often it was granted. */
export async function describeLease(
  { readStore, processes }: LeaseSources & { readonly processes: Pick<Processes, 'describe'> },
  lease: string,
): Promise<{ readonly holder: string | null; readonly fence: number }> {
  const register = await readStore.readRegister(lease);
  const holder = holderIn(register);
  const isHeld = holder !== null && !processes.hasEnded(holder);
  return { holder: isHeld ? processes.describe(holder) : null, fence: fenceIn(register) };
}
