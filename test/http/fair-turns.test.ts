import { EventEmitter, once, setMaxListeners } from 'node:events';
import { expect } from 'chai';
import type { Requester } from '../../src/service/http/requester.ts';
import { ClientUsage } from '../../src/service/http/usage.ts';
import { FairTurns } from '../../src/service/http/fair-turns.ts';
import { Problem } from '../../src/service/http/problems.ts';
import { failureOf } from '../support/failure.ts';

const LEFT = new Error('left');
const { signal: stays } = new AbortController();
setMaxListeners(0, stays);
const usage = new ClientUsage(null, null);

/** Longer than short reads may follow one another, in ms. */
const LONG_MS = 3;

/** Long reads whose turn is taken until `open` is called, and how those that run after it are noted. */
function taken(firstMs = LONG_MS) {
  const reads = new FairTurns();
  const gate = new EventEmitter();
  const order: string[] = [];
  const first = reads.run({ address: 'first', signal: stays, usage }, () => once(gate, 'open'));
  const note = (name: string, requester: Partial<Requester> = {}) =>
    reads.run({ address: name.charAt(0), signal: stays, usage, ...requester }, () => Promise.resolve(order.push(name)));
  const open = async () => {
    const startedAt = performance.now();
    while (performance.now() < startedAt + firstMs);
    gate.emit('open');
    await first;
  };
  return { reads, order, note, open };
}

describe('long reads', () => {
  it('run one at a time, and the addresses take turns', async () => {
    const { order, note, open } = taken();
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => note(name));
    expect(order).to.deep.equal([]);
    await open();
    await Promise.all(all);
    expect(order).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('run at once when none waits, also after one that failed', async () => {
    const reads = new FairTurns();
    const requester = { address: 'a', signal: stays, usage };
    expect(await failureOf(reads.run(requester, () => Promise.reject(LEFT)))).to.equal(LEFT);
    expect(await reads.run(requester, () => Promise.resolve(1))).to.equal(1);
  });

  it('are dropped before they start when no client waits any more', async () => {
    const { order, note, open } = taken();
    const left = new AbortController();
    const dropped = failureOf(note('a1', { signal: left.signal }));
    const next = note('a2');
    left.abort(LEFT);
    expect(await dropped).to.equal(LEFT);
    await open();
    await next;
    expect(order).to.deep.equal(['a2']);
    expect(await failureOf(note('a3', { signal: left.signal }))).to.equal(LEFT);
  });

  it('pass the turn on when their client leaves at the moment when it comes', async () => {
    const { order, note, open } = taken();
    const left = new AbortController();
    const dropped = failureOf(note('a1', { signal: left.signal }));
    const next = note('b1');
    await open();
    left.abort(LEFT);
    expect(await dropped).to.equal(LEFT);
    await next;
    expect(order).to.deep.equal(['b1']);
  });

  it('are refused when too many of one address, or of all addresses, wait', async () => {
    const { order, note, open } = taken();
    const refusal = (name: string) => failureOf(note(name));
    const waitOf = (name: string) => Array.from({ length: 256 }, () => note(name));
    const waiting = waitOf('a');
    expect(await refusal('a'))
      .to.include({ status: 503 })
      .and.have.deep.property('headers', { 'Retry-After': '2' });
    waiting.push(...['b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap(waitOf));
    expect(await refusal('i'))
      .to.be.instanceOf(Problem)
      .with.property('code', 'UNAVAILABLE');
    await open();
    await Promise.all(waiting);
    expect(order).to.have.length(2_048);
  });

  it('let the event loop run before the next one starts', async () => {
    const { note, open } = taken();
    const next = note('a1');
    let others = 0;
    setImmediate(() => (others += 1));
    await open();
    await next;
    expect(others).to.equal(1);
  });

  it('share a turn of the event loop while they are short', async () => {
    const { note, open } = taken(0);
    const names = Array.from({ length: 200 }, (_, n) => `a${n}`);
    const all = Promise.all(names.map((name) => note(name)));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    await open();
    await all;
    clearImmediate(counting);
    expect(turns).to.be.below(names.length / 2);
  });

  it('take a turn for each piece of a list', async () => {
    const { reads, order, note, open } = taken();
    async function list(): Promise<void> {
      for await (const piece of reads.pieces({ address: 'l', signal: stays, usage }, pieces())) order.push(piece);
    }
    const listed = list();
    const others = [note('a1'), note('a2')];
    await open();
    await Promise.all([listed, ...others]);
    expect(order.indexOf('l3')).to.be.above(order.indexOf('a2'));
  });

  it('release a list that its reader abandons', async () => {
    const reads = new FairTurns();
    const left = new AbortController();
    let released = false;
    const source: AsyncIterator<string, undefined> = {
      next: () => Promise.resolve({ value: 'piece', done: false }),
      return: () => {
        released = true;
        return Promise.resolve({ value: undefined, done: true });
      },
    };
    const seen: string[] = [];
    async function read(): Promise<void> {
      for await (const piece of reads.pieces({ address: 'a', signal: left.signal, usage }, source)) {
        if (seen.push(piece) === 2) left.abort(LEFT);
      }
    }
    expect(await failureOf(read())).to.equal(LEFT);
    expect(seen).to.deep.equal(['piece', 'piece']);
    expect(released).to.equal(true);
  });
});

async function* pieces(): AsyncGenerator<string, void> {
  for (const piece of ['l1', 'l2', 'l3']) yield await Promise.resolve(piece);
}
