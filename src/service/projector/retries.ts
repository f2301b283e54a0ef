import { BUILT_IN } from '../../../projections/index.ts';
import { DEAD_LETTER_RETRIED, retryStreamOf } from '../kernel/projection/dead-letters.ts';
import type { EventMetadata, NewEvent, Position } from '../kernel/ports/event-store.ts';
import type { ProjectionStores } from './generations.ts';

/**
 * Asks the projector to retry dead letters, in this order; gives the position of the last request. There may be no more
 * of them than a store takes in one append.
 * @throws {StoreUnavailable}
 */
export async function requestRetries(
  { store, ids }: Pick<ProjectionStores, 'store' | 'ids'>,
  letters: readonly string[],
  metadata: EventMetadata,
): Promise<Position> {
  const events = letters.map((letter): NewEvent => ({
    id: ids.random(),
    type: DEAD_LETTER_RETRIED,
    data: { letter },
    metadata,
  }));
  return (await store.append(retryStreamOf(BUILT_IN), events, 'any')).position;
}
