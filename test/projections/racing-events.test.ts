import { expect } from 'chai';
import { racingEvents, racingEventsProjection } from '../../projections/racing-events.ts';
import { simulatorsProjection } from '../../projections/simulators.ts';
import { racingEventQuery } from '../../queries/racing-events.ts';
import { pick } from '../../src/service/kernel/json.ts';
import { scheduledAs, told } from '../support/history/lap-events.ts';
import { givenHistory, minute, type HistoryEvent } from '../support/kernel/projecting.ts';

const simulator = (id: string, displayName: string): HistoryEvent => ({
  stream: `simulator-${id}`,
  type: 'SimulatorAdded',
  data: { displayName, slug: id, logo: '', logoWide: '', svg: false, enabled: true },
});

const scheduled = scheduledAs('cup');

/** The racing event that a history leaves, after two simulators and its scheduling at minute 2. */
async function cupAfter(...history: readonly HistoryEvent[]) {
  const group = [racingEventsProjection, simulatorsProjection];
  const before = [simulator('sim', 'iRacing'), simulator('other', 'rFactor'), scheduled];
  const { thenDocument } = await givenHistory(group, ...before, ...history);
  return thenDocument(racingEvents, 'cup');
}

const fresh = {
  id: 'cup',
  ...scheduled.data,
  simulatorDisplayName: 'iRacing',
  createdAt: minute(2),
  updatedAt: minute(2),
  _until: 'open',
  _created: 3,
  _position: 3,
  _revision: 0,
};

describe('racing events as they are read', () => {
  it('know until when they go on', async () => {
    const until = async (...ends: readonly (string | null)[]): Promise<unknown> =>
      (await cupAfter(...ends.map((endsAt) => told('event-cup', 'EventRescheduled', { startsAt: null, endsAt }))))?.[
        '_until'
      ];
    expect(await until(minute(30))).to.equal(minute(30));
    expect(await until(minute(30), null)).to.equal('open');
  });

  it('are shown in the order of the interface, without internal fields', () => {
    expect(Object.keys(pick(fresh, racingEventQuery.shown)).join()).to.equal(
      'id,name,slug,description,mode,startsAt,endsAt,simulatorId,simulatorDisplayName,carIds,trackLayoutIds,rigIds,' +
        'brandIds,i18nJson,settingsJson,minLapTime,enabled,createdAt,updatedAt',
    );
  });
});
