import { useState } from 'preact/hooks';
import { memo } from '../shared/hooks.ts';
import { venueLogo, venueName, type Venue } from '../shared/venue.ts';

/** The venue of an event: its logo and its name. */
export const VenueMark = memo(({ venue }: { readonly venue: Venue | null }) => {
  const [broken, setBroken] = useState(false);
  const logo = venue === null || broken ? null : venueLogo(venue);
  const name = venue === null ? null : venueName(venue);
  if (logo === null && name === null) return null;
  return (
    <p class="venue">
      {logo !== null && <img src={logo} alt="" onError={() => setBroken(true)} />}
      {name !== null && <bdi>{name}</bdi>}
    </p>
  );
});
