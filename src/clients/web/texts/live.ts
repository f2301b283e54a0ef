import type { Text } from '../shared/language.ts';

/* Texts of the board and the overlay. */

export const standings: Text = { en: 'Standings', de: 'Wertung' };
export const position: Text = { en: 'Pos', de: 'Pos' };
export const driver: Text = { en: 'Driver', de: 'Fahrer' };
export const best: Text = { en: 'Best lap', de: 'Bestzeit' };
export const last: Text = { en: 'Last lap', de: 'Letzte' };
export const gap: Text = { en: 'Gap', de: 'Abstand' };
export const laps: Text = { en: 'Laps', de: 'Runden' };
export const sectors: Text = { en: 'Sectors', de: 'Sektoren' };
export const sector: Text = { en: 'S{number}', de: 'S{number}' };
export const bestOfAll: Text = { en: 'best of all', de: 'Bestzeit aller' };
export const ownBest: Text = { en: 'own best', de: 'eigene Bestzeit' };
export const noBest: Text = { en: 'not a best', de: 'keine Bestzeit' };
export const invalid: Text = { en: 'invalid', de: 'ungültig' };
export const noLaps: Text = { en: 'No laps yet.', de: 'Noch keine Runden.' };
export const noEvent: Text = { en: 'There is no such event.', de: 'Diese Veranstaltung gibt es nicht.' };
export const newBestLap: Text = { en: 'New best lap', de: 'Neue Bestzeit' };
export const fasterBy: Text = { en: '{seconds} s faster', de: '{seconds} s schneller' };
