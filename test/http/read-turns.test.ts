import { once } from 'node:events';
import { expect } from 'chai';
import { z } from 'zod';
import { createReadTurns } from '../../src/service/http/middleware/read-turns.ts';
import { startToys, toy, until } from '../support/api/http.ts';

/** Longer, in ms, than reads get in one turn of the event loop. */
const LONG_MS = 11;
const READS = 40;

describe('turns of reads', () => {
  it('are free for 10 ms in each turn of the event loop', async () => {
    const turns = createReadTurns();
    expect([0, 9.9, 10, 500].map((now) => turns.isFree(now))).to.deep.equal([true, true, false, false]);
    await new Promise(setImmediate);
    expect(turns.isFree(500)).to.equal(true);
  });

  it('go round the addresses when reads wait, and are free again once none does', async () => {
    const turns = createReadTurns();
    const order: string[] = [];
    const free: boolean[] = [turns.isFree(0)];
    for (const [n, address] of ['a', 'a', 'b', 'a', 'b'].entries()) {
      turns.add(address, () => {
        order.push(`${address}${n}`);
        free.push(turns.isFree(0));
      });
    }
    await until(() => order.length === 5);
    expect(order).to.deep.equal(['a0', 'b2', 'a1', 'b4', 'a3']);
    expect(free, 'for one that arrives while others wait').to.deep.equal([true, ...Array.from(order, () => false)]);
    await until(() => turns.isFree(0));
  });

  it('are not for what writes: it is answered before reads that were sent first', async () => {
    let reads = 0;
    const toys = await startToys([
      toy('GET', '/api/v1/toys', {
        handle() {
          const endsAt = performance.now() + LONG_MS;
          while (performance.now() < endsAt);
          reads += 1;
          return { kind: 'json', status: 200, body: {} };
        },
      }),
      toy('POST', '/api/v1/toys', { body: z.unknown() }),
    ]);
    const wire = toys.wire();
    await once(wire.socket, 'connect');
    const slow = Array.from({ length: READS }, () => toys.send('/api/v1/toys'));
    await until(() => reads > 0);
    wire.write(
      'POST /api/v1/toys HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    );
    await wire.sees(/^HTTP\/1.1 200/);
    expect(reads).to.be.below(READS);
    await Promise.all(slow);
    await toys.close();
  });
});
