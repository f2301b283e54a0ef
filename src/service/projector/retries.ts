import { BUILT_IN } from '../resources/built-in.ts';
import { toNewEvent } from '../../kernel/aggregate/new-event.ts';
import { DEAD_LETTER_RETRIED, retryEvents, retryStreamOf } from '../../kernel/projection/dead-letters.ts';
import type { EventMetadata, Position } from '../../kernel/ports/event-store.ts';
import type { Stores } from '../../kernel/ports/stores.ts';

/**
 * Asks the projector to retry dead letters, in this order; returns the position of the last request. One append must hold
 * them all.
 * @throws {StoreUnavailable}
 */
export async function requestRetries(
  { store, ids }: Pick<Stores, 'store' | 'ids'>,
  letters: readonly string[],
  metadata: EventMetadata,
): Promise<Position> {
  const events = letters.map((letter) =>
    toNewEvent(retryEvents, { type: DEAD_LETTER_RETRIED, data: { letter } }, ids.random(), metadata),
  );
  const { position } = await store.append(retryStreamOf(BUILT_IN), events, 'any');
  return position;
}
