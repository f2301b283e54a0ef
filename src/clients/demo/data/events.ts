import { RIGS } from './venue.ts';

const ALL_RIGS = RIGS.map((rig) => rig.hardwareId);

/** The event that is open now: every lap of the demo belongs to it. */
export const HOTLAP_EVENT = 'gt-hotlap-challenge';
const RACE = 'le-mans-night';

/**
 * The racing events; each list holds stable names of other data. A repeat must send the very same body, so dates are
 * fixed: the hotlap has no end, the race lies far ahead.
 */
export const RACING_EVENTS = [
  {
    slug: HOTLAP_EVENT, name: 'GT Hotlap Challenge',
    description: 'Open all season: your best lap in a GT3 or GT4 car on six great circuits. Any number of attempts.',
    mode: 'HOTLAP', startsAt: '2026-01-10T09:00:00.000Z', simulator: 'acc', enabled: true,
    cars: [
      'porsche-911-gt3-r', 'bmw-m4-gt3', 'mercedes-amg-gt3', 'audi-r8-lms-gt3-evo-ii', 'ferrari-296-gt3',
      'lamborghini-huracan-gt3-evo2', 'mclaren-720s-gt3-evo', 'ford-mustang-gt3', 'porsche-718-gt4', 'bmw-m4-gt4',
      'mercedes-amg-gt4', 'mclaren-570s-gt4',
    ],
    layouts: [
      'spa-grand-prix', 'monza-grand-prix', 'silverstone-grand-prix', 'nurburgring-grand-prix', 'suzuka-full',
      'mount-panorama',
    ],
    rigs: ALL_RIGS, sponsors: ['fanatec', 'moza', 'sim-lab', 'heusinkveld'],
    i18nJson: {
      de: { name: 'GT-Hotlap-Challenge', description: 'Die ganze Saison offen: deine beste Runde auf sechs Strecken.' },
      en: { name: 'GT Hotlap Challenge', description: 'Open all season: your best lap on six circuits.' },
    },
    settingsJson: { weather: 'clear', airTemperature: 24, trackGrip: 'optimum', damage: false, fuelLitres: 20 },
  },
  {
    slug: RACE, name: 'Le Mans Night',
    description: 'Multi-class team race into the night: Hypercar, LMP2 and LMGT3 together on the Circuit de la Sarthe.',
    mode: 'MULTIPLAYER_RACE', startsAt: '2030-06-15T18:00:00.000Z', endsAt: '2030-06-16T00:00:00.000Z',
    simulator: 'lmu', enabled: true,
    cars: [
      'porsche-963', 'ferrari-499p', 'toyota-gr010', 'cadillac-v-series-r', 'bmw-m-hybrid-v8', 'peugeot-9x8',
      'oreca-07', 'porsche-911-gt3-r', 'bmw-m4-gt3', 'ford-mustang-gt3',
    ],
    layouts: ['le-mans-la-sarthe'], rigs: ALL_RIGS, sponsors: ['simucube', 'asetek', 'logitech-g', 'thrustmaster'],
    i18nJson: {
      de: { name: 'Nacht von Le Mans', description: 'Teamrennen mit drei Klassen bis in die Nacht.' },
      en: { name: 'Le Mans Night', description: 'A team race of three classes into the night.' },
      fr: { name: 'Nuit du Mans', description: 'Une course par équipes et par catégories, jusque dans la nuit.' },
    },
    settingsJson: {
      practiceMinutes: 60, qualifyingMinutes: 20, raceMinutes: 360, timeScale: 4, maxDriversPerTeam: 4,
      grid: { hypercar: 8, lmp2: 8, lmgt3: 12 }, weather: { start: 'clear', rainChancePercent: 30 },
    },
  },
  {
    slug: 'tcr-indy-practice', name: 'TCR Practice Evening (draft)',
    description: 'Draft, not yet published: an easy evening for newcomers in front-wheel drive.',
    mode: 'PRACTICE', simulator: 'iracing', enabled: false,
    cars: ['audi-rs3-lms', 'hyundai-elantra-n-tcr', 'honda-civic-type-r-tcr'],
    layouts: ['brands-hatch-indy', 'silverstone-national'], rigs: ALL_RIGS.slice(0, 2), sponsors: [],
    i18nJson: { de: { name: 'TCR-Übungsabend (Entwurf)' }, en: { name: 'TCR Practice Evening (draft)' } },
    settingsJson: { weather: 'clear', damage: false },
  },
];

/**
 * The questions of the sign-up forms of the events with these slugs, in their order, in English and German: every type
 * of docs/interface.md#signup-fields is used at least once.
 */
const FIELD_ROWS = [
  { event: HOTLAP_EVENT, fieldKey: 'nickname', type: 'TEXT', required: true,
    en: { label: 'Nickname', description: 'Shown on the leaderboard instead of your name.' },
    de: { label: 'Spitzname', description: 'Erscheint statt deines Namens auf der Bestenliste.' } },
  { event: HOTLAP_EVENT, fieldKey: 'contact-email', type: 'EMAIL', required: true,
    en: { label: 'E-mail address' }, de: { label: 'E-Mail-Adresse' } },
  { event: HOTLAP_EVENT, fieldKey: 'date-of-birth', type: 'DATE', required: true,
    en: { label: 'Date of birth', description: 'Drivers under 16 need a parent in the room.' },
    de: { label: 'Geburtsdatum', description: 'Unter 16 Jahren nur mit Erziehungsberechtigten.' } },
  { event: HOTLAP_EVENT, fieldKey: 'height-cm', type: 'NUMBER', required: false, defaultJson: 175,
    en: { label: 'Height in cm', description: 'So that the seat is right before you sit down.' },
    de: { label: 'Körpergröße in cm', description: 'Damit der Sitz schon passt.' } },
  { event: HOTLAP_EVENT, fieldKey: 'experience', type: 'SELECT', required: true, defaultJson: 'regular',
    en: { label: 'Experience' }, de: { label: 'Erfahrung' },
    optionsJson: [
      { value: 'beginner', label: 'First time', i18n: { de: 'Zum ersten Mal' } },
      { value: 'regular', label: 'Now and then', i18n: { de: 'Ab und zu' } },
      { value: 'expert', label: 'I race in a league', i18n: { de: 'Ich fahre in einer Liga' } },
    ] },
  { event: HOTLAP_EVENT, fieldKey: 'newsletter', type: 'CHECKBOX', required: false, defaultJson: false,
    en: { label: 'Tell me about the next event' }, de: { label: 'Über das nächste Event informieren' } },
  { event: HOTLAP_EVENT, fieldKey: 'privacy', type: 'CONSENT', required: true,
    en: { label: 'I agree to the privacy notice',
      description: 'Name, e-mail address and lap times are kept until the end of the season.' },
    de: { label: 'Ich stimme der Datenschutzerklärung zu',
      description: 'Name, E-Mail-Adresse und Rundenzeiten werden bis zum Saisonende gespeichert.' } },
  { event: RACE, fieldKey: 'team-name', type: 'TEXT', required: true,
    en: { label: 'Team name' }, de: { label: 'Teamname' } },
  { event: RACE, fieldKey: 'class', type: 'SELECT', required: true, en: { label: 'Class' }, de: { label: 'Klasse' },
    optionsJson: [
      { value: 'HYPERCAR', label: 'Hypercar' }, { value: 'LMP2', label: 'LMP2' }, { value: 'GT3', label: 'LMGT3' },
    ] },
  { event: RACE, fieldKey: 'team-contact', type: 'EMAIL', required: true,
    en: { label: "Team manager's e-mail" }, de: { label: 'E-Mail der Teamleitung' } },
  { event: RACE, fieldKey: 'remarks', type: 'TEXT_AREA', required: false,
    en: { label: 'Anything we should know', description: 'Driver order, allergies, arrival time, …' },
    de: { label: 'Was wir wissen sollten', description: 'Fahrerreihenfolge, Allergien, Ankunftszeit, …' } },
];

/** The fields of the sign-up forms, as they are sent but for the event, which is still a slug. */
export const SIGNUP_FIELDS = FIELD_ROWS.map(({ en, de, ...row }) => {
  const form = FIELD_ROWS.filter(({ event }) => event === row.event);
  const sortOrder = 10 * (1 + form.findIndex(({ fieldKey }) => fieldKey === row.fieldKey));
  return { ...row, ...en, sortOrder, i18nJson: { de, en } };
});
