import { changeRacingEvent, racingEventDecider, scheduleRacingEvent } from '../../commands/racing-events.ts';
import { given, happened } from '../support/kernel/given.ts';

const uuid = (n: number): string => `0190a000-0000-7000-8000-00000000000${n}`;
const simulator = uuid(1);
const car = uuid(3);
const layout = uuid(4);
const rig = uuid(5);

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
  minLapTime: null,
  enabled: false,
};
const six = '2026-03-06T18:00:00.000Z';
const ten = '2026-03-06T22:00:00.000Z';

/** A change as the decider is given it: a list of intents. */
function change(body: object) {
  return changeRacingEvent.commands(changeRacingEvent.body.parse(body), {});
}

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
      given(racingEventDecider, timed)
        .when(...change(wrong))
        .thenRejected('INVALID', '/endsAt');
    }
    given(racingEventDecider, timed)
      .when(...change({ startsAt: '2026-03-07T18:00:00Z', endsAt: null }))
      .then(happened('EventRescheduled', { startsAt: '2026-03-07T18:00:00.000Z', endsAt: null }));
  });
});
