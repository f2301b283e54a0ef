import { writeFile } from 'node:fs/promises';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { CERTIFICATE } from '../support/certificate.ts';
import { depth } from '../support/depth.ts';
import { useDirectories } from '../support/directories.ts';
import {
  deliveriesUntil,
  eventsOf,
  idsOf,
  never,
  newEvent,
  newEvents,
  newStream,
} from '../support/event-store/events.ts';
import type { EventStoreDouble } from '../support/eventstore-double/double.ts';
import { useDoubles } from '../support/eventstore-double/use-doubles.ts';
import { failureOf, outcomeOf } from '../support/failure.ts';
import { listen } from '../support/processes/listen.ts';
import { until } from '../support/processes/waits.ts';

const TIMEOUT_MS = 4_000;
/** How long the server is away, in ms; and how long after its return the last of all connections is opened. */
const AWAY_MS = 1_500;
const LATE_MS = 3_000;

/** Outages in a row that leave one connection. */
const OUTAGES = depth({ short: 1, deep: 3 });

/** Pause of each client of a load after a call, in ms: the load is there all the time, and the machine is not full. */
const PACE_MS = 5;

/** How long a process stands still, in ms: beyond all limits, which allow for a busy machine. */
const STILL_MS = 10_000;

/** The number of connections of a store, and what it takes for a lost one. */
describe('event store on EventStoreDB, connections', () => {
  const doubles = useDoubles();
  const directory = useDirectories();

  /** Resolves when so much time has passed. */
  async function passed(ms: number): Promise<void> {
    const end = performance.now() + ms;
    await until(() => performance.now() > end);
  }

  /** The connection strings under which a store finds a double. */
  const ways: Readonly<
    Record<string, { readonly tls: boolean; readonly url: (double: EventStoreDouble) => Promise<string> }>
  > = {
    'by its address': { tls: false, url: async ({ url }) => url },
    'by discovery': { tls: false, url: async ({ port }) => `esdb+discover://127.0.0.1:${port}?tls=false` },
    'as the only one of three that is there': {
      tls: false,
      url: async ({ port }) => `esdb://127.0.0.1:${port},127.0.0.1:1,127.0.0.1:2?tls=false`,
    },
    'over TLS': {
      tls: true,
      async url({ url }) {
        const path = join(directory(), 'ca.crt');
        await writeFile(path, CERTIFICATE);
        return `${url}&tlsCAFile=${path}`;
      },
    },
  };

  for (const [way, { tls, url }] of Object.entries(ways)) {
    it(`has one connection after an outage under load, and none once it is closed: a server found ${way}`, async () => {
      const double = await doubles.start({ tls });
      const store = doubles.open({ url: await url(double), timeoutMs: TIMEOUT_MS });
      const load = createLoad(store);
      await until(() => load.done() > 100);
      for (let outage = 0; outage < OUTAGES; outage += 1) {
        double.faults.kill();
        await passed(AWAY_MS);
        await double.faults.restart();
        const before = load.done();
        await until(() => load.done() > before + 100);
        await passed(LATE_MS);
        expect(double.counters.counts.connections).to.equal(1);
      }
      await load.end();
      await store.close();
      await double.counters.until(({ connections }) => connections === 0);
    });

    it(`leaves no connection when it is closed while the server is away: a server found ${way}`, async () => {
      const double = await doubles.start({ tls });
      const store = doubles.open({ url: await url(double), timeoutMs: TIMEOUT_MS });
      const load = createLoad(store);
      await until(() => load.done() > 100);
      double.faults.kill();
      const before = load.failed();
      await until(() => load.failed() > before + 5);
      await Promise.all([load.end(), store.close()]);
      await double.faults.restart();
      await passed(LATE_MS);
      await double.counters.until(({ connections }) => connections === 0);
    });
  }

  it('leaves no connection when it is closed right after its first use, or while it looks for a node', async () => {
    const double = await doubles.start();
    const urls = [double.url, `esdb+discover://127.0.0.1:${double.port}?tls=false`];
    const used = async (store: EventStore): Promise<void> => {
      const outcomes = [store.head(), store.append(newStream(), newEvents(1), 'any')].map(outcomeOf);
      await store.close();
      await Promise.all(outcomes);
    };
    for (const faults of [() => undefined, () => double.faults.kill()]) {
      faults();
      const stores = Array.from({ length: 20 }, (_, n) =>
        doubles.open({ url: urls[n % 2] ?? '', timeoutMs: TIMEOUT_MS }),
      );
      await Promise.all(stores.map(used));
      await double.faults.restart();
      await passed(LATE_MS);
      await double.counters.until(({ connections }) => connections === 0);
    }
  });

  it('pauses before it reconnects to a server that closes each connection at once', async () => {
    let knocks = 0;
    const closing = createServer((socket) => {
      knocks += 1;
      socket.destroy();
    });
    const port = await listen(closing);
    const store = doubles.open({ url: `esdb://127.0.0.1:${port}?tls=false`, timeoutMs: TIMEOUT_MS });
    const load = createLoad(store);
    await passed(2_000);
    await Promise.all([load.end(), store.close()]);
    closing.close();
    expect(load.failed()).to.be.at.least(2);
    expect(knocks).to.be.within(2, 20);
  });

  it('keeps its connection when only the reads of a subscription are overdue', async () => {
    const double = await doubles.start();
    let reconnects = 0;
    const store = doubles.open({ url: double.url, timeoutMs: 1_000, onReconnect: () => (reconnects += 1) });
    await store.append(newStream(), newEvents(3, 'Wanted'), 'no_stream');
    double.faults.holdsPages = true;
    let overdue = 0;
    const load = createLoad(store, { follows: false });
    await until(async () => {
      const following = deliveriesUntil(store.subscribe(null, ['Wanted'], never()), () => false);
      expect(await failureOf(following)).to.be.instanceOf(StoreUnavailable);
      overdue += 1;
      return overdue === 4;
    });
    await load.end();
    expect(load.failed(), 'of the appends and other reads').to.equal(0);
    expect(reconnects).to.equal(0);
    expect(double.counters.counts.accepted).to.equal(1);
  });

  it('does not report a subscription as lost that resumes each time the server drops it', async () => {
    const double = await doubles.start();
    let retries = 0;
    const store = doubles.open({ url: double.url, timeoutMs: 60_000, onRetry: () => (retries += 1) });
    const deliveries = store.subscribe(null, ['Wanted'], never())[Symbol.asyncIterator]();
    await deliveries.next();
    for (let drops = 0; drops < 20; drops++) {
      const event = newEvent('Wanted');
      const following = deliveriesUntil(unended(deliveries), ({ events }) => idsOf(events).includes(event.id));
      await until(() => double.faults.dropSubscriptions() > 0);
      await store.append(newStream(), [event], 'no_stream');
      expect(idsOf(eventsOf(await following))).to.include(event.id);
    }
    expect(retries).to.equal(0);
    expect(double.counters.counts.accepted).to.equal(1);
    await deliveries.return?.();
  });

  it('keeps its connection and finishes its requests after its own process was suspended', async () => {
    const double = await doubles.start();
    let reconnects = 0;
    let retries = 0;
    const store = doubles.open({
      url: double.url,
      timeoutMs: STILL_MS - 1_000,
      onReconnect: () => (reconnects += 1),
      onRetry: () => (retries += 1),
    });
    const stream = newStream();
    await store.append(stream, newEvents(5), 'no_stream');
    const deliveries = store.subscribe(null, ['Wanted'], never())[Symbol.asyncIterator]();
    await deliveries.next();
    const work = [
      ...Array.from({ length: 50 }, () => store.append(newStream(), newEvents(1, 'Wanted'), 'no_stream')),
      ...Array.from({ length: 10 }, () => store.readNewest(stream)),
      store.head(),
      deliveries.next(),
    ];
    const { appends } = double.counters.counts;
    await double.counters.until((counts) => counts.appends > appends);
    standStill(STILL_MS);
    await Promise.all(work);
    expect({ reconnects, retries }).to.deep.equal({ reconnects: 0, retries: 0 });
    expect(double.counters.counts.accepted).to.equal(1);
    await deliveries.return?.();
  });

  it('asks the server not to compress its answers', async () => {
    const accepted = new Map<string, string | string[] | undefined>();
    const server = createHttp2Server();
    server.on('stream', (stream, headers) => {
      accepted.set(headers[':path'] ?? '', headers['grpc-accept-encoding']);
      stream.on('error', () => undefined);
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '2' }));
      stream.end();
    });
    const port = await listen(server);
    const store = doubles.open({ url: `esdb://127.0.0.1:${port}?tls=false`, timeoutMs: TIMEOUT_MS });
    await outcomeOf(store.head());
    await outcomeOf(store.append(newStream(), newEvents(1), 'any'));
    await outcomeOf(deliveriesUntil(store.subscribe(null, ['Any'], never()), () => false));
    await store.close();
    server.close();
    expect([...accepted.keys()]).to.have.members([
      '/event_store.client.streams.Streams/Read',
      '/event_store.client.streams.Streams/BatchAppend',
    ]);
    expect(new Set(accepted.values())).to.deep.equal(new Set(['identity']));
  });
});

/** What an iterator gives, which goes on after a loop over it ends. */
function unended<T>(iterator: AsyncIterator<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) };
}

/** Blocks the process for so long, as a stop or a long computation does. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Appends, reads and a follower, each one after the other until it is ended; what fails is tried again. */
function createLoad(store: EventStore, { follows = true } = {}) {
  const stop = new AbortController();
  let done = 0;
  let failed = 0;
  const stream = newStream();
  const repeat = async (work: () => Promise<unknown>): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        await work();
        done += 1;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        failed += 1;
      }
      await pause(PACE_MS);
    }
  };
  const works = [
    ...Array.from({ length: 8 }, () => () => store.append(newStream(), newEvents(1, 'Wanted'), 'no_stream')),
    () => store.head(),
    () => store.readNewest(stream),
  ];
  const follow = () => deliveriesUntil(store.subscribe(null, ['Wanted'], stop.signal), () => false);
  const all = works.map(repeat);
  if (follows) all.push(repeat(follow));
  return {
    done: () => done,
    failed: () => failed,
    async end(): Promise<void> {
      stop.abort();
      await Promise.all(all);
    },
  };
}
