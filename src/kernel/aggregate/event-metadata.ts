import type { Decided } from './decider.ts';
import type { EventMetadata, NewEvent } from '../ports/event-store.ts';
import type { EventTypes } from '../event-types.ts';
import { toIso, type Clock, type Ids } from '../ports/system.ts';

/** Who asks, under which request, and until when (epoch ms) it is worth trying. */
export interface Origin {
  readonly correlationId: string;
  readonly apiKeyId?: string;
  readonly licenseId?: string;
  readonly deadline: number;
}

/** The metadata that all events of one command share, over all its attempts. */
export function metadataOf(
  { correlationId, apiKeyId, licenseId }: Omit<Origin, 'deadline'>,
  fingerprint: string | undefined,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
): EventMetadata {
  return {
    version: 1,
    occurredAt: toIso(clock.now()),
    commandId: ids.random(),
    correlationId,
    ...(apiKeyId === undefined ? {} : { apiKeyId }),
    ...(licenseId === undefined ? {} : { licenseId }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
  };
}

/** A decided event as it is stored: in the newest version of its type. */
export function toNewEvent(
  { type, data }: Decided,
  types: EventTypes,
  { id, metadata }: { readonly id: string; readonly metadata: EventMetadata },
): NewEvent {
  const version = types[type]?.version ?? 1;
  return { id, type, data, metadata: version === metadata.version ? metadata : { ...metadata, version } };
}
