import type { Text } from '../shared/language.ts';

/* Texts of the administration; the names of fields come from the API document. */

export const administration: Text = { en: 'Administration', de: 'Verwaltung' };
export const key: Text = { en: 'API key', de: 'API-Schlüssel' };
export const keyHint: Text = {
  en: 'It is kept for this tab only, until you sign out or close it.',
  de: 'Er bleibt nur für diesen Tab gespeichert, bis zum Abmelden oder Schließen.',
};
export const signIn: Text = { en: 'Sign in', de: 'Anmelden' };
export const signOut: Text = { en: 'Sign out', de: 'Abmelden' };
export const keyUnknown: Text = {
  en: 'This key is not valid: it may be mistyped, revoked or expired.',
  de: 'Das ist kein gültiger Schlüssel: vertippt, widerrufen oder abgelaufen.',
};
export const keyRefused: Text = {
  en: 'The key is no longer valid: it was revoked or replaced, or it has expired. Sign in with another one.',
  de: 'Der Schlüssel gilt nicht mehr: widerrufen, ersetzt oder abgelaufen. Bitte mit einem anderen anmelden.',
};
export const toEvents: Text = { en: 'To the events', de: 'Zu den Veranstaltungen' };
export const start: Text = { en: 'Overview', de: 'Übersicht' };
export const startMeaning: Text = {
  en: 'Everything here goes through the public API, with the rights of your key.',
  de: 'Alles hier läuft über die öffentliche API, mit den Rechten deines Schlüssels.',
};
export const records: Text = { en: 'Records', de: 'Datensätze' };
export const review: Text = { en: 'Lap review', de: 'Rundenprüfung' };
export const uploads: Text = { en: 'Uploads', de: 'Dateien' };
export const noPage: Text = { en: 'There is no such page.', de: 'Diese Seite gibt es nicht.' };
export const above: Text = { en: 'Back', de: 'Zurück' };
export const yes: Text = { en: 'Yes', de: 'Ja' };
export const no: Text = { en: 'No', de: 'Nein' };
export const none: Text = { en: 'None', de: 'Keine Angabe' };
export const notSaid: Text = { en: '–', de: '–' };
export const all: Text = { en: 'All', de: 'Alle' };
export const name: Text = { en: 'Name', de: 'Name' };
export const nothing: Text = { en: 'none', de: 'keine' };
export const cancel: Text = { en: 'Cancel', de: 'Abbrechen' };
export const done: Text = { en: 'Done', de: 'Fertig' };
export const add: Text = { en: 'Add', de: 'Neu anlegen' };
export const create: Text = { en: 'Create', de: 'Anlegen' };
export const save: Text = { en: 'Save', de: 'Speichern' };
export const saved: Text = { en: 'Saved.', de: 'Gespeichert.' };
export const savedUnseen: Text = {
  en: 'Saved. It may take a while until the change shows here.',
  de: 'Gespeichert. Es kann eine Weile dauern, bis die Änderung hier erscheint.',
};
export const remove: Text = { en: 'Delete', de: 'Löschen' };
export const removeQuestion: Text = { en: 'Delete this record?', de: 'Diesen Datensatz löschen?' };
export const newOf: Text = { en: '{of}: new', de: '{of}: neu' };
export const nothingChanged: Text = { en: 'Nothing was changed.', de: 'Nichts wurde geändert.' };
export const createdBefore: Text = {
  en: 'It was already created, with other values; only the answer was lost. Look for it in the list.',
  de: 'Es wurde schon angelegt, mit anderen Werten: Nur die Antwort ging verloren. Bitte in der Liste nachsehen.',
};
export const existsAlready: Text = {
  en: '“{name}” is already here, and was left as it is: nothing that you entered was saved.',
  de: '„{name}“ gibt es hier schon und wurde nicht geändert: Von den Eingaben wurde nichts gespeichert.',
};
export const unsaved: Text = {
  en: 'Leave without saving what you entered?',
  de: 'Verlassen, ohne die Eingaben zu speichern?',
};
export const within: Text = { en: 'Related', de: 'Gehört dazu' };
export const notAllowed: Text = {
  en: 'Your key may not do this. {detail}',
  de: 'Dein Schlüssel darf das nicht. {detail}',
};
export const notFound: Text = { en: 'There is nothing here, or no longer.', de: 'Hier ist nichts (mehr).' };
export const noAnswer: Text = {
  en: 'The service did not answer. Please try again.',
  de: 'Der Dienst hat nicht geantwortet. Bitte noch einmal versuchen.',
};
export const checkFields: Text = {
  en: 'Some fields need your attention.',
  de: 'Einige Felder brauchen Aufmerksamkeit.',
};
export const missing: Text = { en: 'Has to be filled in.', de: 'Muss ausgefüllt sein.' };
export const noInstant: Text = { en: 'Needs a date and a time of day.', de: 'Braucht Datum und Uhrzeit.' };
export const noJson: Text = { en: 'Not valid JSON.', de: 'Ist kein JSON.' };
export const noNumber: Text = { en: 'Needs a number.', de: 'Braucht eine Zahl.' };
export const noTime: Text = { en: 'Needs a time, like 2:17.450.', de: 'Braucht eine Zeit, wie 2:17.450.' };
export const notWhole: Text = { en: 'Needs a whole number.', de: 'Braucht eine ganze Zahl.' };
export const tooSmall: Text = { en: 'At least {min}.', de: 'Mindestens {min}.' };
export const tooLarge: Text = { en: 'At most {max}.', de: 'Höchstens {max}.' };
export const tooShort: Text = { en: 'At least {least} characters.', de: 'Mindestens {least} Zeichen.' };
export const tooLong: Text = { en: 'At most {most} characters.', de: 'Höchstens {most} Zeichen.' };
export const tooFew: Text = { en: 'At least {least}.', de: 'Mindestens {least}.' };
export const tooMany: Text = { en: 'At most {most}.', de: 'Höchstens {most}.' };
export const wrongForm: Text = {
  en: 'Not in the expected form, for example: {example}',
  de: 'Hat nicht die erwartete Form, wie in: {example}',
};
export const search: Text = { en: 'Search …', de: 'Suchen …' };
export const choices: Text = { en: 'Choices', de: 'Auswahl' };
export const nothingFits: Text = { en: 'No match.', de: 'Nichts passt.' };
export const moreFit: Text = { en: '{count} more: type to narrow the list', de: '{count} weitere: tippen grenzt ein' };
export const takeOut: Text = { en: 'Remove {name}', de: '{name} herausnehmen' };
export const onePerLine: Text = { en: 'One per line.', de: 'Je Zeile einer.' };
export const filters: Text = { en: 'Filters', de: 'Filter' };
export const noFilters: Text = { en: 'Clear the filters', de: 'Filter aufheben' };
export const empty: Text = {
  en: 'Nothing here yet, or nothing matches the filters.',
  de: 'Noch nichts hier, oder nichts, was zu den Filtern passt.',
};
export const pages: Text = { en: 'Pages', de: 'Seiten' };
export const count: Text = {
  en: '{total} in all, page {page} of {pages}',
  de: '{total} insgesamt, Seite {page} von {pages}',
};
export const previous: Text = { en: 'Back', de: 'Zurück' };
export const next: Text = { en: 'Next', de: 'Weiter' };
export const conflict: Text = {
  en: 'Somebody else has changed this in the meantime',
  de: 'Jemand anderes hat das inzwischen geändert',
};
export const conflictMeaning: Text = {
  en: 'Nothing was saved. Changed values are bold.',
  de: 'Nichts wurde gespeichert. Geänderte Werte sind fett.',
};
export const field: Text = { en: 'Field', de: 'Feld' };
export const mine: Text = { en: 'Mine', de: 'Meine Werte' };
export const theirs: Text = { en: 'Theirs', de: 'Andere Werte' };
export const takeTheirs: Text = { en: 'Take theirs', de: 'Andere übernehmen' };
export const applyMine: Text = { en: 'Apply mine on top', de: 'Meine darüber speichern' };
export const history: Text = { en: 'History', de: 'Verlauf' };
export const by: Text = { en: 'by {who}', de: 'von {who}' };
export const byService: Text = { en: 'by the service itself', de: 'vom Dienst selbst' };
export const event: Text = { en: 'Event', de: 'Veranstaltung' };
export const noLaps: Text = {
  en: 'No laps yet. They show up here as they come in.',
  de: 'Noch keine Runden. Sie erscheinen hier, sobald sie eintreffen.',
};
export const recorded: Text = { en: 'Recorded', de: 'Aufgezeichnet' };
export const actions: Text = { en: 'Actions', de: 'Aktionen' };
export const invalidate: Text = { en: 'Invalidate', de: 'Streichen' };
export const validate: Text = { en: 'Validate again', de: 'Wieder werten' };
export const reason: Text = { en: 'Reason', de: 'Grund' };
export const reasonOptional: Text = { en: 'Reason (optional)', de: 'Grund (freiwillig)' };
export const reasonNeeded: Text = {
  en: 'Say why: drivers will ask.',
  de: 'Bitte einen Grund angeben: Fahrer werden fragen.',
};
export const changedMeanwhile: Text = {
  en: 'Somebody else has changed this lap in the meantime. Look at it again.',
  de: 'Jemand anderes hat diese Runde inzwischen geändert. Bitte noch einmal ansehen.',
};
export const newKey: Text = { en: 'New key', de: 'Neuer Schlüssel' };
export const token: Text = { en: 'Key', de: 'Schlüssel' };
export const tokenOnce: Text = {
  en: 'Copy it now: it is shown only once and is not stored anywhere.',
  de: 'Jetzt kopieren: Er wird nur dieses eine Mal gezeigt und nirgends aufbewahrt.',
};
export const copy: Text = { en: 'Copy', de: 'Kopieren' };
export const copied: Text = { en: 'Copied.', de: 'Kopiert.' };
export const copyYourself: Text = { en: 'Selected: copy it with Ctrl+C.', de: 'Markiert: mit Strg+C kopieren.' };
export const rotate: Text = { en: 'Rotate now', de: 'Sofort ersetzen' };
export const rotateQuestion: Text = {
  en: 'The key gets a new token; the old one stops working immediately.',
  de: 'Der Schlüssel bekommt ein neues Token; das alte gilt sofort nicht mehr.',
};
export const rotateLater: Text = {
  en: 'Rotate, old one valid for an hour',
  de: 'Ersetzen, altes gilt noch eine Stunde',
};
export const rotateLaterQuestion: Text = {
  en: 'The key gets a new token; the old one still records and reads for an hour.',
  de: 'Der Schlüssel bekommt ein neues Token; das alte kann noch eine Stunde lang aufzeichnen und lesen.',
};
export const revoke: Text = { en: 'Revoke', de: 'Widerrufen' };
export const revokeQuestion: Text = {
  en: 'The key stops working immediately and permanently.',
  de: 'Der Schlüssel wird sofort und für immer abgelehnt.',
};
export const ofEvent: Text = { en: 'Pages of the event', de: 'Seiten der Veranstaltung' };
export const notPublic: Text = {
  en: 'Not public yet: the list of events does not show it.',
  de: 'Noch nicht öffentlich: In der Liste der Veranstaltungen steht sie nicht.',
};
export const publish: Text = { en: 'Make it public', de: 'Veröffentlichen' };
export const board: Text = { en: 'Board', de: 'Tafel' };
export const overlay: Text = { en: 'Overlay', de: 'Einblendung' };
export const results: Text = { en: 'Results (CSV)', de: 'Ergebnisse (CSV)' };
export const issueRigKey: Text = { en: 'Issue a new key', de: 'Neuen Schlüssel ausstellen' };
export const issueRigKeyQuestion: Text = {
  en: 'The rig gets a new key; its other keys are revoked immediately.',
  de: 'Das Rig bekommt einen neuen Schlüssel; seine anderen werden sofort widerrufen.',
};
export const completeness: Text = { en: 'Completeness', de: 'Vollständigkeit' };
export const uncounted: Text = {
  en: 'No rig has numbered its laps here.',
  de: 'Kein Rig hat hier seine Runden nummeriert.',
};
export const rig: Text = { en: 'Rig', de: 'Rig' };
export const boot: Text = { en: 'Start', de: 'Start' };
export const received: Text = { en: 'Received', de: 'Empfangen' };
export const missingLaps: Text = { en: 'Missing', de: 'Fehlen' };
export const lateLaps: Text = { en: 'Late', de: 'Verspätet' };
export const conflicts: Text = { en: 'Conflicts', de: 'Widersprüche' };
export const licenseFile: Text = { en: 'Licence file', de: 'Lizenzdatei' };
export const rotateLicense: Text = { en: 'New licence key', de: 'Neuer Lizenzschlüssel' };
export const rotateLicenseQuestion: Text = {
  en: 'All existing licence files become invalid. Keys of rigs stay valid.',
  de: 'Alle bisherigen Lizenzdateien werden wertlos. Schlüssel der Rigs bleiben gültig.',
};
export const uploadsMeaning: Text = {
  en: 'Pictures and other files. Records refer to them by their keys.',
  de: 'Bilder und andere Dateien. Datensätze nennen sie bei ihren Schlüsseln.',
};
export const upload: Text = { en: 'Upload', de: 'Hochladen' };
export const uploadFor: Text = { en: 'Upload: {field}', de: 'Hochladen: {field}' };
export const uploadFailed: Text = {
  en: 'The file was refused: it is too large, or its name is not allowed.',
  de: 'Die Datei wurde abgelehnt: zu groß, oder kein Name, der sich aufbewahren lässt.',
};
export const chooseFile: Text = {
  en: 'Choose a file, and a name for it.',
  de: 'Bitte eine Datei wählen und einen Namen dafür.',
};
export const file: Text = { en: 'File', de: 'Datei' };
export const folder: Text = { en: 'Folder', de: 'Ordner' };
export const fileName: Text = { en: 'Name of the file', de: 'Name der Datei' };
export const newFile: Text = { en: 'New', de: 'Neu' };
export const presentFile: Text = { en: 'Current', de: 'Jetzt vorhanden' };
export const noneChosen: Text = { en: 'Nothing chosen.', de: 'Nichts gewählt.' };
export const noPicture: Text = { en: 'Not a picture.', de: 'Kein Bild.' };
export const noFileYet: Text = {
  en: 'There is no file under this key yet.',
  de: 'Unter diesem Schlüssel gibt es noch keine Datei.',
};
export const fileAs: Text = { en: 'Picture: {key}', de: 'Bild: {key}' };
export const uploaded: Text = { en: 'Uploaded just now', de: 'Soeben hochgeladen' };
export const fileKey: Text = { en: 'Key of the file', de: 'Schlüssel der Datei' };
export const operations: Text = { en: 'Operations', de: 'Betrieb' };
export const versions: Text = {
  en: 'Version {version}, read models {models}',
  de: 'Version {version}, Lesemodelle {models}',
};
export const health: Text = { en: 'Health', de: 'Zustand' };
export const projection: Text = { en: 'Projection', de: 'Projektion' };
export const lease: Text = { en: 'Projector', de: 'Wer projiziert' };
export const generation: Text = { en: 'Read models', de: 'Lesemodelle' };
export const unknown: Text = { en: 'Currently unknown.', de: 'Zurzeit nicht bekannt.' };
export const rebuild: Text = { en: 'Rebuild', de: 'Neuaufbau' };
export const startRebuild: Text = { en: 'Rebuild the read models', de: 'Lesemodelle neu aufbauen' };
export const rebuildQuestion: Text = {
  en: 'They are built again from all events, beside the current ones; the service keeps running.',
  de: 'Sie werden aus allen Ereignissen neu gemacht, neben den jetzigen; alles läuft weiter.',
};
export const progress: Text = {
  en: '{percent} %: {events} events, {rate} per second.',
  de: '{percent} %: {events} Ereignisse, {rate} je Sekunde.',
};
export const eta: Text = { en: 'About {eta} to go.', de: 'Noch etwa {eta}.' };
export const deadLetters: Text = { en: 'Dead letters: {count}', de: 'Unzustellbare Ereignisse: {count}' };
export const retry: Text = { en: 'Retry', de: 'Erneut versuchen' };
export const retried: Text = { en: '{id} was projected.', de: '{id} wurde projiziert.' };
export const parkedStill: Text = {
  en: '{id} still could not be projected: {error}',
  de: '{id} ließ sich wieder nicht projizieren: {error}',
};
export const retryAsked: Text = { en: 'A retry of {id} was requested.', de: '{id} wird erneut versucht.' };
