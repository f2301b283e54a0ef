import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { ProjectionStores } from '../../src/service/projector/generations.ts';
import { VERIFY_NAMESPACE } from '../../src/service/projector/verify.ts';
import type { Document } from '../../src/service/kernel/ports/read-store.ts';
import { record } from '../support/processes/command-process.ts';
import { gathered, newEvent } from '../support/event-store/events.ts';
import { Ledger } from '../support/processes/ledger.ts';
import { Load, prepare } from '../support/processes/load.ts';
import { caughtUp } from '../support/processes/waits.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { World } from '../support/processes/world.ts';
import {
  checkpointOf,
  endStopped,
  recordLaps,
  startStopping,
  timing,
  timingApart,
  withStores,
} from '../support/history/rebuilding.ts';
import { depth } from '../support/depth.ts';

/** Enough laps for several transactions. */
const MANY = depth({ short: 500, deep: 10_000 });

describe('sim-racing-timing verify', () => {
  const world = new World();
  let dataDir = '';
  beforeEach(() => {
    dataDir = world.directory();
  });
  afterEach(() => world.clean());

  /** Records a history and has a service project it. */
  async function projected(more: number): Promise<void> {
    await recordLaps(dataDir, more);
    await withServiceHere(dataDir, ({ admin }) => caughtUp(admin));
  }

  it('finds no difference, whether the last events are projected or not, and leaves nothing behind', async () => {
    await projected(50);
    const first = await timing(dataDir, 'verify');
    expect(first.code, first.err).to.equal(0);
    expect(first.out).to.match(/^Compared [\d,]+ documents: none differs\.\n$/);
    await recordLaps(dataDir, 50);
    const second = await timing(dataDir, 'verify', '--json');
    expect(second.code, second.err).to.equal(0);
    expect(JSON.parse(second.out)).to.include({ result: 'same', differences: 0, unsettled: 0 });
    expect(await checkpointOf(dataDir, VERIFY_NAMESPACE)).to.equal(null);
  });

  it('does not report superseded uses of keys as differences', async () => {
    await projected(10);
    // The use of a key is recorded when a service ends, and projected by the next one.
    await withServiceHere(dataDir, ({ admin }) => caughtUp(admin));
    await withStores(dataDir, async ({ store }) => {
      for (const used of await gathered(store.readAll(null, ['ApiKeyUsed']))) {
        const { id: _, stream, ...event } = used;
        await store.append(stream, [{ ...event, id: randomUUID() }], 'newest_only');
      }
    });
    const { code, out, err } = await timing(dataDir, 'verify', '--json');
    expect(code, err + out).to.equal(0);
    const { unsettled, ...result } = JSON.parse(out) as Record<string, unknown>;
    expect(result).to.include({ result: 'same', differences: 0 });
    expect(unsettled).to.be.greaterThan(0);
  });

  it('finds a document that is changed, one of the future, one too many and one that is missing', async () => {
    await projected(50);
    const extra = randomUUID();
    const { changed, future } = await withStores(dataDir, async (stores) => {
      const [one, two] = await someLaps(stores);
      const { models } = stores;
      const at = (await models.checkpoint()) ?? 0;
      await models.apply(
        [
          { kind: 'set', collection: 'laps', id: one.id, fields: { totalTime: 1 }, position: one._position + 1 },
          { kind: 'set', collection: 'laps', id: two.id, fields: { rigName: 'x' }, position: at + 1_000_000 },
          { kind: 'insert', collection: 'laps', document: { ...one, id: extra } },
        ],
        at,
      );
      return { changed: one.id, future: two.id };
    });
    const missing = `lap-${randomUUID()}`;
    const ids = { participantId: '', rigId: '', eventId: '', carId: '', trackId: '' };
    const lap = { ...ids, sectors: [], totalTime: 1, valid: true };
    await record(dataDir, [{ stream: missing, event: newEvent('LapRecorded', lap) }]);
    await withStores(dataDir, async ({ models, store }) => models.apply([], (await store.head()) ?? 0));

    const { code, out } = await timing(dataDir, 'verify', '--json');
    expect(code).to.equal(1);
    const told = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(told.at(-1)).to.include({ result: 'different', unsettled: 0 });
    expect(told).to.deep.include.members([
      { collection: 'laps', id: changed, difference: 'fields', fields: ['_position', 'totalTime'] },
      { collection: 'laps', id: future, difference: 'fields', fields: ['_position', 'rigName'] },
      { collection: 'laps', id: extra, difference: 'of no event', fields: [] },
      { collection: 'laps', id: missing.slice('lap-'.length), difference: 'missing', fields: [] },
    ]);
    const plain = await timing(dataDir, 'verify');
    expect(plain.code).to.equal(1);
    expect(plain.out).to.include(`laps/${changed}: differs in _position, totalTime\n`);
    expect((await timingApart(dataDir, 'rebuild')).code).to.equal(0);
    expect((await timing(dataDir, 'verify')).out).to.match(/: none differs\.\n$/);
  });

  it('works while a service writes', async () => {
    const service = await world.service({ dataDir });
    await recordLaps(dataDir, MANY);
    const [ledger, stop] = [new Ledger(), new AbortController()];
    const ground = await prepare(service.admin, 4);
    const load = new Load(ground, ledger);
    const lanes = ground.lanes.map((lane) => load.run(lane, service.admin, stop.signal));
    await ledger.more(20);
    const { code, out, err } = await timingApart(dataDir, 'verify', '--json');
    await ledger.more(20);
    stop.abort();
    await Promise.all(lanes);
    expect(code, out + err).to.equal(0);
    expect(JSON.parse(out)).to.include({ result: 'same', differences: 0 });
  });

  it('leaves nothing behind after SIGTERM, and removes what a killed one left', async () => {
    await projected(MANY);
    const scratch = (): Promise<number | null> => checkpointOf(dataDir, VERIFY_NAMESPACE);
    const told = await startStopping(dataDir, MANY, 'verify');
    expect(await scratch()).not.to.equal(null);
    expect((await endStopped(told, 'SIGTERM')).code, told.err).to.equal(130);
    expect(await scratch()).to.equal(null);

    const killed = await startStopping(dataDir, MANY, 'verify');
    await killed.end('SIGKILL');
    expect(await scratch()).not.to.equal(null);

    const done = await startStopping(dataDir, MANY, 'verify');
    const refused = await timingApart(dataDir, 'verify');
    expect(refused).to.include({ code: 1, out: '' });
    expect(refused.err).to.include(`sim-racing-timing verify: refused: process ${done.pid} on `);
    done.child.kill('SIGCONT');
    expect((await done.ended).code, done.err).to.equal(0);
    expect(await scratch()).to.equal(null);
  });
});

async function someLaps({ models }: ProjectionStores): Promise<readonly [Document, Document]> {
  const [one, two] = await models.find('laps', {
    where: {},
    sort: { field: 'totalTime', direction: 'desc' },
    offset: 0,
    limit: 2,
  });
  if (one === undefined || two === undefined) throw new Error('there are no laps');
  return [one, two];
}
