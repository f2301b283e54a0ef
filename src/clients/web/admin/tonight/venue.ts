import { useEffect } from 'preact/hooks';
import { objectOf, textOf } from '../../shared/json.ts';
import { showTimesOf, shownZone } from '../../shared/page.ts';
import { zoneFor } from '../../shared/times.ts';
import { useJson } from '../parts/answers.tsx';

/** The licence of the key that is signed in, as the venue of the evening. */
export interface OwnVenue {
  /** Id of the licence; empty: not read yet. */
  readonly id: string;
  /** The zone in which times are shown; undefined: that of the browser. */
  readonly zone: string | undefined;
}

/** Reads the venue, and shows times in its zone from then on. */
export function useOwnVenue(): OwnVenue {
  const license = objectOf(useJson('/api/v1/licenses/current').data);
  const named = textOf(license['timeZone']);
  useEffect(() => showTimesOf(named === '' ? null : named), [named]);
  return { id: textOf(license['id']), zone: zoneOf(named) };
}

/** The zone that the address names wins, as on all pages. */
function zoneOf(named: string): string | undefined {
  return new URLSearchParams(location.search).has('tz') ? shownZone() : zoneFor(named === '' ? null : named);
}
