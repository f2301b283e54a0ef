import type { Text } from '../shared/language.ts';

/* Texts of several pages. */

export const service: Text = { en: 'Sim Racing Timing', de: 'Sim-Racing-Zeitnahme' };
export const loading: Text = { en: 'Loading …', de: 'Wird geladen …' };
export const unreachable: Text = {
  en: 'The service cannot be reached. Trying again …',
  de: 'Der Dienst ist nicht erreichbar. Neuer Versuch …',
};
export const themeDark: Text = { en: 'Dark', de: 'Dunkel' };
export const themeLight: Text = { en: 'Light', de: 'Hell' };
export const themeSwitch: Text = { en: 'Colours: {theme}', de: 'Farben: {theme}' };
