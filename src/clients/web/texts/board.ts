import type { Text } from '../shared/language.ts';

/* Texts of the board. */

export const allEvents: Text = { en: 'All events', de: 'Alle Veranstaltungen' };
export const layouts: Text = { en: 'Track layouts', de: 'Strecken' };
export const carClasses: Text = { en: 'Car classes', de: 'Fahrzeugklassen' };
export const allClasses: Text = { en: 'All classes', de: 'Alle Klassen' };
export const newestLaps: Text = { en: 'Last laps', de: 'Letzte Runden' };
export const onRigs: Text = { en: 'On the rigs', de: 'An den Rigs' };
export const rigWithoutName: Text = { en: 'Rig', de: 'Rig' };
export const sponsors: Text = { en: 'Sponsors', de: 'Sponsoren' };
export const leads: Text = { en: '{name} leads with {time}.', de: '{name} führt mit {time}.' };

export const connecting: Text = { en: 'Connecting …', de: 'Verbindung wird aufgebaut …' };
export const live: Text = { en: 'Live', de: 'Live' };
export const behind: Text = { en: '{seconds} s behind', de: '{seconds} s im Rückstand' };
export const reconnecting: Text = {
  en: 'Reconnecting … no news for {seconds} s',
  de: 'Neue Verbindung … seit {seconds} s nichts Neues',
};
export const delayed: Text = { en: '{seconds} s delay', de: '{seconds} s verzögert' };
export const asOf: Text = { en: 'As of {time}', de: 'Stand {time}' };
export const replaying: Text = { en: 'Replay ×{speed} · {time}', de: 'Wiederholung ×{speed} · {time}' };
export const replayPaused: Text = { en: 'Paused · {time}', de: 'Pause · {time}' };

export const settings: Text = { en: 'Settings', de: 'Einstellungen' };
export const gapTo: Text = { en: 'Gap', de: 'Abstand' };
export const toLeader: Text = { en: 'to the leader', de: 'zur Spitze' };
export const toNext: Text = { en: 'to the next', de: 'zum Nächsten' };
export const delay: Text = { en: 'Delay', de: 'Verzögerung' };
export const noDelay: Text = { en: 'none', de: 'keine' };
export const secondsOf: Text = { en: '{seconds} s', de: '{seconds} s' };
export const fullScreen: Text = { en: 'Full screen', de: 'Vollbild' };
export const leaveFullScreen: Text = { en: 'Leave full screen', de: 'Vollbild verlassen' };

export const backInTime: Text = { en: 'Back in time', de: 'Zurück in der Zeit' };
export const backToLive: Text = { en: 'Back to live', de: 'Zurück zu Live' };
export const replayFromHere: Text = { en: 'Replay from here', de: 'Ab hier wiederholen' };
export const pause: Text = { en: 'Pause', de: 'Pause' };
export const resume: Text = { en: 'Resume', de: 'Weiter' };
export const speed: Text = { en: 'Speed', de: 'Tempo' };
export const pastRefused: Text = {
  en: 'This event has too many laps to look back.',
  de: 'Diese Veranstaltung hat zu viele Runden, um zurückzublicken.',
};
