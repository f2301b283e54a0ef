import { expect } from 'chai';
import { systemClock, systemIds } from '../../infra/system/system.ts';
import { eventQueueDecider, type EventQueue } from '../../commands/event-queues.ts';
import { rigSeatDecider } from '../../commands/rig-seats.ts';
import { eventQueues } from '../../projections/event-queues.ts';
import { readOne } from '../../src/domain/documents.ts';
import { Aggregates } from '../../src/kernel/aggregate/aggregates.ts';
import { createCommandHandler } from '../../src/kernel/aggregate/command-handler.ts';
import { EventQueues } from '../../src/service/api/queues.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { runLive, type RunningLive } from '../support/live/running.ts';
import { PATIENCE_MS } from '../support/processes/waits.ts';

const FRIDAY = '00000000-0000-7000-8000-0000000000c1';
const ADA = '00000000-0000-7000-8000-0000000000b1';
const BOB = '00000000-0000-7000-8000-0000000000b2';
const RIG = '00000000-0000-7000-8000-0000000000a1';
const SENDER = { caller: null, id: 'request', deadline: Date.now() + PATIENCE_MS };

describe('queues that requests change on the way', () => {
  const store = memoryEventStore();
  const aggregates = new Aggregates(store);
  const handler = createCommandHandler({ store, clock: systemClock, ids: systemIds, aggregates });
  let running: RunningLive;
  let queues: EventQueues;

  before(async () => {
    running = await runLive(store);
    queues = new EventQueues({
      handler,
      commands: { authorization: () => () => null },
      aggregates,
      store,
      models: running.models,
      checkpointWaiter: {
        async waitFor() {
          await running.projected();
          return true;
        },
      },
      clock: systemClock,
    });
  });

  after(() => running.stop());

  /** Who waits as it is shown, and by the stream of the queue. */
  async function waiting() {
    await running.projected();
    const shown = (await readOne(running.models, eventQueues, FRIDAY))?.queue ?? [];
    const { state } = await aggregates.load<EventQueue | null>(eventQueueDecider, `eventQueue-${FRIDAY}`);
    const idsIn = (queue: EventQueue['queue']) => queue.map(({ participantId }) => participantId);
    return { shown: idsIn(shown), recorded: idsIn(state?.queue ?? []) };
  }

  it('have somebody once, however often they are appended, at once too', async () => {
    await Promise.all([ADA, ADA, ADA].map((id) => queues.append(SENDER, FRIDAY, id)));
    await queues.append(SENDER, FRIDAY, BOB);
    await queues.append(SENDER, FRIDAY, ADA);
    expect(await waiting()).to.deep.equal({ shown: [ADA, BOB], recorded: [ADA, BOB] });
  });

  it('have somebody at the end again who took a seat in a request that then broke off', async () => {
    const data = {
      rigId: RIG,
      licenseId: RIG,
      participantId: ADA,
      eventId: FRIDAY,
      from: null,
      now: new Date().toISOString(),
    };
    await handler.handle({
      decider: rigSeatDecider,
      id: RIG,
      commands: [{ type: 'TakeSeat', data }],
      origin: { correlationId: 'request', deadline: SENDER.deadline },
    });
    expect(await waiting()).to.deep.equal({ shown: [BOB], recorded: [ADA, BOB] });
    await queues.append(SENDER, FRIDAY, ADA);
    expect(await waiting()).to.deep.equal({ shown: [BOB, ADA], recorded: [BOB, ADA] });
  });

  it('are left once', async () => {
    const position = await queues.remove(SENDER, FRIDAY, BOB);
    expect(position).to.equal(await store.head());
    expect(await queues.remove(SENDER, FRIDAY, BOB)).to.equal(position);
    expect(await queues.remove(SENDER, RIG, BOB)).to.equal(0);
    expect(await waiting()).to.deep.equal({ shown: [ADA], recorded: [ADA] });
  });
});
