import { useState } from 'preact/hooks';
import { Button } from '../../shared/controls.tsx';
import { t } from '../../shared/page.ts';
import tonight from '../../texts/tonight.json' with { type: 'json' };
import { addressOf, Link } from '../router.tsx';
import { useSession } from '../session.ts';
import { isVenueSet, useOwnLicense } from './own-license.ts';

/** How often, in ms, it is looked what is there. */
const LOOK_EVERY_MS = 10_000;

/** Where this browser remembers that somebody has left the step out; behind it stands the id of the licence. */
const STORED = 'venue-left-out ';

function isLeftOut(licenseId: string): boolean {
  try {
    return localStorage.getItem(STORED + licenseId) !== null;
  } catch {
    // The browser stores nothing.
    return false;
  }
}

/** Whether the venue is `set`, or `missing`; `unknown`: that is read yet. One that was left out is not asked for. */
export function useVenueStep() {
  const { licenseId, may, resource } = useSession();
  const { data } = useOwnLicense(LOOK_EVERY_MS);
  const [leftOut, setLeftOut] = useState(() => isLeftOut(licenseId));
  const leaveOut = (): void => {
    setLeftOut(true);
    try {
      localStorage.setItem(STORED + licenseId, new Date().toISOString());
    } catch {
      // No storage: it is left out until the page is left.
    }
  };
  const mayChange = may(resource('License')?.change ?? null);
  let state: 'unknown' | 'set' | 'missing' = 'unknown';
  if (data !== undefined) state = isVenueSet(data.record) ? 'set' : 'missing';
  return { state, isAskedFor: state === 'missing' && mayChange && !leftOut, leaveOut };
}

/** The ways to enter what is missing of the venue, and to leave it out. */
export function VenueActions({ onLeaveOut }: { readonly onLeaveOut: () => void }) {
  return (
    <>
      <Link class="button" to={addressOf('/venue')}>
        {t(tonight.enterVenue)}
      </Link>
      <Button label={t(tonight.leaveOut)} onClick={onLeaveOut} />
    </>
  );
}

/** Asks for what is missing of the venue, where nothing else is missing. */
export function VenueNotice({ onLeaveOut }: { readonly onLeaveOut: () => void }) {
  return (
    <div class="notice actions">
      <span>{t(tonight.venueMissing)}</span>
      <VenueActions onLeaveOut={onLeaveOut} />
    </div>
  );
}
