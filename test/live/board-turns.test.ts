import { expect } from 'chai';
import { FairTurns } from '../../src/service/http/fair-turns.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { NotInEvent } from '../../src/service/live/listed-filter.ts';
import type { Turns } from '../../src/service/live/board-turns.ts';
import { memoryEventStore } from '../support/event-store/memory-event-store.ts';
import { recorded, registered, scheduled, eventOn } from '../support/history/lap-events.ts';
import { manualClock, type ManualClock } from '../support/kernel/manual-clock.ts';
import type { HistoryEvent } from '../support/kernel/projecting.ts';
import {
  countedUsage,
  quiet,
  requestOf,
  runLive,
  STAYS,
  type RunningLive,
  type Watching,
} from '../support/live/running.ts';

type Others = Watching;

const LEFT = new Error('left');
const REPLAY = { from: 0, speed: 60 };

describe('waiting for live boards', () => {
  let clock: ManualClock;
  let store: EventStore;
  let running: RunningLive;

  const happens = async (...events: readonly HistoryEvent[]): Promise<void> => {
    const occurredAt = new Date(clock.now()).toISOString();
    const metadata = { version: 1, occurredAt, commandId: 'c', correlationId: 'c' };
    for (const { stream, type, data } of events) {
      await store.append(stream, [{ id: `${stream}-${type}`, type, data, metadata }], 'any');
    }
    await running.projected();
  };

  beforeEach(async () => {
    clock = manualClock();
    store = memoryEventStore();
    running = await runLive(store, { clock });
    await happens(registered('ada', 'Ada'), scheduled);
  });

  afterEach(async () => {
    await running.stop();
  });

  /** Live boards that have to load everything, and their turns. */
  const another = () => {
    const turns = countedTurns();
    const live = running.another(turns);
    /** Somebody who leaves after `wait`. */
    const leaves = async (others: Others, wait: (leave: () => void) => Promise<void>): Promise<void> => {
      const left = new AbortController();
      const watching = live.watch(requestOf('cup', others), { ...STAYS, signal: left.signal });
      const outcome = watching.catch((error: unknown) => error);
      await wait(() => {
        left.abort(LEFT);
      });
      left.abort(LEFT);
      expect(await outcome).to.equal(LEFT);
    };
    return { turns, live, leaves };
  };

  it('does no work for readers who left before their turn, whatever they asked for', async () => {
    await happens(recorded('a', [30, 30]));
    const { turns, live, leaves } = another();
    turns.hold();
    for (let delayMs = 1; delayMs <= 20; delayMs += 1) await leaves({ carId: 'car', delayMs }, quiet);
    expect(live.status()).to.include({ events: 0, changes: 0 });
    turns.release();
    await quiet();
    expect(turns.begun, 'no event is loaded').to.equal(0);
    const stays = await running.watch(requestOf('cup'), live);
    const before = turns.begun;
    turns.hold();
    const boards: readonly Others[] = [{ carId: 'car' }, { delayMs: 5 }, { validOnly: false }];
    const forms: readonly Others[] = [{}, { after: 0 }, { replay: REPLAY }, { after: 1, replay: REPLAY }];
    for (const board of boards) for (const form of forms) await leaves({ ...board, ...form }, quiet);
    await leaves({ replay: REPLAY }, quiet);
    turns.release();
    await quiet();
    expect(turns.begun, 'no board is made').to.equal(before);
    stays.end();
    clock.pass(600_000);
    expect(live.status()).to.include({ readers: 0, events: 0 });
  });

  it('stops the work when its last reader has left', async () => {
    await happens(recorded('a', [30, 30]), recorded('b', [30, 31]));
    const { turns, live, leaves } = another();
    await leaves({}, async (leave) => {
      turns.onBegin = leave;
      await quiet();
    });
    expect(turns).to.include({ begun: 1, stopped: 1 });
    expect(live.status()).to.include({ events: 0, changes: 0 });
    const stays = await running.watch(requestOf('cup'), live);
    const before = turns.begun;
    turns.hold();
    const returning = await running.watch(requestOf('cup', { after: 1 }), live);
    await quiet();
    returning.end();
    turns.release();
    await quiet();
    expect(turns.begun, 'nobody is behind').to.equal(before);
    expect(returning.events.filter(({ event }) => event !== 'heartbeat')).to.deep.equal([]);
    stays.end();
  });

  it('computes one board for all readers who ask for the same', async () => {
    const { turns, live } = another();
    await happens(recorded('a', [30, 30]));
    await Promise.all(Array.from({ length: 50 }, () => running.watch(requestOf('cup', { carId: 'car' }), live)));
    expect(turns.begun, 'the event and the board').to.equal(2);
  });

  it('charges a reader for a board that few others watch, and refuses it when the share is used up', async () => {
    await happens(recorded('a', [30, 30]), recorded('b', [30, 31]));
    const usage = countedUsage();
    const watch = async (others: Others = {}): Promise<number> => {
      const before = usage.charged.documents;
      (await running.live.watch(requestOf('cup', others), { ...STAYS, usage }))?.end();
      return usage.charged.documents - before;
    };
    const stays = await running.watch(requestOf('cup', { delayMs: 5 }));
    expect(await watch({ delayMs: 5 }), 'somebody has it already').to.equal(0);
    const boards: readonly Others[] = [{ carId: 'car' }, { replay: REPLAY, after: 1_000 }];
    for (const board of boards) expect(await watch(board)).to.be.above(0);
    usage.isUsedUp = true;
    for (const board of boards) {
      const error: unknown = await watch(board).catch((thrown: unknown) => thrown);
      expect(error).to.include({ message: 'used up' });
    }
    expect(await watch(), 'the board that most people watch').to.equal(0);
    stays.end();
  });

  it('refuses layouts and cars without an entry or a lap in the event, in every form and before any work', async () => {
    const { turns, live } = another();
    const car = { brandId: 'b', modelName: '911', carClassId: 'gt3', enabled: true };
    await happens(eventOn('car-car', 'CarAdded', car), eventOn('car-guest', 'CarAdded', { ...car, carClassId: 'gt4' }));
    const answer = async (others: Others): Promise<unknown> => {
      const watching = running.watch(requestOf('cup', others), live);
      const error: unknown = await watching.then(
        (reader) => reader.end(),
        (thrown: unknown) => thrown,
      );
      return error instanceof NotInEvent ? error.field : error;
    };
    const forms: readonly Others[] = [{}, { after: 0 }, { replay: REPLAY }, { delayMs: 5 }, { validOnly: false }];
    for (const form of forms) {
      expect(await answer({ ...form, carId: 'other' })).to.equal('carId');
      expect(await answer({ ...form, carClassId: 'other' })).to.equal('carClassId');
      expect(await answer({ ...form, trackLayoutId: 'monza' })).to.equal('trackLayoutId');
    }
    expect(turns.begun).to.equal(0);
    expect(await answer({ carId: 'guest' }), 'a car that exists').to.equal('carId');
    expect(await answer({ carClassId: 'gt4' })).to.equal('carClassId');
    expect(turns.begun, 'the result of the laps is cached').to.equal(1);
    await happens(recorded('a', [30, 30], { carId: 'guest', trackId: 'monza' }));
    await quiet();
    for (const named of [
      { carId: 'guest' },
      { carClassId: 'gt4' },
      { trackLayoutId: 'monza' },
      { trackLayoutId: 'spa', carClassId: 'gt3' },
    ]) {
      for (const form of forms) expect(await answer({ ...named, ...form })).to.equal(undefined);
    }
  });
});

/** Turns that are counted, and can be held back. */
interface CountedTurns extends Turns {
  begun: number;
  /** How many ended with the error of those who had left. */
  stopped: number;
  /** Called when one begins. */
  onBegin: () => void;
  readonly hold: () => void;
  readonly release: () => void;
}

function countedTurns(): CountedTurns {
  const reads: Turns = new FairTurns();
  let open: () => void = () => undefined;
  return {
    begun: 0,
    stopped: 0,
    onBegin: () => undefined,
    run(waiting, work) {
      return reads.run(waiting, async () => {
        this.begun += 1;
        this.onBegin();
        try {
          return await work();
        } finally {
          if (waiting.signal.aborted) this.stopped += 1;
        }
      });
    },
    hold() {
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      void reads.run(STAYS, () => gate);
    },
    release() {
      open();
    },
  };
}
