import { randomUUID } from 'node:crypto';
import {
  EventStoreDBClient,
  eventTypeFilter,
  jsonEvent,
  type AllStreamSubscription,
  type AppendExpectedRevision,
  type AppendResult,
  type Position,
} from '@eventstore/db-client';
import { expect } from 'chai';
import { startEventStoreDouble, type EventStoreDouble } from '../support/eventstore-double/double.ts';
import type { Version } from '../support/eventstore-double/world.ts';
import { failureOf, outcomeOf } from '../support/failure.ts';

/** A real server, 22.10 or later, that may hold other events already; without it the double stands in. */
const url = process.env['EVENTSTORE_URL'];

/** Versions of KurrentDB from 25.1 on take 256 MiB in one append; all others 1 MiB. */
const TAKES_MORE = /^(?:25\.[1-9]|2[6-9]\.|[3-9]\d\.)/;

/** What the adapter relies on and its contract does not show: a server does it, and so must the double. */
const declareProtocol = (server: string, version: Version) =>
  describe(`the bare client of EventStoreDB, on ${server}`, () => {
    let double: EventStoreDouble | null = null;
    let client: EventStoreDBClient;
    let stream: string;

    before(async () => {
      double = url === undefined ? await startEventStoreDouble({ version }) : null;
      client = EventStoreDBClient.connectionString(url ?? double?.url ?? '');
    });
    beforeEach(() => (stream = `${randomUUID()}-1`));
    after(async () => {
      await client.dispose();
      await double?.close();
    });

    const event = (type: string, data: object = {}) => jsonEvent({ type, id: randomUUID(), data: { ...data } });
    const append = (types: readonly string[], expectedRevision: AppendExpectedRevision = 'any') =>
      client.appendToStream(
        stream,
        types.map((type) => event(type)),
        { expectedRevision },
      );

    async function types(): Promise<string[]> {
      const found: string[] = [];
      for await (const { event: read } of client.readStream(stream)) found.push(read?.type ?? '');
      return found;
    }

    it('accepts a repeated append without effect, and refuses a partly repeated one', async () => {
      const one = event('One');
      const two = event('Two');
      const other = event('Other');
      const first = await client.appendToStream(stream, [one, two], { expectedRevision: 'no_stream' });
      await append(['Three']);
      for (const expectedRevision of ['no_stream', 'any'] as const) {
        const again: AppendResult = await client.appendToStream(stream, [one, two], { expectedRevision });
        expect(again, expectedRevision).to.deep.equal(first);
      }
      const partly = client.appendToStream(stream, [one, other], { expectedRevision: 'no_stream' });
      expect(await kindOf(partly)).to.equal('wrong-expected-version');
      expect(await types()).to.deep.equal(['One', 'Two', 'Three']);
    });

    it('refuses an append over its limit of at least 1 MiB, and serves other requests', async () => {
      const takesMore = TAKES_MORE.test(await versionOf(client));
      const large = client.appendToStream(stream, event('Large', { text: 'x'.repeat(1_048_576) }));
      if (takesMore) expect(await outcomeOf(large)).to.equal(null);
      else expect(await kindOf(large)).to.equal('maximum-append-size-exceeded');
      await append(['Small'], takesMore ? 0n : 'no_stream');
    });

    it('shows the events that $maxCount leaves, and continues the revisions', async () => {
      await append(['A', 'B', 'C']);
      await client.setStreamMetadata(stream, { maxCount: 1 });
      expect(await types()).to.deep.equal(['C']);
      await append(['D'], 2n);
      expect(await types()).to.deep.equal(['D']);
    });

    it('starts a deleted stream again at the next revision, and keeps one with a tombstone closed', async () => {
      await append(['A', 'B']);
      await client.deleteStream(stream);
      expect(await kindOf(types())).to.equal('stream-not-found');
      expect((await append(['C'], 'no_stream')).nextExpectedRevision).to.equal(2n);
      await client.tombstoneStream(stream);
      for (const refused of [types(), append(['D'])]) expect(await kindOf(refused)).to.equal('stream-deleted');
    });

    it('reports checkpoints while no event passes the filter', async () => {
      const { position: start } = await append(['A']);
      const { position: end } = await append(['B', 'C', 'D']);
      await new Promise<void>((resolve) => {
        const checkpointReached = async (subscription: AllStreamSubscription, { commit }: Position) => {
          if (commit < known(end).commit) return;
          await subscription.unsubscribe();
          resolve();
        };
        const filter = eventTypeFilter({ regex: '(?!)', maxSearchWindow: 1, checkpointInterval: 1, checkpointReached });
        client.subscribeToAll({ fromPosition: known(start), filter }).resume();
      });
    });
  });

if (url === undefined) {
  for (const version of ['22.10', '26.1'] as const) declareProtocol(`its double of ${version}`, version);
} else {
  declareProtocol('the server of EVENTSTORE_URL', '22.10');
}

/** The version of a server, as it says itself. */
function versionOf(client: EventStoreDBClient): Promise<string> {
  return VersionReader.prototype.read.call(client);
}

class VersionReader extends EventStoreDBClient {
  async read(): Promise<string> {
    return (await this.capabilities).serverVersion;
  }
}

function known(position: Position | undefined): Position {
  return position ?? expect.fail('no position');
}

/** The kind of error that a promise ends with, as the client names it. */
async function kindOf(promise: Promise<unknown>): Promise<unknown> {
  const failure = await failureOf(promise);
  return failure instanceof Error && 'type' in failure ? failure.type : failure;
}
