import { changeRacingEvent, racingEventDecider, scheduleRacingEvent } from '../../commands/racing-events.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { given, happened } from '../support/kernel/given.ts';

const SIMULATOR = '00000000-0000-7000-8000-0000000000a1';
const OTHER_SIMULATOR = '00000000-0000-7000-8000-0000000000a2';
const CAR = '00000000-0000-7000-8000-0000000000b1';
const LAYOUT = '00000000-0000-7000-8000-0000000000c1';
const RIG = '00000000-0000-7000-8000-0000000000d1';
const OTHER_RIG = '00000000-0000-7000-8000-0000000000d2';

const SIX = '2026-03-06T18:00:00.000Z';
const TEN = '2026-03-06T22:00:00.000Z';

const required = {
  name: 'Monday hotlaps',
  slug: 'monday',
  description: 'Fastest lap wins',
  simulatorId: SIMULATOR,
  carIds: [CAR],
  trackLayoutIds: [LAYOUT],
  rigIds: [RIG],
  brandIds: [],
};
/** An event of which only the required fields were sent. */
const event = {
  ...required,
  mode: null,
  startsAt: null,
  endsAt: null,
  i18nJson: null,
  settingsJson: null,
  minLapTime: null,
  enabled: false,
};
const scheduled = happened('EventScheduled', event);
const fromSixToTen = happened('EventScheduled', { ...event, startsAt: SIX, endsAt: TEN });

/** The commands that a body with a new event comes to. */
function schedule(body: JsonObject) {
  return scheduleRacingEvent.commands(scheduleRacingEvent.body.parse(body), {});
}

/** The commands that a body with a change comes to. */
function change(body: JsonObject) {
  return changeRacingEvent.commands(changeRacingEvent.body.parse(body), {});
}

describe('scheduling an event', () => {
  it('needs no times, and does not enable it', () =>
    given(racingEventDecider)
      .when(...schedule(required))
      .then(scheduled));

  it('accepts an event that ends as it begins', () =>
    given(racingEventDecider)
      .when(...schedule({ ...required, startsAt: SIX, endsAt: SIX }))
      .then(happened('EventScheduled', { ...event, startsAt: SIX, endsAt: SIX })));

  it('accepts an event with one of the two times', () => {
    given(racingEventDecider)
      .when(...schedule({ ...required, startsAt: SIX }))
      .then(happened('EventScheduled', { ...event, startsAt: SIX }));
    given(racingEventDecider)
      .when(...schedule({ ...required, endsAt: SIX }))
      .then(happened('EventScheduled', { ...event, endsAt: SIX }));
  });

  it('refuses an event that ends before it begins', () =>
    given(racingEventDecider)
      .when(...schedule({ ...required, startsAt: TEN, endsAt: SIX }))
      .thenRejected('INVALID', '/endsAt'));

  it('compares instants, not texts: 18:59:59 in Berlin is before 18:00 in London', () =>
    given(racingEventDecider)
      .when(...schedule({ ...required, startsAt: '2026-03-06T18:00:00Z', endsAt: '2026-03-06T18:59:59+01:00' }))
      .thenRejected('INVALID', '/endsAt'));
});

describe('rescheduling an event', () => {
  it('records both times', () =>
    given(racingEventDecider, fromSixToTen)
      .when(...change({ endsAt: '2026-03-06T23:00:00Z' }))
      .then(happened('EventRescheduled', { startsAt: SIX, endsAt: '2026-03-06T23:00:00.000Z' })));

  it('moves an event to another day, with an open end', () =>
    given(racingEventDecider, fromSixToTen)
      .when(...change({ startsAt: '2026-03-07T18:00:00Z', endsAt: null }))
      .then(happened('EventRescheduled', { startsAt: '2026-03-07T18:00:00.000Z', endsAt: null })));

  it('refuses an end before the beginning that the change leaves as it was', () =>
    given(racingEventDecider, fromSixToTen)
      .when(...change({ endsAt: '2026-03-06T17:59:59Z' }))
      .thenRejected('INVALID', '/endsAt'));

  it('refuses a beginning after the end that the change leaves as it was, with all other changes', () =>
    given(racingEventDecider, fromSixToTen)
      .when(...change({ startsAt: '2026-03-06T22:00:01Z', name: 'Late' }))
      .thenRejected('INVALID', '/endsAt'));
});

describe('the end of an event', () => {
  const finished = happened('EventFinished', { finishedAt: TEN });

  it('is the moment that the change names', () =>
    given(racingEventDecider, fromSixToTen)
      .when(...change({ finishedAt: '2026-03-06T23:00:00+01:00' }))
      .then(finished));

  it('moves to another moment, earlier or later', () => {
    for (const finishedAt of [SIX, '2026-03-06T23:00:00.000Z'])
      given(racingEventDecider, fromSixToTen, finished)
        .when(...change({ finishedAt }))
        .then(happened('EventFinished', { finishedAt }));
  });

  it('is taken back', () =>
    given(racingEventDecider, fromSixToTen, finished)
      .when(...change({ finishedAt: null }))
      .then(happened('EventReopened')));

  it('is what it is already', () => {
    given(racingEventDecider, fromSixToTen, finished)
      .when(...change({ finishedAt: TEN }))
      .thenNothing();
    given(racingEventDecider, fromSixToTen)
      .when(...change({ finishedAt: null }))
      .thenNothing();
  });

  it('comes again after it was taken back', () =>
    given(racingEventDecider, fromSixToTen, finished, happened('EventReopened'))
      .when(...change({ finishedAt: TEN }))
      .then(finished));
});

describe('changing an event', () => {
  const changes = [
    [{ name: 'Friday' }, happened('EventRenamed', { name: 'Friday' })],
    [{ slug: 'friday' }, happened('EventSlugChanged', { slug: 'friday' })],
    [{ description: '' }, happened('EventDescribed', { description: '' })],
    [{ mode: 'PRACTICE' }, happened('EventModeChanged', { mode: 'PRACTICE' })],
    [{ simulatorId: OTHER_SIMULATOR }, happened('EventMovedToSimulator', { from: SIMULATOR, to: OTHER_SIMULATOR })],
    [{ rigIds: [OTHER_RIG, RIG] }, happened('EventRigsChanged', { rigIds: [OTHER_RIG, RIG] })],
    [{ minLapTime: 60_000 }, happened('EventMinLapTimeChanged', { minLapTime: 60_000 })],
    [{ settingsJson: { weather: 'dry' } }, happened('EventConfigured', { settingsJson: { weather: 'dry' } })],
    [{ enabled: true }, happened('EventEnabled')],
    [
      { enabled: true, startsAt: SIX, name: 'Friday' },
      happened('EventRescheduled', { startsAt: SIX, endsAt: null }),
      happened('EventRenamed', { name: 'Friday' }),
      happened('EventEnabled'),
    ],
    [{ name: 'Monday hotlaps', rigIds: [RIG], mode: null, enabled: false }],
    [{}],
  ] as const;
  for (const [body, ...events] of changes) {
    it(`records what changed, and only that: ${JSON.stringify(body)}`, () =>
      given(racingEventDecider, scheduled)
        .when(...change(body))
        .then(...events));
  }

  it('disables it', () =>
    given(racingEventDecider, scheduled, happened('EventEnabled'))
      .when(...change({ enabled: false }))
      .then(happened('EventDisabled')));

  it('refuses an event that does not exist', () => {
    for (const body of [{ name: 'Friday' }, { startsAt: SIX }, { enabled: true }, {}])
      given(racingEventDecider)
        .when(...change(body))
        .thenRejected('NOT_FOUND');
  });
});
