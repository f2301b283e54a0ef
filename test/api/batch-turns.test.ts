import { expect } from 'chai';
import { outcomesOf, pacedByAddress } from '../../src/service/api/lap-batch.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { createCheckpointNotifier } from '../../src/kernel/projection/checkpoint-waiter.ts';
import { createLogger } from '../../src/service/observability/log.ts';
import { manualClock, settled } from '../support/kernel/manual-clock.ts';

describe('batches of laps', () => {
  it('wait only for the previous batch of the same address while the read models are behind', async () => {
    const clock = manualClock();
    const paced = pacedByAddress(createCheckpointNotifier(clock, 10));
    const recorded: string[] = [];
    const send = (address: string, name: string, position: number) =>
      paced(address, async () => {
        recorded.push(name);
        return Promise.resolve([{ position }]);
      });
    await send('one', 'first', 11);
    const waiting = [send('one', 'second', 12), send('one', 'third', 13)];
    for (let n = 0; n < 50; n += 1) await send(`address ${n}`, `other ${n}`, 20 + n);
    expect(recorded).to.have.length(51).and.not.include('second');
    clock.pass(250);
    for (let n = 0; n < 3; n += 1) await settled();
    expect(recorded.slice(51)).to.deep.equal(['second']);
    clock.pass(250);
    await Promise.all(waiting);
    expect(recorded.slice(51)).to.deep.equal(['second', 'third']);
  });

  it('continue after one that failed', async () => {
    const clock = manualClock();
    const paced = pacedByAddress(createCheckpointNotifier(clock, 10));
    const failing = paced('one', () => Promise.reject(new StoreUnavailable('away')));
    expect(await failing.catch((error: unknown) => error)).to.be.an.instanceOf(StoreUnavailable);
    expect(await paced('one', () => Promise.resolve([{ position: 9 }]))).to.deep.equal([{ position: 9 }]);
  });

  it('have a verdict for each lap, even if one of them has failed unexpectedly', () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'info', destination: { write: (line) => lines.push(line) } });
    const at = new Date(0).toISOString();
    const made = {
      outcome: 'done',
      state: {},
      position: 7,
      revision: 0,
      recorded: true,
      events: [],
      createdAt: at,
      updatedAt: at,
    } as const;
    const outcomes = outcomesOf(
      ['a', 'b', 'c', 'd'].map((id) => ({ status: 'fulfilled', value: { id } })),
      [
        { status: 'fulfilled', value: made },
        { status: 'rejected', reason: new TypeError('a fault of ours') },
        { status: 'rejected', reason: new StoreUnavailable('away') },
        { status: 'fulfilled', value: { ...made, position: 8 } },
      ],
      log,
      'request',
    );
    const [first, failed, unknown, last] = outcomes;
    expect(first).to.deep.equal({ verdict: 'created', id: 'a', position: 7 });
    expect(failed).to.containSubset({ verdict: 'retry', problem: { status: 500, instance: '/api/v1/laps' } });
    expect(JSON.stringify(failed)).not.to.contain('a fault of ours');
    expect(unknown).to.containSubset({ verdict: 'retry', problem: { status: 503 } });
    expect(last).to.include({ id: 'd', position: 8 });
    expect(lines).to.have.length(1);
    expect(lines[0]).to.contain('a fault of ours').and.contain('request');
  });
});
