import { streamOf } from '../aggregate/aggregate.ts';
import type { NewEvent, Position, RecordedEvent, Revision } from '../ports/event-store.ts';
import { UnknownEvent } from '../event-types.ts';
import type { JsonObject } from '../json.ts';
import { readModel } from './projection.ts';
import type { DocumentMeta } from '../ports/read-store.ts';

/** An event that could not be digested, or that came behind one in its stream. Its id is `<stream>:<revision>`. */
export type DeadLetterDocument = DocumentMeta & {
  readonly stream: string;
  readonly revision: Revision;
  readonly type: string;
  readonly version: number;
  /** Where the event stands in the global order. */
  readonly position: Position;
  readonly occurredAt: string;
  /** Why. */
  readonly error: string;
  /** Whether this release does not know the event's type or version. */
  readonly unknown: boolean;
  /** False once it was digested: nothing is deleted (DESIGN §2). */
  readonly waiting: boolean;
  /** The event as it was appended. */
  readonly event: JsonObject;
};

/** The dead letters of a group, beside its documents. */
export const deadLetters = readModel<DeadLetterDocument>('deadLetters', {
  category: 'deadLetter',
  indexes: [['waiting', 'position']],
});

/**
 * Asks for one dead letter to be digested again: an event like any other, so that the retry has its own place in the
 * global order, the same for every projector and every rebuild. Its data is `{ letter }`, the letter's id.
 */
export const DEAD_LETTER_RETRIED = 'DeadLetterRetried';

/** The stream of a group's retries. */
export function retryStreamOf(group: string): string {
  return streamOf('deadLetterRetry', group);
}

/** An event that was parked, and why. */
export interface ParkedEvent {
  readonly event: RecordedEvent;
  readonly error: Error;
  /** True when nothing is wrong with the event itself: an earlier one of its stream is parked. */
  readonly blocked: boolean;
}

/** Longest error, in characters, that is kept. */
const MAX_ERROR_LENGTH = 500;

/** The id of an event's letter. */
export function deadLetterIdOf({ stream, revision }: RecordedEvent): string {
  return `${stream}:${revision}`;
}

/** Whether a retry is for a letter: each has one chance, however often it comes; done by half, it is done again. */
export function canBeRetried({ waiting, _position }: DeadLetterDocument, position: Position): boolean {
  return waiting ? _position < position : _position === position;
}

/** The dead letter of an event. */
export function deadLetterOf(event: RecordedEvent, error: Error): DeadLetterDocument {
  const { stream, revision, position, id, type, data, metadata } = event;
  return {
    id: deadLetterIdOf(event),
    stream,
    revision,
    type,
    position,
    version: metadata.version,
    occurredAt: metadata.occurredAt,
    error: errorText(error),
    unknown: error.cause instanceof UnknownEvent,
    waiting: true,
    event: { id, data, metadata: { ...metadata } },
    _position: position,
    _revision: 0,
  };
}

/** An error as a letter tells it: what the handler threw says more than that it threw. */
export function errorText({ message, cause }: Error): string {
  return (cause instanceof Error ? cause.message : message).slice(0, MAX_ERROR_LENGTH);
}

/** The event of a letter, as it was read. */
export function eventInLetter({ stream, revision, position, type, event }: DeadLetterDocument): RecordedEvent {
  // Made of an event by `letterOf`.
  return { ...(event as unknown as NewEvent), stream, revision, position, type };
}
