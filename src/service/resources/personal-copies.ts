import { metadataOf, toNewEvent } from '../../kernel/aggregate/new-event.ts';
import type { Origin } from '../../kernel/event-types.ts';
import type { EventStore } from '../../kernel/ports/event-store.ts';
import type { Clock, Ids } from '../../kernel/ports/system.ts';
import { COPIES_STREAM, copyEvents } from './copy-events.ts';

/** A copy of personal data that leaves the service. */
export interface PersonalCopy {
  readonly what: 'backup' | 'export';
  /** Where it goes: a directory or a file, or what a client does with it. */
  readonly where: string;
  /** Who runs the command; null: the key of the request asked for it. */
  readonly by: string | null;
}

interface Ports {
  readonly store: Pick<EventStore, 'append'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
}

/**
 * Records a copy, before it is made: the certificates of later erasures name it.
 * @throws {StoreUnavailable}
 */
export async function recordPersonalCopy(
  { store, clock, ids }: Ports,
  copy: PersonalCopy,
  origin: Omit<Origin, 'deadline'>,
): Promise<void> {
  const { what, where, by } = copy;
  const metadata = metadataOf(origin, undefined, { clock, ids });
  const event = toNewEvent(
    copyEvents,
    { type: 'PersonalDataCopied', data: { what, where, by } },
    ids.random(),
    metadata,
  );
  await store.append(COPIES_STREAM, [event], 'any');
}
