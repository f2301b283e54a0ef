import { expect } from 'chai';
import { changeRacingEvent, racingEventDecider, scheduleRacingEvent } from '../../commands/racing-events.ts';
import { bodies } from '../support/api/bodies.ts';
import { given, happened } from '../support/kernel/given.ts';

const uuid = (n: number): string => `0190a000-0000-7000-8000-00000000000${n}`;
const simulator = uuid(1);
const otherSimulator = uuid(2);
const car = uuid(3);
const layout = uuid(4);
const rig = uuid(5);
const brand = uuid(6);

const required = {
  name: 'Friday Night Cup',
  slug: 'friday-night-cup',
  description: 'Six rounds',
  simulatorId: simulator,
  carIds: [car],
  trackLayoutIds: [layout],
  rigIds: [rig],
  brandIds: [],
};
const event = {
  ...required,
  mode: null,
  startsAt: null,
  endsAt: null,
  i18nJson: null,
  settingsJson: null,
  enabled: false,
};
const scheduled = happened('EventScheduled', event);
const six = '2026-03-06T18:00:00.000Z';
const ten = '2026-03-06T22:00:00.000Z';

/** A change as the decider is given it. */
function change(body: object) {
  return { type: 'ChangeRacingEvent', data: changeRacingEvent.body.parse(body) } as const;
}

describe('racing event', () => {
  it('is scheduled', () => {
    given(racingEventDecider).when({ type: 'ScheduleRacingEvent', data: event }).then(scheduled);
  });

  it('says what changed, each by its own event', () => {
    given(racingEventDecider, scheduled)
      .when(
        change({
          name: 'Saturday Cup',
          slug: 'saturday-cup',
          description: '',
          mode: 'HOTLAP',
          startsAt: six,
          endsAt: ten,
          simulatorId: otherSimulator,
          carIds: [car, layout],
          trackLayoutIds: [layout, car],
          rigIds: [rig, car],
          brandIds: [brand],
          i18nJson: { de: { name: 'Samstagspokal' } },
          settingsJson: { laps: 12 },
          enabled: true,
        }),
      )
      .then(
        happened('EventRescheduled', { startsAt: six, endsAt: ten }),
        happened('EventMovedToSimulator', { from: simulator, to: otherSimulator }),
        happened('EventRenamed', { name: 'Saturday Cup' }),
        happened('EventSlugChanged', { slug: 'saturday-cup' }),
        happened('EventDescribed', { description: '' }),
        happened('EventModeChanged', { mode: 'HOTLAP' }),
        happened('EventLocalized', { i18nJson: { de: { name: 'Samstagspokal' } } }),
        happened('EventConfigured', { settingsJson: { laps: 12 } }),
        happened('EventCarsChanged', { carIds: [car, layout] }),
        happened('EventTrackLayoutsChanged', { trackLayoutIds: [layout, car] }),
        happened('EventRigsChanged', { rigIds: [rig, car] }),
        happened('EventBrandsChanged', { brandIds: [brand] }),
        happened('EventEnabled'),
      );
  });

  it('records nothing for what is so already', () => {
    given(racingEventDecider, scheduled).when(change(event)).thenNothing();
    given(racingEventDecider, scheduled).when(change({})).thenNothing();
  });

  it('clears what may be null', () => {
    const full = { ...event, mode: 'PRACTICE', startsAt: six, i18nJson: {}, settingsJson: {} };
    given(racingEventDecider, happened('EventScheduled', full))
      .when(change({ mode: null, startsAt: null, i18nJson: null, settingsJson: null }))
      .then(
        happened('EventRescheduled', { startsAt: null, endsAt: null }),
        happened('EventModeChanged', { mode: null }),
        happened('EventLocalized', { i18nJson: null }),
        happened('EventConfigured', { settingsJson: null }),
      );
  });

  it('is enabled and disabled', () => {
    given(racingEventDecider, scheduled)
      .when(change({ enabled: true }))
      .then(happened('EventEnabled'));
    given(racingEventDecider, scheduled, happened('EventEnabled'))
      .when(change({ enabled: false }))
      .then(happened('EventDisabled'));
  });

  it('cannot be changed before it exists', () => {
    given(racingEventDecider)
      .when(change({ enabled: true }))
      .thenRejected('NOT_FOUND');
  });
});

describe('the times of a racing event', () => {
  it('may be the same instant, but not the wrong way round', () => {
    const at = (startsAt: string, endsAt: string) => {
      const data = scheduleRacingEvent.body.parse({ ...required, startsAt, endsAt });
      return given(racingEventDecider).when({ type: 'ScheduleRacingEvent', data });
    };
    at(six, six).then(happened('EventScheduled', { ...event, startsAt: six, endsAt: six }));
    at(ten, six).thenRejected('INVALID', '/endsAt');
    at('2026-03-06T18:00:00Z', '2026-03-06T18:59:59+01:00').thenRejected('INVALID', '/endsAt');
  });

  it('are judged together with what a change leaves as it was', () => {
    const timed = happened('EventScheduled', { ...event, startsAt: six, endsAt: ten });
    for (const wrong of [{ endsAt: '2026-03-06T17:59:59Z' }, { startsAt: '2026-03-06T22:00:01Z', name: 'Late' }]) {
      given(racingEventDecider, timed).when(change(wrong)).thenRejected('INVALID', '/endsAt');
    }
    given(racingEventDecider, timed)
      .when(change({ startsAt: '2026-03-07T18:00:00Z', endsAt: null }))
      .then(happened('EventRescheduled', { startsAt: '2026-03-07T18:00:00.000Z', endsAt: null }));
  });
});

describe('the body of a racing event', () => {
  const body = bodies(scheduleRacingEvent, changeRacingEvent, event);

  it('needs only what the interface demands; the rest is null, or disabled', () => {
    body.needsOnly(...Object.keys(required));
    expect(scheduleRacingEvent.body.parse({ ...required, unknown: 1 })).to.deep.equal(event);
  });

  it('has texts within the bounds of the interface', () => {
    body.takesLengths('name', 2, 120);
    body.takesLengths('slug', 2, 25);
    body.takesLengths('description', 0, 255);
    body.refuses('name', '   ');
    body.refuses('slug', 'no blanks');
  });

  it('needs an entry in every list but that of the brands', () => {
    for (const field of ['carIds', 'trackLayoutIds', 'rigIds']) {
      body.takes(field, [car], [car, brand]);
      body.refuses(field, [], [car, 'not a UUID'], car);
    }
    body.takes('brandIds', [], [brand]);
    body.refuses('brandIds', ['not a UUID']);
  });

  it('has the modes, instants and JSON objects of the interface', () => {
    body.takes('mode', 'HOTLAP', 'PRACTICE', 'AI_RACE', 'MULTIPLAYER_RACE');
    body.refuses('mode', 'hotlap');
    for (const field of ['startsAt', 'endsAt']) {
      body.takes(field, six, '2026-03-06T18:00:00+01:00');
      body.refuses(field, '2026-03-06', 1);
    }
    for (const field of ['i18nJson', 'settingsJson']) {
      body.takes(field, {}, { a: { 'b.c': ['$d'] } });
      body.refuses(field, [], 'text', 1);
    }
    body.refuses('enabled', 'true');
  });

  it('may clear what is optional, and nothing else', () => {
    for (const field of Object.keys(event)) {
      if (field in required || field === 'enabled') body.refuses(field, null);
      else body.takes(field, null);
    }
  });
});
