import { PARTICIPANT_ERASED, participantDecider } from '../../../commands/participants.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import type { Fault } from '../../kernel/aggregate/rejection.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import { Problem } from '../http/problems.ts';

/** Participants who are looked up at the same time. */
const LOOK_UPS = 50;

/** A participant in a body, and a JSON pointer to them. */
interface NamedParticipant {
  readonly id: string;
  readonly pointer: string;
}

/** Whether a participant was erased, by their events. */
export async function isErased(aggregates: Pick<Aggregates, 'load'>, participantId: string): Promise<boolean> {
  const { state } = await aggregates.load(participantDecider, streamOf(participantDecider.category, participantId));
  return state?._isErased === true;
}

/**
 * Checks that participants who are to take a seat, or to wait for one, were not erased. Laps that they have driven are
 * recorded all the same.
 * @throws {Problem} 409 that names those who were
 */
export async function requireNotErased(
  aggregates: Pick<Aggregates, 'load'>,
  participants: readonly NamedParticipant[],
): Promise<void> {
  const errors: Fault[] = [];
  for (let from = 0; from < participants.length; from += LOOK_UPS) {
    const step = participants.slice(from, from + LOOK_UPS);
    const erased = await Promise.all(step.map(({ id }) => isErased(aggregates, id)));
    for (const [n, { pointer }] of step.entries()) {
      if (erased[n] === true) errors.push({ pointer, detail: 'this participant was erased' });
    }
  }
  if (errors.length > 0) throw new Problem(PARTICIPANT_ERASED.code, PARTICIPANT_ERASED.detail, { errors });
}
