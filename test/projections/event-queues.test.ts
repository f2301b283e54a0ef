import { expect } from 'chai';
import { eventQueues, eventQueuesProjection } from '../../projections/event-queues.ts';
import { givenHistory, type HistoryEvent } from '../support/kernel/projecting.ts';

const AT = '2026-05-01T20:00:00.000Z';

const queued = (participantId: string): HistoryEvent => ({
  stream: 'eventQueue-friday',
  type: 'DriverQueued',
  data: { eventId: 'friday', participantId, since: AT },
});

const seated = (participantId: string, eventId: string): HistoryEvent => ({
  stream: 'rigSeat-one',
  type: 'DriverSeated',
  data: { rigId: 'one', licenseId: 'venue', participantId, eventId, from: AT, before: null },
});

describe('the queue of an event', () => {
  const waitingAfter = async (...events: readonly HistoryEvent[]) => {
    const { thenDocument } = await givenHistory([eventQueuesProjection], ...events);
    return (await thenDocument(eventQueues, 'friday'))?.['queue'];
  };
  const waiting = (...participantIds: readonly string[]) =>
    participantIds.map((participantId) => ({ participantId, since: AT }));

  it('is left by whoever takes a seat in the event, even if the process then died', async () => {
    const both = [queued('ada'), queued('bob')];
    expect(await waitingAfter(...both, seated('ada', 'friday'))).to.deep.equal(waiting('bob'));
    expect(await waitingAfter(...both, seated('ada', 'saturday'))).to.deep.equal(waiting('ada', 'bob'));
    expect(await waitingAfter(...both, seated('eve', 'friday'))).to.deep.equal(waiting('ada', 'bob'));
  });

  it('is joined again, at the end, by somebody who has taken a seat since', async () => {
    const both = [queued('ada'), queued('bob'), seated('ada', 'friday')];
    const dequeued = {
      stream: 'eventQueue-friday',
      type: 'DriverDequeued',
      data: { eventId: 'friday', participantId: 'ada' },
    };
    expect(await waitingAfter(...both, dequeued, queued('ada'))).to.deep.equal(waiting('bob', 'ada'));
    expect(await waitingAfter(...both, queued('ada'))).to.deep.equal(waiting('bob', 'ada'));
  });

  it('does not exist before somebody has waited', async () => {
    expect(await waitingAfter(seated('ada', 'friday'))).to.equal(undefined);
  });
});
