import { z } from 'zod';
import { streamOf } from '../stream-names.ts';
import type { NewEvent, Position, RecordedEvent, Revision } from '../ports/event-store.ts';
import { eventType, UnknownEvent } from '../event-types.ts';
import type { JsonObject } from '../json.ts';
import { PoisonEvent } from './unit-of-work.ts';
import { readModel } from './projection.ts';
import type { DocumentMeta } from '../ports/read-store.ts';

/**
 * A dead letter: an event that could not be projected, or that follows one in its stream. Its id is
 * `<stream>:<revision>`.
 */
export type DeadLetterDocument = DocumentMeta & {
  readonly stream: string;
  readonly revision: Revision;
  readonly type: string;
  readonly version: number;
  /** Position of the event. */
  readonly position: Position;
  readonly occurredAt: string;
  /** Why it was parked. */
  readonly error: string;
  /** Whether this release does not know the event's type or version. */
  readonly unknown: boolean;
  /**
   * Collection of the read model that it could not be projected into; null: this release does not know the type of the
   * event, or an earlier event of its stream is parked.
   */
  readonly projection?: string | null;
  /** Number of retries, and the time of the last one, ISO 8601; letters of release 0.1.0 have neither. */
  readonly retries?: number;
  readonly retriedAt?: string;
  /** False once it has been projected: nothing is deleted (docs/architecture.md#projection-rules). */
  readonly waiting: boolean;
  /** The event as it was appended. */
  readonly event: JsonObject;
};

/** The dead letters of a group, stored beside its documents. */
export const deadLetters = readModel<DeadLetterDocument>('deadLetters', {
  category: 'deadLetter',
  indexes: [['waiting', 'position']],
});

/**
 * Type of the event that requests the retry of one dead letter. It is an event like any other, so that the retry has
 * the same position for every projector and every rebuild. Its data is `{ letter }`, the letter's id.
 */
export const DEAD_LETTER_RETRIED = 'DeadLetterRetried';

/** The events of the stream of a group's retries. */
export const retryEvents = { [DEAD_LETTER_RETRIED]: eventType(z.object({ letter: z.string() })) };

/** Name of the stream of a group's retries. */
export function retryStreamOf(group: string): string {
  return streamOf('deadLetterRetry', group);
}

/** An event that was parked, with the reason. */
export interface ParkedEvent {
  readonly event: RecordedEvent;
  readonly error: Error;
  /** True when nothing is wrong with the event itself, but an earlier one of its stream is parked. */
  readonly blocked: boolean;
}

/** Most characters that are kept of an error. */
const MAX_ERROR_LENGTH = 500;

/** Id of an event's dead letter. */
export function deadLetterIdOf({ stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>): string {
  return `${stream}:${revision}`;
}

/**
 * Whether a retry applies to a dead letter: once, however often the retry is delivered; a half-written one is repeated.
 */
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
    projection: projectionOf(error),
    retries: 0,
    waiting: true,
    event: { id, data, metadata: { ...metadata } },
    _created: position,
    _position: position,
    _revision: 0,
  };
}

/** The collection that an event could not be projected into, if it was one. */
export function projectionOf(error: Error): string | null {
  return error instanceof PoisonEvent ? error.collection : null;
}

/** Text of an error for a dead letter: that of its cause, if there is one. */
export function errorText({ message, cause }: Error): string {
  return (cause instanceof Error ? cause.message : message).slice(0, MAX_ERROR_LENGTH);
}

/** The event in a dead letter, as it was read from the store. */
export function eventInLetter({ stream, revision, position, type, event }: DeadLetterDocument): RecordedEvent {
  // `deadLetterOf` made it from an event.
  return { ...(event as unknown as NewEvent), stream, revision, position, type };
}
