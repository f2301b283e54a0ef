import { PersonalTypes } from './personal-values.ts';
import type { EventTypes } from '../event-types.ts';
import type { EventStore, RecordedEvent } from '../ports/event-store.ts';
import type { PersonalKeys } from '../ports/personal-keys.ts';

/**
 * Applies the erasures in an event store to a key store that does not know them yet: one that was restored from an older
 * backup has the keys of people who were erased since. Call it before any event is read through the keys.
 * @throws {StoreUnavailable}
 */
export async function applyErasures(
  store: Pick<EventStore, 'readAll' | 'head'>,
  types: EventTypes,
  keys: Pick<PersonalKeys, 'erase' | 'appliedUpTo' | 'setAppliedUpTo'>,
): Promise<void> {
  const { erasing } = new PersonalTypes(types);
  const head = await store.head();
  const first = await firstEventOf(store);
  if (head === null || first === null) return;
  const applied = await keys.appliedUpTo();
  // A shorter history is another one: it was restored from a backup.
  const isKnown = applied !== null && applied.history === first.id && applied.position <= head;
  if (isKnown && applied.position === head) return;
  for await (const events of store.readAll(isKnown ? applied.position : null, erasing)) {
    for (const { stream, metadata } of events) await keys.erase(stream, metadata.occurredAt);
  }
  await keys.setAppliedUpTo({ history: first.id, position: head });
}

async function firstEventOf(store: Pick<EventStore, 'readAll'>): Promise<RecordedEvent | null> {
  for await (const [first] of store.readAll(null)) {
    if (first !== undefined) return first;
  }
  return null;
}
