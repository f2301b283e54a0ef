import { entry, of } from '../support/resources/entry.ts';

const ends = ['2026-05-01T22:00:00Z', '2026-05-01T23:30:00+01:00', '2026-05-01T09:00:00Z'];

/** docs/interface.md#events */
const create = {
  name: of.names(2, 120),
  slug: of.slugs(2, 25),
  description: of.texts(0, 255),
  mode: of.nullable(of.choices(['HOTLAP', 'PRACTICE', 'AI_RACE', 'MULTIPLAYER_RACE'])),
  startsAt: of.instants(),
  endsAt: of.like({ ...of.instants(), few: ends }, '2026-05-01T22:00:00Z'),
  simulatorId: of.references('Simulator', { simulatorDisplayName: 'displayName' }),
  carIds: of.referenceLists('Car', 1),
  trackLayoutIds: of.referenceLists('TrackLayout', 1),
  rigIds: of.referenceLists('Rig', 1),
  brandIds: of.referenceLists('Brand', 0),
  i18nJson: of.nullable(of.objects(null)),
  settingsJson: of.nullable(of.objects(null)),
  minLapTime: of.nullable(of.wholeNumbers(1)),
  enabled: of.flags(false),
};

export default entry('Event', 'events', {
  commands: ['ScheduleRacingEvent', 'ChangeRacingEvent'],
  sort: 'startsAt',
  hides: true,
  history: true,
  filters: { simulatorId: 'simulatorId', rigId: 'rigIds', mode: 'mode', at: null },
  create,
  change: { ...create, finishedAt: of.pastInstantsOrNone() },
  initial: { finishedAt: null },
  // The latter is that of the licence whose key scheduled it.
  shows: ['state', 'venue'],
  internal: [
    '_until',
    '_untilFinished',
    '_licenseId',
    '_venueName',
    '_venueLogo',
    '_venueAccentColor',
    '_venueTimeZone',
  ],
  events: {
    EventScheduled: 'all',
    EventRescheduled: ['startsAt', 'endsAt'],
    EventMovedToSimulator: { moves: 'simulatorId' },
    EventRenamed: ['name'],
    EventSlugChanged: ['slug'],
    EventDescribed: ['description'],
    EventModeChanged: ['mode'],
    EventLocalized: ['i18nJson'],
    EventConfigured: ['settingsJson'],
    EventMinLapTimeChanged: ['minLapTime'],
    EventCarsChanged: ['carIds'],
    EventTrackLayoutsChanged: ['trackLayoutIds'],
    EventRigsChanged: ['rigIds'],
    EventBrandsChanged: ['brandIds'],
    EventEnabled: { enabled: true },
    EventDisabled: { enabled: false },
    EventFinished: ['finishedAt'],
    EventReopened: { clears: 'finishedAt' },
  },
  more: {
    'GET /{}/leaderboard': 'public',
    'GET /{}/live': 'public',
    'GET /{}/seats': 'public',
    'GET /{}/queue': 'public',
    'PUT /{}/queue': 'CRUD',
    'GET /{}/results.csv': 'public',
    'GET /{}/completeness': 'R',
  },
});
