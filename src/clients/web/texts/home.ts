import type { Text } from '../shared/language.ts';

/* Texts of the page that lists the events. */

export const events: Text = { en: 'Events', de: 'Veranstaltungen' };
export const noEvents: Text = {
  en: 'No events yet. An administrator adds the first one.',
  de: 'Noch keine Veranstaltungen. Die Verwaltung legt die erste an.',
};
export const more: Text = { en: 'Show more', de: 'Mehr anzeigen' };
export const administration: Text = { en: 'Administration', de: 'Verwaltung' };
export const documentation: Text = { en: 'Interface (API)', de: 'Schnittstelle (API)' };
