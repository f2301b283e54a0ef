import { changeRacingEvent, racingEventDecider, scheduleRacingEvent } from '../../commands/racing-events.ts';
import { given, happened } from '../support/kernel/given.ts';
import { entryOf, sampleBody } from '../support/resources/entries.ts';
import { lawId } from '../support/resources/told.ts';

const required = sampleBody(entryOf('Event').create, { n: '1', ids: lawId });
const event = {
  ...required,
  ...{ mode: null, startsAt: null, endsAt: null, i18nJson: null, settingsJson: null, minLapTime: null, enabled: false },
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
