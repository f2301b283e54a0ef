import type { Schemas } from './api.ts';
import { readableColor } from './color.ts';
import { logoPath } from './logo.ts';
import { showTimesOf } from './page.ts';

export type Venue = NonNullable<Schemas['Event']['venue']>;

/** The background of each theme on which text has the least contrast, and where colours move to be read on it. */
const LIGHT = { background: '#eaecf0', towards: '#000000' } as const;
const DARK = { background: '#1f262f', towards: '#ffffff' } as const;

/** The licence of whoever runs the service, and the name that it has until somebody gives it another one. */
const ROOT = { id: '00000000-0000-7000-8000-000000000001', name: 'Root' } as const;

/** The name of a venue for people; null: it has none. */
export function venueName({ id, displayName }: Pick<Venue, 'id' | 'displayName'>): string | null {
  return displayName.trim() === '' || (id === ROOT.id && displayName === ROOT.name) ? null : displayName;
}

/** The path of a venue's logo on this service; null: it has none here. */
export function venueLogo({ logo }: Pick<Venue, 'logo'>): string | null {
  return logo === null ? null : logoPath({ logo, logoUrl: false });
}

/** Gives the page the colour and the time zone of a venue. The colour is made darker or lighter until it can be read. */
export function dressAs(venue: Venue | null): void {
  showTimesOf(venue?.timeZone ?? null);
  const { style } = document.documentElement;
  const color = venue?.accentColor ?? null;
  if (color === null) {
    style.removeProperty('--venue-light');
    style.removeProperty('--venue-dark');
    return;
  }
  style.setProperty('--venue-light', readableColor(color, LIGHT));
  style.setProperty('--venue-dark', readableColor(color, DARK));
}
