import type { SignupFieldData } from '../types.ts';
import { HOTLAP_EVENT } from './events.ts';

const RACE = 'le-mans-night';

/** The sign-up forms: every type of field is used at least once. */
export const SIGNUP_FIELDS: readonly SignupFieldData[] = [
  {
    event: HOTLAP_EVENT, fieldKey: 'nickname', label: 'Nickname', type: 'TEXT', required: true, sortOrder: 10,
    description: 'Shown on the leaderboard instead of your name.',
    i18nJson: {
      de: { label: 'Spitzname', description: 'Erscheint statt deines Namens auf der Bestenliste.' },
      en: { label: 'Nickname', description: 'Shown on the leaderboard instead of your name.' },
    },
  },
  {
    event: HOTLAP_EVENT, fieldKey: 'contact-email', label: 'E-mail address',
    type: 'EMAIL', required: true, sortOrder: 20,
    i18nJson: { de: { label: 'E-Mail-Adresse' }, en: { label: 'E-mail address' } },
  },
  {
    event: HOTLAP_EVENT, fieldKey: 'date-of-birth', label: 'Date of birth', type: 'DATE', required: true, sortOrder: 30,
    description: 'Drivers under 16 need a parent in the room.',
    i18nJson: {
      de: { label: 'Geburtsdatum', description: 'Unter 16 Jahren nur mit Erziehungsberechtigten.' },
      en: { label: 'Date of birth', description: 'Drivers under 16 need a parent in the room.' },
    },
  },
  {
    event: HOTLAP_EVENT, fieldKey: 'height-cm', label: 'Height in cm', type: 'NUMBER', required: false, sortOrder: 40,
    description: 'So that the seat is right before you sit down.', defaultJson: 175,
    i18nJson: {
      de: { label: 'Körpergröße in cm', description: 'Damit der Sitz schon passt.' },
      en: { label: 'Height in cm', description: 'So that the seat is right before you sit down.' },
    },
  },
  {
    event: HOTLAP_EVENT, fieldKey: 'experience', label: 'Experience', type: 'SELECT', required: true, sortOrder: 50,
    defaultJson: 'regular',
    optionsJson: [
      { value: 'beginner', label: 'First time', i18n: { de: 'Zum ersten Mal' } },
      { value: 'regular', label: 'Now and then', i18n: { de: 'Ab und zu' } },
      { value: 'expert', label: 'I race in a league', i18n: { de: 'Ich fahre in einer Liga' } },
    ],
    i18nJson: { de: { label: 'Erfahrung' }, en: { label: 'Experience' } },
  },
  {
    event: HOTLAP_EVENT, fieldKey: 'newsletter', label: 'Tell me about the next event',
    type: 'CHECKBOX', required: false,
    sortOrder: 60, defaultJson: false,
    i18nJson: { de: { label: 'Über das nächste Event informieren' }, en: { label: 'Tell me about the next event' } },
  },
  {
    event: HOTLAP_EVENT, fieldKey: 'privacy', label: 'I agree to the privacy notice', type: 'CONSENT', required: true,
    sortOrder: 70, description: 'Name, e-mail address and lap times are kept until the end of the season.',
    i18nJson: {
      de: {
        label: 'Ich stimme der Datenschutzerklärung zu',
        description: 'Name, E-Mail-Adresse und Rundenzeiten werden bis zum Saisonende gespeichert.',
      },
      en: {
        label: 'I agree to the privacy notice',
        description: 'Name, e-mail address and lap times are kept until the end of the season.',
      },
    },
  },
  {
    event: RACE, fieldKey: 'team-name', label: 'Team name', type: 'TEXT', required: true, sortOrder: 10,
    i18nJson: { de: { label: 'Teamname' }, en: { label: 'Team name' } },
  },
  {
    event: RACE, fieldKey: 'class', label: 'Class', type: 'SELECT', required: true, sortOrder: 20,
    optionsJson: [
      { value: 'HYPERCAR', label: 'Hypercar' }, { value: 'LMP2', label: 'LMP2' }, { value: 'GT3', label: 'LMGT3' },
    ],
    i18nJson: { de: { label: 'Klasse' }, en: { label: 'Class' } },
  },
  {
    event: RACE, fieldKey: 'team-contact', label: 'Team manager\'s e-mail',
    type: 'EMAIL', required: true, sortOrder: 30,
    i18nJson: { de: { label: 'E-Mail der Teamleitung' }, en: { label: 'Team manager\'s e-mail' } },
  },
  {
    event: RACE, fieldKey: 'remarks', label: 'Anything we should know',
    type: 'TEXT_AREA', required: false, sortOrder: 40,
    description: 'Driver order, allergies, arrival time, …',
    i18nJson: {
      de: { label: 'Was wir wissen sollten', description: 'Fahrerreihenfolge, Allergien, Ankunftszeit, …' },
      en: { label: 'Anything we should know', description: 'Driver order, allergies, arrival time, …' },
    },
  },
];
