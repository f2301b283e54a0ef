import type { RacingEventData } from '../types.ts';
import { RIGS } from './rigs.ts';

const ALL_RIGS = RIGS.map((rig) => rig.hardwareId);

/** The event that is open now: every lap of the demo belongs to it. */
export const HOTLAP_EVENT = 'gt-hotlap-challenge';

/** A repeat must send the very same body, so dates are fixed: the hotlap has no end, the race lies far ahead. */
export const RACING_EVENTS: readonly RacingEventData[] = [
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
    rigs: ALL_RIGS,
    sponsors: ['fanatec', 'moza', 'sim-lab', 'heusinkveld'],
    i18nJson: {
      de: { name: 'GT-Hotlap-Challenge', description: 'Die ganze Saison offen: deine beste Runde auf sechs Strecken.' },
      en: { name: 'GT Hotlap Challenge', description: 'Open all season: your best lap on six circuits.' },
    },
    settingsJson: { weather: 'clear', airTemperature: 24, trackGrip: 'optimum', damage: false, fuelLitres: 20 },
  },
  {
    slug: 'le-mans-night', name: 'Le Mans Night',
    description: 'Multi-class team race into the night: Hypercar, LMP2 and LMGT3 together on the Circuit de la Sarthe.',
    mode: 'MULTIPLAYER_RACE', startsAt: '2030-06-15T18:00:00.000Z', endsAt: '2030-06-16T00:00:00.000Z',
    simulator: 'lmu', enabled: true,
    cars: [
      'porsche-963', 'ferrari-499p', 'toyota-gr010', 'cadillac-v-series-r', 'bmw-m-hybrid-v8', 'peugeot-9x8',
      'oreca-07', 'porsche-911-gt3-r', 'bmw-m4-gt3', 'ford-mustang-gt3',
    ],
    layouts: ['le-mans-la-sarthe'],
    rigs: ALL_RIGS,
    sponsors: ['simucube', 'asetek', 'logitech-g', 'thrustmaster'],
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
    layouts: ['brands-hatch-indy', 'silverstone-national'],
    rigs: ALL_RIGS.slice(0, 2),
    sponsors: [],
    i18nJson: { de: { name: 'TCR-Übungsabend (Entwurf)' }, en: { name: 'TCR Practice Evening (draft)' } },
    settingsJson: { weather: 'clear', damage: false },
  },
];
