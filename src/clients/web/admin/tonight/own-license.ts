import { useCallback } from 'preact/hooks';
import { objectOf, textOf, type JsonObject } from '../../shared/json.ts';
import { venueName } from '../../shared/venue.ts';
import { useLoaded } from '../parts/answers.tsx';
import { useSession } from '../session.ts';

export const OWN_LICENSE = '/api/v1/licenses/current';

/** The name of the venue of a licence; empty: it has none yet. */
export function nameOfVenue(license: JsonObject): string {
  return venueName({ id: textOf(license['id']), displayName: textOf(license['displayName']) }) ?? '';
}

/** Whether a licence says what its pages show of the venue: its name, and its time zone. A logo may be missing. */
export function isVenueSet(license: JsonObject): boolean {
  return nameOfVenue(license) !== '' && textOf(license['timeZone']) !== '';
}

/** Reads the licence of the key. */
export function useOwnLicense(everyMs?: number) {
  const { client, zone } = useSession();
  const read = useCallback(
    async (signal: AbortSignal) => {
      const { json, etag } = await client.get(OWN_LICENSE, signal);
      const record = objectOf(json);
      zone.follow(record);
      return { record, etag };
    },
    [client, zone],
  );
  return useLoaded(read, everyMs);
}
