import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openLmdbEventStore } from '../../infra/lmdb/event-store.ts';
import { EventRecords } from '../../infra/lmdb/event-records.ts';
import { StoreUnavailable } from '../../src/kernel/ports/errors.ts';
import { MAX_STREAM_NAME_BYTES } from '../../src/kernel/stream-names.ts';
import type { EventStore } from '../../src/kernel/ports/event-store.ts';
import { useDirectories } from '../support/directories.ts';
import { gathered, newEvent, newEvents, newStream } from '../support/event-store/events.ts';
import { failureOf } from '../support/failure.ts';
import { newestTransaction } from '../support/lmdb/transactions.ts';
import { eventStoreContract } from './event-store.ts';

/** Where the first page of an LMDB file names the size of its map, in bytes (`mm_mapsize`). */
const MAP_SIZE_OFFSET = 40;

const PAGE_BYTES = 4_096;
/** Makes an event as long as that of a lap. */
const LAP = { text: 'x'.repeat(400) };

const path = useDirectories()();

eventStoreContract({
  name: 'lmdb',
  open: () => openLmdbEventStore({ path }),
  openEmpty: () => openLmdbEventStore({ path: join(path, 'deep', 'empty') }),
});

describe('event store on LMDB', () => {
  let store: EventStore;
  before(async () => {
    store = await openLmdbEventStore({ path: join(path, 'own') });
  });
  after(() => store.close());

  it('accepts stream names up to its limit, and refuses longer and ambiguous ones', async () => {
    const longest = 'ü'.repeat(MAX_STREAM_NAME_BYTES / 2);
    expect((await store.append(longest, newEvents(1), 'no_stream')).revision).to.equal(0);
    expect(await store.readNewest(longest)).to.include({ stream: longest });
    for (const refused of [`${longest}x`, '', 'a\u0000b', 'a\ud800']) {
      expect(await failureOf(store.append(refused, newEvents(1), 'any')), refused).to.be.instanceOf(TypeError);
    }
  });

  it('deletes the older events of a stream that keeps only its newest, and reuses no position', async () => {
    const stream = newStream();
    await store.append(stream, newEvents(3), 'no_stream');
    const { position } = await store.append(stream, [newEvent('Used')], 'newest_only');
    const read = await gathered(store.readStream(stream));
    expect(read.map((event) => [event.type, event.revision, event.position])).to.deep.equal([['Used', 3, position]]);
    expect((await gathered(store.readAll(null))).filter((event) => event.stream === stream)).to.deep.equal(read);
    expect((await store.append(newStream(), newEvents(1), 'no_stream')).position).to.equal(position + 1);
  });

  it('fills its database pages with events', async () => {
    const directory = join(path, 'pages');
    const own = await openLmdbEventStore({ path: directory });
    const grownBy = async (events: number): Promise<number> => {
      const before = statSync(join(directory, 'data.mdb')).size;
      await own.append(
        newStream(),
        Array.from({ length: events }, () => newEvent('Lap', LAP)),
        'no_stream',
      );
      return (statSync(join(directory, 'data.mdb')).size - before) / PAGE_BYTES;
    };
    await grownBy(1_000);
    expect(await grownBy(1_000), 'five in a page').to.be.within(200, 220);
    await own.close();
  });

  it('overwrites no event beyond the newest recorded position', async () => {
    const directory = join(path, 'set-back');
    const before = await openLmdbEventStore({ path: directory });
    const stream = newStream();
    await before.append(stream, newEvents(2), 'no_stream');
    await before.close();
    const records = await EventRecords.open(directory);
    await records.env.write(() => records.putHead(1));
    await records.close();
    const after = await openLmdbEventStore({ path: directory });
    const error = await failureOf(after.append(newStream(), newEvents(1), 'no_stream'));
    expect(error).to.be.instanceOf(StoreUnavailable).with.nested.property('cause.message').that.includes('newest');
    expect(await gathered(after.readStream(stream))).to.have.length(2);
    expect(readdirSync(directory), 'no service starts on it').to.include('damage');
    await after.close();
  });

  it('commits a thousand appends that are made together in one transaction', async () => {
    const inTurn = newestTransaction(join(path, 'own'));
    for (let n = 0; n < 3; n += 1) await store.append(newStream(), newEvents(1), 'no_stream');
    const before = newestTransaction(join(path, 'own'));
    expect(before - inTurn, 'of appends in turn').to.equal(3);
    const appended = await Promise.all(
      Array.from({ length: 1_000 }, () => store.append(newStream(), newEvents(1), 'no_stream')),
    );
    expect(newestTransaction(join(path, 'own')) - before).to.equal(1);
    const [{ position: first } = { position: 0 }] = appended;
    expect(appended.map(({ position }) => position - first)).to.deep.equal(appended.map((_, n) => n));
  });

  it('reserves its whole map from the start, so that two threads never enlarge it at once', () => {
    const firstPage = readFileSync(join(path, 'own', 'data.mdb'));
    expect(Number(firstPage.readBigUInt64LE(MAP_SIZE_OFFSET))).to.equal(128 * 1024 ** 3);
  });
});
