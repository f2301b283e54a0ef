import { once } from 'node:events';
import { expect } from 'chai';
import { z } from 'zod';
import { createSharedTurns } from '../../src/service/http/middleware/yield-to-rigs.ts';
import { startToys, toy, until } from '../support/api/http.ts';

/** Longer, in ms, than such requests get in one turn of the event loop. */
const LONG_MS = 11;
const REQUESTS = 40;

describe('turns of requests other than new laps', () => {
  it('are free for 5 ms in each turn of the event loop', async () => {
    const turns = createSharedTurns();
    expect([0, 4.9, 5, 500].map((now) => turns.isFree(now))).to.deep.equal([true, true, false, false]);
    await new Promise(setImmediate);
    expect(turns.isFree(500)).to.equal(true);
  });

  it('alternate between the addresses of waiting reads, and are free again once none waits', async () => {
    const turns = createSharedTurns();
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

  for (const method of ['GET', 'PATCH'] as const) {
    it(`do not delay new laps: one is answered before requests that were sent earlier: ${method}`, async () => {
      let handled = 0;
      const handle = () => {
        const endsAt = performance.now() + LONG_MS;
        while (performance.now() < endsAt);
        handled += 1;
        return { kind: 'json', status: 200, body: {} } as const;
      };
      const slowly = toy(method, '/api/v1/toys', method === 'PATCH' ? { body: z.unknown(), handle } : { handle });
      const toys = await startToys([slowly, toy('POST', '/api/v1/laps', { body: z.unknown(), forRigs: true })]);
      const wire = toys.wire();
      await once(wire.socket, 'connect');
      const options = method === 'PATCH' ? { method, headers: { 'Content-Type': 'application/json' }, body: '{}' } : {};
      const slow = Array.from({ length: REQUESTS }, () => toys.send('/api/v1/toys', options));
      await until(() => handled > 0);
      wire.write(
        'POST /api/v1/laps HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
      );
      await wire.sees(/^HTTP\/1.1 200/);
      expect(handled).to.be.below(REQUESTS);
      await Promise.all(slow);
      await toys.close();
    });
  }
});
