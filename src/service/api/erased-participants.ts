import { PARTICIPANT_ERASED, participantDecider, participantEvents } from '../../../commands/participants.ts';
import type { Aggregates } from '../../kernel/aggregate/aggregates.ts';
import type { EventTypes } from '../../kernel/event-types.ts';
import type { Fault } from '../../kernel/aggregate/rejection.ts';
import type { Position, RecordedEvent } from '../../kernel/ports/event-store.ts';
import { idOf, streamOf } from '../../kernel/stream-names.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { ApiRequest } from '../http/endpoint.ts';
import { Problem, problemOf } from '../http/problems.ts';
import type { ReferencedResources } from './references.ts';

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

/** An erasure, by the event that recorded it. */
export interface Erasure {
  readonly participantId: string;
  readonly stream: string;
  readonly position: Position;
  /** ISO 8601. */
  readonly erasedAt: string;
  readonly reason: string;
  /** Null: the service itself. */
  readonly apiKeyId: string | null;
}

/** The erasure that an event of a participant records; null: it records something else. */
export function erasureIn({ type, stream, position, metadata }: RecordedEvent): Erasure | null {
  const types: EventTypes = participantEvents;
  if (types[type]?.erases !== true) return null;
  const { occurredAt: erasedAt, reason = '', apiKeyId = null } = metadata;
  return { participantId: idOf(stream), stream, position, erasedAt, reason, apiKeyId };
}

/** The services that know who owns a participant. */
export interface OwnerServices {
  readonly references: ReferencedResources;
  readonly aggregates: Aggregates;
  readonly authorizer: Authorizer;
}

/**
 * Whoever may change a participant may erase them, and see all that is kept about them.
 * @throws {Problem} 404 where there is no such participant, 403 for others
 */
export async function requireOwner(
  { references, aggregates, authorizer }: OwnerServices,
  { caller }: Pick<ApiRequest, 'caller'>,
  id: string,
): Promise<void> {
  await references.requireExisting('participant', id);
  const { category } = participantDecider;
  const { state, created } = await aggregates.load(participantDecider, streamOf(category, id));
  const rejection = await authorizer.authorize(caller, category, { id, state, created, change: {} });
  if (rejection !== null) throw problemOf(rejection);
}
