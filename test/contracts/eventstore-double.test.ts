import { randomUUID } from 'node:crypto';
import {
  EventStoreDBClient,
  WrongExpectedVersionError,
  eventTypeFilter,
  jsonEvent,
  streamNameFilter,
  type AllStreamSubscription,
  type AppendExpectedRevision,
  type Filter,
  type Position,
} from '@eventstore/db-client';
import { expect } from 'chai';
import { startEventStoreDouble, type EventStoreDouble } from '../support/eventstore-double/double.ts';

const event = (type: string, id: string = randomUUID(), data: object = {}) =>
  jsonEvent({ type, id, data: { ...data } });

/** The error that a promise ends with. */
async function failure(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome instanceof Error) return outcome;
  throw new Error('It did not fail.');
}

/** What the client's own kinds of error call themselves. */
function kind(error: Error): unknown {
  return 'type' in error ? error.type : error.name;
}

describe('the double of EventStoreDB, with the bare client', () => {
  let double: EventStoreDouble;
  let client: EventStoreDBClient;

  beforeEach(async () => {
    double = await startEventStoreDouble({ commitTimeoutMs: 300 });
    client = EventStoreDBClient.connectionString(double.url);
  });

  afterEach(async () => {
    await double.faults.heal();
    await client.dispose();
    await double.close();
  });

  const append = (stream: string, types: readonly string[], expectedRevision: AppendExpectedRevision = 'any') =>
    client.appendToStream(
      stream,
      types.map((type) => event(type)),
      { expectedRevision },
    );

  async function types(stream: string, options = {}): Promise<string[]> {
    const found: string[] = [];
    for await (const { event: read } of client.readStream(stream, options)) if (read) found.push(read.type);
    return found;
  }

  async function all(options: Parameters<EventStoreDBClient['readAll']>[0] = {}): Promise<[string, bigint][]> {
    const found: [string, bigint][] = [];
    for await (const { event: read } of client.readAll(options)) {
      if (read) found.push([read.type, read.position.commit]);
    }
    return found;
  }

  describe('appends', () => {
    it('answer with the revision and position of the last event', async () => {
      const first = await append('a-1', ['One', 'Two'], 'no_stream');
      expect(first.nextExpectedRevision).to.equal(1n);
      const [one, two] = (await all({ direction: 'backwards', fromPosition: 'end', maxCount: 2 })).reverse();
      expect(two).to.deep.equal(['Two', first.position?.commit]);
      expect((one?.[1] ?? 0n) < (two?.[1] ?? 0n)).to.be.true;
      const second = await append('a-1', ['Three'], 1n);
      expect(second.nextExpectedRevision).to.equal(2n);
      expect(await types('a-1')).to.deep.equal(['One', 'Two', 'Three']);
    });

    for (const [expected, made] of [
      ['no_stream', true],
      ['stream_exists', false],
      [5n, true],
      [0n, false],
    ] as const) {
      it(`are refused when the stream is elsewhere: ${expected}`, async () => {
        if (made) await append('w-1', ['One', 'Two']);
        const error = await failure(append('w-1', ['Three'], expected));
        expect(error).to.be.instanceOf(WrongExpectedVersionError);
        const actualVersion = made ? 1n : 'no_stream';
        expect(error).to.include({ actualVersion, expectedVersion: expected, streamName: 'w-1' });
      });
    }

    it('that repeat the same ids at their place succeed without effect', async () => {
      const events = [event('One'), event('Two')];
      const first = await client.appendToStream('r-1', events, { expectedRevision: 'no_stream' });
      await append('r-1', ['Three']);
      for (const expectedRevision of ['no_stream', 'any', 'stream_exists'] as const) {
        const again = await client.appendToStream('r-1', events, { expectedRevision });
        expect(again, expectedRevision).to.deep.equal(first);
      }
      const partly = [events[0] ?? event('One'), event('Other')];
      expect(kind(await failure(client.appendToStream('r-1', partly, { expectedRevision: 'no_stream' })))).to.equal(
        'wrong-expected-version',
      );
      expect(await types('r-1')).to.deep.equal(['One', 'Two', 'Three']);
    });

    it('over the limit are refused, by either call', async () => {
      const large = event('Large', randomUUID(), { text: 'x'.repeat(1_048_576) });
      expect(kind(await failure(client.appendToStream('l-1', large)))).to.equal('maximum-append-size-exceeded');
      // Credentials make the client take the unary call.
      const credentials = { username: 'u', password: 'p' };
      expect(kind(await failure(client.appendToStream('l-1', large, { credentials })))).to.equal(
        'maximum-append-size-exceeded',
      );
      await append('l-1', ['Small'], 'no_stream');
    });

    it('by the unary call do the same', async () => {
      const credentials = { username: 'u', password: 'p' };
      const options = { credentials, expectedRevision: 'no_stream' } as const;
      const first = await client.appendToStream('u-1', [event('One')], options);
      expect(first).to.include({ success: true, nextExpectedRevision: 0n });
      const error = await failure(client.appendToStream('u-1', [event('Two')], options));
      expect(error).to.include({ type: 'wrong-expected-version', actualVersion: 0n, expectedVersion: 'no_stream' });
    });
  });

  describe('reads', () => {
    it('of streams go both ways, from any revision, up to a count', async () => {
      await append('s-1', ['A', 'B', 'C', 'D']);
      expect(await types('s-1', { fromRevision: 1n, maxCount: 2 })).to.deep.equal(['B', 'C']);
      expect(await types('s-1', { direction: 'backwards', fromRevision: 'end', maxCount: 1 })).to.deep.equal(['D']);
      expect(await types('s-1', { direction: 'backwards', fromRevision: 1n })).to.deep.equal(['B', 'A']);
      expect(await types('s-1', { fromRevision: 9n })).to.be.empty;
      expect(kind(await failure(types('s-2')))).to.equal('stream-not-found');
    });

    it('of $all begin at their position, and before it backwards', async () => {
      const { position } = await append('s-1', ['A']);
      await append('s-2', ['B']);
      if (position === undefined) throw new Error('no position');
      expect((await all({ fromPosition: position })).map(([type]) => type)).to.deep.equal(['A', 'B']);
      const [before] = await all({ fromPosition: position, direction: 'backwards', maxCount: 1 });
      expect(before?.[0]).to.equal('$metadata');
      expect((await all({ maxCount: 1 }))[0]?.[0], 'events of the system').to.match(/^\$/u);
    });

    it('show what $maxCount leaves, $all shows the rest and the metadata too', async () => {
      await append('m-1', ['A', 'B', 'C']);
      await client.setStreamMetadata('m-1', { maxCount: 1 });
      expect(await types('m-1')).to.deep.equal(['C']);
      await append('m-1', ['D'], 2n);
      expect(await types('m-1', { direction: 'backwards', fromRevision: 'end' })).to.deep.equal(['D']);
      expect((await all()).slice(-5).map(([type]) => type)).to.deep.equal(['A', 'B', 'C', '$metadata', 'D']);
      expect((await client.getStreamMetadata('m-1')).metadata).to.deep.equal({ maxCount: 1 });
    });
  });

  describe('subscriptions', () => {
    /** The types of the next events. Leaving the loop does not end the subscription: the client must be told. */
    async function next(subscription: AllStreamSubscription, count: number): Promise<string[]> {
      const found: string[] = [];
      for await (const { event: read } of subscription) {
        if (read) found.push(read.type);
        if (found.length >= count) break;
      }
      await subscription.unsubscribe();
      return found;
    }

    it('catch up after their position, then go live', async () => {
      const { position } = await append('s-1', ['A', 'B']);
      await append('s-1', ['C']);
      if (position === undefined) throw new Error('no position');
      const subscription = client.subscribeToAll({ fromPosition: position });
      const found = next(subscription, 2);
      await double.counters.until(({ subscriptions }) => subscriptions === 1);
      await append('s-2', ['D']);
      expect(await found).to.deep.equal(['C', 'D']);
      await double.counters.until(({ subscriptions }) => subscriptions === 0);
    });

    it('filter by type or stream, by prefix or pattern', async () => {
      await append('s-1', ['Apple', 'Pear']);
      await append('t-1', ['Apple', 'Plum']);
      const by = async (filter: Filter, count: number) => next(client.subscribeToAll({ filter }), count);
      expect(await by(eventTypeFilter({ prefixes: ['App'] }), 2)).to.deep.equal(['Apple', 'Apple']);
      expect(await by(eventTypeFilter({ regex: '^P(ear|lum)$' }), 2)).to.deep.equal(['Pear', 'Plum']);
      expect(await by(streamNameFilter({ prefixes: ['t-'] }), 2)).to.deep.equal(['Apple', 'Plum']);
    });

    it('say how far they looked when the filter lets nothing through', async () => {
      const reached: Position[] = [];
      const checkpointReached = async (_: AllStreamSubscription, position: Position) => {
        reached.push(position);
        if (position.commit === head) await subscription.unsubscribe();
      };
      const { position } = await append('s-1', ['A', 'B', 'C']);
      const head = position?.commit;
      const filter = eventTypeFilter({ prefixes: ['Z'], maxSearchWindow: 1, checkpointInterval: 1, checkpointReached });
      const subscription = client.subscribeToAll({ filter });
      await double.counters.until(({ subscriptions }) => subscriptions === 1);
      await double.counters.until(({ subscriptions }) => subscriptions === 0);
      expect(reached.at(-1)?.commit).to.equal(head);
      expect(reached).to.have.length((await all()).length);
    });

    it('end with an error when they are dropped', async () => {
      const found = failure(next(client.subscribeToAll({ fromPosition: 'end' }), 1));
      await double.counters.until(({ subscriptions }) => subscriptions === 1);
      double.faults.dropSubscriptions();
      expect(await found).to.include({ code: 10, type: 'timeout' });
    });

    it('of one stream follow it after a revision', async () => {
      await append('s-1', ['A', 'B']);
      await append('s-2', ['X']);
      const found: string[] = [];
      for await (const { event: read } of client.subscribeToStream('s-1', { fromRevision: 0n })) {
        if (read) found.push(read.type);
        if (found.length === 1) await append('s-1', ['C']);
        if (found.length === 2) break;
      }
      expect(found).to.deep.equal(['B', 'C']);
    });
  });

  it('says that it has caught up, if asked to', async () => {
    const modern = await startEventStoreDouble({ version: '23.10' });
    const other = EventStoreDBClient.connectionString(modern.url);
    const subscription = other.subscribeToAll();
    await new Promise((resolve) => {
      subscription.on('caughtUp', resolve);
      subscription.resume();
    });
    await other.dispose();
    await modern.close();
  });

  it('is found by discovery', async () => {
    const discovering = EventStoreDBClient.connectionString(
      `esdb://127.0.0.1:${double.port},127.0.0.1:${double.port}?tls=false`,
    );
    expect(kind(await failure(readOne(discovering, 'nothing')))).to.equal('stream-not-found');
    await discovering.dispose();
  });
});

async function readOne(client: EventStoreDBClient, stream: string): Promise<void> {
  for await (const _ of client.readStream(stream, { maxCount: 1 })) return;
}
