import type { DecidedEvent, EventTypes, Origin } from '../event-types.ts';
import { differenceIn } from '../json.ts';
import type { EventMetadata, NewEvent } from '../ports/event-store.ts';
import type { Clock, Ids } from '../ports/system.ts';

/**
 * A new event whose data do not match the schema of its type. What is stored is stored for ever, so nothing was appended.
 * This is a fault of the release, never of the caller. The message names the field but no value, which may be personal.
 */
export class InvalidNewEvent extends Error {
  /** @param pointer JSON pointer (RFC 6901) to the field at fault */
  constructor(type: string, pointer: string, problem: string) {
    super(`${type} was not recorded: the field '${pointer}' does not match the schema of the event (${problem})`);
  }
}

/**
 * Checks an event before it is stored: its type must be declared, and its data must be exactly those that the schema of
 * its type describes, without further fields.
 * @throws {InvalidNewEvent}
 */
export function requireValid(types: EventTypes, { type, data }: DecidedEvent): void {
  const declared = types[type];
  if (declared === undefined) throw new InvalidNewEvent(type, '', 'the type is not declared');
  const parsed = declared.schema.safeParse(data);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new InvalidNewEvent(type, pointerTo(issue?.path ?? []), issue?.code ?? 'unknown');
  }
  // Parsing drops the fields that the schema does not describe.
  const difference = differenceIn(data, parsed.data);
  if (difference !== null) throw new InvalidNewEvent(type, difference, 'not described');
}

function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part)}`).join('');
}

/**
 * Creates the event to store, in the newest version of its type. Every new event is made here.
 * @throws {InvalidNewEvent} when its data do not match the schema of its type.
 */
export function toNewEvent(types: EventTypes, event: DecidedEvent, id: string, metadata: EventMetadata): NewEvent {
  requireValid(types, event);
  const { type, data } = event;
  const version = types[type]?.version ?? metadata.version;
  return { id, type, data, metadata: version === metadata.version ? metadata : { ...metadata, version } };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Creates the metadata that all events of one command share, over all its attempts. */
export function metadataOf(
  { correlationId, apiKeyId, licenseId, role, reason }: Omit<Origin, 'deadline'>,
  fingerprint: string | undefined,
  { clock, ids }: { readonly clock: Pick<Clock, 'now'>; readonly ids: Ids },
): EventMetadata {
  const occurredAt = new Date(clock.now()).toISOString();
  const metadata: Mutable<EventMetadata> = { version: 1, occurredAt, commandId: ids.random(), correlationId };
  if (apiKeyId !== undefined) metadata.apiKeyId = apiKeyId;
  if (licenseId !== undefined) metadata.licenseId = licenseId;
  if (role !== undefined) metadata.role = role;
  if (fingerprint !== undefined) metadata.fingerprint = fingerprint;
  if (reason !== undefined) metadata.reason = reason;
  return metadata;
}
