import { z } from 'zod';
import { driverName, publicName } from './laps.ts';
import { participants } from '../projections/participants.ts';
import { rigSeats, type RigSeatDocument } from '../projections/rig-seats.ts';
import { lookingUpOnce, readOne, streamAll } from '../src/domain/documents.ts';
import { described, instant } from '../src/domain/fields.ts';
import { reference } from '../src/domain/references.ts';
import type { QueryBounds, ReadModels } from '../src/kernel/ports/read-store.ts';

const participantId = reference('participant', 'Who sits there.');

/** Who sits on a rig. */
export const SeatView = z
  .object({
    rigId: reference('rig', 'The rig.'),
    participantId,
    participantName: driverName,
    publicName,
    eventId: reference('event', 'The event that they drive in.'),
    from: described(instant, 'Since when.', '2026-05-01T19:30:00.000Z'),
  })
  .meta({ id: 'Seat', description: 'Who sits on a rig.' });
export type Seat = z.output<typeof SeatView>;

/** Who sits on a rig now, by their public name; null: nobody. */
export async function seatOfRig(models: ReadModels, rigId: string): Promise<Seat | null> {
  const document = await readOne(models, rigSeats, rigId);
  if (document === null) return null;
  return seatOf(document, (id) => readOne(models, participants, id));
}

/** Everybody who sits on a rig for an event, by their public names, in the order of the ids of the rigs. */
export async function seatsOfEvent(models: ReadModels, eventId: string, bounds: QueryBounds): Promise<readonly Seat[]> {
  const seats: Seat[] = [];
  const participant = lookingUpOnce(models, participants);
  for await (const batch of streamAll(models, rigSeats, { where: { eventId }, ...bounds })) {
    for (const document of batch) {
      const seat = await seatOf(document, participant);
      if (seat !== null) seats.push(seat);
    }
  }
  return seats.toSorted((a, b) => (a.rigId < b.rigId ? -1 : 1));
}

async function seatOf(
  { rigId, participantId: driver, eventId, from }: RigSeatDocument,
  participant: (id: string) => Promise<{ readonly publicName: string } | null>,
): Promise<Seat | null> {
  if (driver === null || eventId === null || from === null) return null;
  const participantName = (await participant(driver))?.publicName ?? '';
  return { rigId, participantId: driver, participantName, eventId, from };
}
