import type { Text } from '../shared/language.ts';

/* Texts of the overlay. */

export const newBestLap: Text = { en: 'New best lap', de: 'Neue Bestzeit' };
export const fasterBy: Text = { en: '{seconds} s faster', de: '{seconds} s schneller' };
