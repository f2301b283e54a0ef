import { API_KEY_USAGE, apiKeyUsageEvents } from '../../../commands/api-keys.ts';
import type { Caller } from '../domain/roles.ts';
import { streamOf } from '../kernel/aggregate/decider.ts';
import type { EventStore } from '../kernel/ports/event-store.ts';
import { metadataOf } from '../kernel/aggregate/command-handler.ts';
import { toNewEvent } from '../kernel/event-types.ts';
import type { Clock, Ids } from '../kernel/ports/system.ts';
import type { KeyRegistry } from './registry.ts';

/** Shortest time, in ms, between two recorded uses of one key (docs/architecture.md#key-registry). */
const RECORD_EVERY_MS = 60_000;

/** Correlation id of usage events: each stands for many requests. */
const CORRELATION = 'usage';

/** Record of when keys were last used: kept in memory at once, and written as an event now and then. */
export interface KeyUsage {
  readonly recordUse: (caller: Caller) => void;
  /** When a key was last used as far as this process knows, ISO 8601, or null. */
  readonly lastUsedAt: (apiKeyId: string) => string | null;
  /** When a licence last saw an authenticated request, ISO 8601, or null. */
  readonly lastLoginAt: (licenseId: string) => string | null;
}

/** `onError` is called when a use could not be written; the request itself does not fail. */
export interface KeyUsageOptions {
  readonly store: Pick<EventStore, 'append'>;
  readonly registry: Pick<KeyRegistry, 'key' | 'license'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly onError: (error: unknown) => void;
}

export function createKeyUsage({ store, registry, clock, ids, onError }: KeyUsageOptions): KeyUsage {
  const keys = new Map<string, number>();
  const licenses = new Map<string, number>();
  const recorded = new Map<string, number>();

  async function record({ apiKeyId, licenseId, role, rigId }: Caller, now: number): Promise<void> {
    // The moment that is shown here already, so that it is the same after a restart.
    const source = { clock: { now: () => now }, ids };
    const metadata = metadataOf({ correlationId: CORRELATION, apiKeyId, licenseId, role }, undefined, source);
    const used = { type: 'ApiKeyUsed', data: { licenseId, ...(rigId !== null && { rigId }) } };
    const event = toNewEvent(used, apiKeyUsageEvents, { id: ids.random(), metadata });
    await store.append(streamOf(API_KEY_USAGE, apiKeyId), [event], 'newest_only');
  }
  const lastRecorded = (apiKeyId: string): number => {
    const known = registry.key(apiKeyId)?.lastUsedAt ?? null;
    return recorded.get(apiKeyId) ?? (known === null ? -Infinity : Date.parse(known));
  };
  return {
    recordUse(caller) {
      const now = clock.now();
      keys.set(caller.apiKeyId, now);
      licenses.set(caller.licenseId, now);
      // Also after the clock was set back from a moment that was recorded.
      if (Math.abs(now - lastRecorded(caller.apiKeyId)) < RECORD_EVERY_MS) return;
      recorded.set(caller.apiKeyId, now);
      record(caller, now).catch(onError);
    },
    lastUsedAt: (id) => newest(keys.get(id), registry.key(id)?.lastUsedAt),
    lastLoginAt: (id) => newest(licenses.get(id), registry.license(id)?.lastLoginAt),
  };
}

function newest(here: number | undefined, known: string | null | undefined): string | null {
  if (here === undefined) return known ?? null;
  const at = new Date(here).toISOString();
  return known !== null && known !== undefined && known > at ? known : at;
}
