import { z } from 'zod';
import { driverName, publicName } from './laps.ts';
import { participants } from '../projections/participants.ts';
import { readOne } from '../src/domain/documents.ts';
import { described, instant } from '../src/domain/fields.ts';
import type { Waiting } from '../src/domain/queue-order.ts';
import { reference } from '../src/domain/references.ts';
import type { ReadModels } from '../src/kernel/ports/read-store.ts';

const participantId = reference('participant', 'Who waits.');

/** Somebody who waits for a seat. */
export const QueueEntryView = z
  .object({
    participantId,
    participantName: driverName,
    publicName,
    since: described(instant, 'Since when.', '2026-05-01T19:30:00.000Z'),
  })
  .meta({ id: 'QueueEntry', description: 'Somebody who waits for a seat in an event.' });

/** A queue with the public names of those who wait. */
export async function shownQueue(
  models: ReadModels,
  queue: readonly Waiting[],
): Promise<readonly z.output<typeof QueueEntryView>[]> {
  return Promise.all(
    queue.map(async ({ participantId: id, since }) => ({
      participantId: id,
      participantName: (await readOne(models, participants, id))?.publicName ?? '',
      since,
    })),
  );
}
