import { BUILT_IN } from '../../projections/index.ts';
import { holderIn } from '../kernel/lease.ts';
import type { ReadStore } from '../kernel/ports/read-store.ts';
import { hasEnded } from '../../infra/system/process-name.ts';

/** The name of the lease whose holder projects. */
export const PROJECTOR_LEASE = `projector ${BUILT_IN}`;

/** The name of the lease whose holder rebuilds. */
export const REBUILD_LEASE = `rebuild ${BUILT_IN}`;

/**
 * The process that holds a lease; null when nobody does, or it has surely ended.
 * @throws {StoreUnavailable}
 */
export async function holderOf(registers: Pick<ReadStore, 'readRegister'>, lease: string): Promise<string | null> {
  const holder = holderIn(await registers.readRegister(lease));
  return holder === null || hasEnded(holder) ? null : holder;
}
