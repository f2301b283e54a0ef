import { base } from './base.ts';
import { inLanguage, languageFor, type Text } from './language.ts';
import { zoneMark } from './local-times.ts';
import { zoneFor } from './times.ts';

export const query: URLSearchParams = new URLSearchParams(location.search);

/** The language of the page, which is also set on its root element, for screen readers. */
export const language = languageFor(query.get('lang'), navigator.languages);
document.documentElement.lang = language;

/** The time zone that the address names; undefined: none. */
export const timeZone = zoneFor(query.get('tz'));

let venueZone: string | undefined;

/** Shows times in the zone of a venue from now on, unless the address names one; null: the venue has none. */
export function showTimesOf(zone: string | null): void {
  venueZone = zoneFor(zone);
}

/** The time zone of shown times: that of the address, else of the venue, else (undefined) the reader's own. */
export function shownZone(): string | undefined {
  return timeZone ?? venueZone;
}

/** The time zone of this browser, by its IANA name. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The IANA name of the time zone of shown times. */
export function shownZoneName(): string {
  return shownZone() ?? browserZone();
}

/** The time zone of an event of a venue: that of the address, else of this venue, else that of other shown times. */
export function zoneAt(venue: { readonly timeZone: string | null } | null): string | undefined {
  return timeZone ?? zoneFor(venue?.timeZone ?? null) ?? venueZone;
}

const THEMES = ['dark', 'light'] as const;
type Theme = (typeof THEMES)[number];

const STORED = 'theme';

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const preferred = (): Theme => (prefersDark.matches ? 'dark' : 'light');
let chosen = THEMES.find((theme) => theme === (query.get('theme') ?? remembered()));
applyTheme();
prefersDark.addEventListener('change', applyTheme);

/** The current theme: the one in the address (`?theme=dark`), else the last one chosen here, else the system's. */
export function currentTheme(): Theme {
  return chosen ?? preferred();
}

export function chooseTheme(theme: Theme): void {
  chosen = theme;
  if (query.has('theme')) keepInAddress({ theme });
  try {
    localStorage.setItem(STORED, theme);
  } catch {
    // No storage: the address keeps it.
    keepInAddress({ theme });
  }
  applyTheme();
}

/** Keeps choices in the address of the page, so that it can be bookmarked with them; null removes one. */
export function keepInAddress(choices: Readonly<Record<string, string | null>>): void {
  for (const [name, value] of Object.entries(choices)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  history.replaceState(history.state, '', text === '' ? location.pathname : `?${text}`);
}

/** The theme that was chosen on an earlier visit; null: none, or the browser stores nothing. */
function remembered(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

function applyTheme(): void {
  document.documentElement.dataset['theme'] = currentTheme();
}

export function t(text: Text, values?: Readonly<Record<string, string | number>>): string {
  return inLanguage(language, text, values);
}

/** The reader's own locale, if it belongs to the language. */
export const locale = navigator.languages.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language;

/**
 * Shows instants as a format says, in a zone, by default that of the page; a time that comes twice, as clocks are put
 * back, is marked with its zone.
 */
function shownWith(options: Intl.DateTimeFormatOptions): (instant: string, zone?: string) => string {
  // Making one is expensive.
  const formats = new Map<string | undefined, Intl.DateTimeFormat>();
  return (instant, zone = shownZone()) => {
    const format = formats.get(zone) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
    formats.set(zone, format);
    const shown = format.format(new Date(instant));
    const mark = zoneMark(instant, zone, locale);
    return mark === '' ? shown : `${shown} ${mark}`;
  };
}

/** Date and time of day of an instant (ISO 8601), in the zone of the page. */
export const showInstant = shownWith({ dateStyle: 'medium', timeStyle: 'short' });

/** The same with seconds, for what happens on a track. */
export const showMoment = shownWith({ dateStyle: 'medium', timeStyle: 'medium' });

/** The day of an instant (ISO 8601), in the zone of the page. */
export const showDay = shownWith({ dateStyle: 'long' });

/** Hours and minutes of an instant (ISO 8601), in the zone of the page. */
export const showTime = shownWith({ timeStyle: 'short' });

/** Time of day of an instant (ISO 8601), in the zone of the page. */
export const showClock = shownWith({ timeStyle: 'medium', hourCycle: 'h23' });

/** What the reader's spreadsheet takes for the separator of cells: a semicolon where decimals have a comma. */
export const csvDelimiter = new Intl.NumberFormat([...navigator.languages]).format(0.5).includes(',') ? ';' : ',';

/** Parameters of the address that other pages of ours get, too. */
const KEPT: readonly string[] = ['lang', 'theme', 'tz'];

/** The whole address at which people reach a path of this service: as the service is configured, else as this page is. */
export function publicAddress(path: string): string {
  const configured = document.querySelector<HTMLMetaElement>('meta[name=public-url]')?.content ?? '';
  return (configured === '' ? location.origin + base : configured) + path;
}

/** The address of another page of ours, with language, theme and time zone of this one; empty parameters are left out. */
export function linkTo(path: string, parameters: Readonly<Record<string, string>> = {}): string {
  const kept = [...query].filter(([name]) => KEPT.includes(name));
  const given = Object.entries(parameters).filter(([, value]) => value !== '');
  const text = new URLSearchParams([...kept, ...given]).toString();
  return base + (text === '' ? path : `${path}?${text}`);
}
