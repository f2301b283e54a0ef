import { hostname, userInfo } from 'node:os';
import { reasonOf } from '../../service/config/start-failure.ts';
import { recordPersonalCopy, type PersonalCopy } from '../../service/resources/personal-copies.ts';
import { system, withStoreAt } from '../../service/stores/stores.ts';
import type { StoreLocation } from '../history/location.ts';
import type { Output } from './output.ts';

/**
 * Records in the event store of the service that a command is about to copy personal data. Where that fails, the command
 * goes on and says so: a backup is wanted most when the disk is full.
 */
export async function recordCopyOf(
  location: StoreLocation,
  storeTimeoutMs: number,
  { what, where }: Pick<PersonalCopy, 'what' | 'where'>,
  err: Output,
): Promise<void> {
  const by = `${userInfo().username}@${hostname()}`;
  try {
    await withStoreAt(location, storeTimeoutMs, (store) =>
      recordPersonalCopy({ ...system, store }, { what, where, by }, { correlationId: `cli:${by}` }),
    );
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) throw error;
    err.write(`The ${what} could not be recorded, so certificates of erasures will not name it: ${reason}\n`);
  }
}
