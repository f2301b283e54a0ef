import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { ProjectionStores } from '../../src/service/projector/generations.ts';
import { VERIFY_NAMESPACE } from '../../src/service/projector/verify.ts';
import type { Document } from '../../src/kernel/ports/read-store.ts';
import { expectCode, record } from '../support/processes/command-process.ts';
import { gathered, newEvent } from '../support/event-store/events.ts';
import { Load, prepare } from '../support/processes/load.ts';
import { caughtUp } from '../support/processes/waits.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { useWorld } from '../support/processes/world.ts';
import {
  checkpointOf,
  endStopped,
  recordLaps,
  startStopping,
  timing,
  withStores,
} from '../support/processes/rebuilding.ts';
import { depth } from '../support/depth.ts';
import { jsonLines } from '../support/json-lines.ts';

/** Enough laps for several transactions. */
const MANY = depth({ short: 500, deep: 10_000 });

describe('sim-racing-timing verify', () => {
  const world = useWorld();

  /** Records a history and has a service project it. */
  async function projected(more: number): Promise<void> {
    await recordLaps(world.dataDir, more);
    await withServiceHere(world.dataDir, ({ admin }) => caughtUp(admin));
  }

  it('finds no difference, whether the last events are projected or not, and leaves nothing behind', async () => {
    await projected(50);
    const first = await expectCode(0, timing(world.dataDir, 'verify'));
    expect(first.out).to.match(/^Compared [\d,]+ documents: none differs\.\n$/);
    await recordLaps(world.dataDir, 50);
    const second = await expectCode(0, timing(world.dataDir, 'verify', '--json'));
    expect(JSON.parse(second.out)).to.include({ result: 'same', differences: 0, unsettled: 0 });
    expect(await checkpointOf(world.dataDir, VERIFY_NAMESPACE)).to.equal(null);
  });

  it('does not report superseded uses of keys as differences', async () => {
    await projected(10);
    // The use of a key is recorded when a service ends, and projected by the next one.
    await withServiceHere(world.dataDir, ({ admin }) => caughtUp(admin));
    await withStores(world.dataDir, async ({ store }) => {
      for (const used of await gathered(store.readAll(null, ['ApiKeyUsed']))) {
        const { id: _, stream, ...event } = used;
        await store.append(stream, [{ ...event, id: randomUUID() }], 'newest_only');
      }
    });
    const { out } = await expectCode(0, timing(world.dataDir, 'verify', '--json'));
    const { unsettled, ...result } = JSON.parse(out) as Record<string, unknown>;
    expect(result).to.include({ result: 'same', differences: 0 });
    expect(unsettled).to.be.greaterThan(0);
  });

  it('finds documents that are changed, ahead of the events, superfluous or missing', async () => {
    await projected(50);
    const extra = randomUUID();
    const { changed, future } = await withStores(world.dataDir, async (stores) => {
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
    await record(world.dataDir, [{ stream: missing, event: newEvent('LapRecorded', lap) }]);
    await withStores(world.dataDir, async ({ models, store }) => models.apply([], (await store.head()) ?? 0));

    const { out } = await expectCode(1, timing(world.dataDir, 'verify', '--json'));
    const lines = jsonLines(out);
    expect(lines.at(-1)).to.include({ result: 'different', unsettled: 0 });
    expect(lines).to.deep.include.members([
      { collection: 'laps', id: changed, difference: 'fields', fields: ['_position', 'totalTime'] },
      { collection: 'laps', id: future, difference: 'fields', fields: ['_position', 'rigName'] },
      { collection: 'laps', id: extra, difference: 'of no event', fields: [] },
      { collection: 'laps', id: missing.slice('lap-'.length), difference: 'missing', fields: [] },
    ]);
    const plain = await expectCode(1, timing(world.dataDir, 'verify'));
    expect(plain.out).to.include(`laps/${changed}: differs in _position, totalTime\n`);
  });

  it('works while a service writes', async () => {
    const service = await world.service({ dataDir: world.dataDir });
    await recordLaps(world.dataDir, MANY);
    const load = new Load(await prepare(service.admin, 4));
    const { out } = await load.during(service.admin, async () => {
      await load.ledger.more(20);
      const verified = await expectCode(0, timing(world.dataDir, 'verify', '--json'));
      await load.ledger.more(20);
      return verified;
    });
    expect(JSON.parse(out)).to.include({ result: 'same', differences: 0 });
  });

  it('leaves nothing behind after SIGTERM, and removes what a killed run left', async () => {
    await projected(MANY);
    const scratch = (): Promise<number | null> => checkpointOf(world.dataDir, VERIFY_NAMESPACE);
    const running = await startStopping(world.dataDir, MANY, 'verify');
    expect(await scratch()).not.to.equal(null);
    expect((await endStopped(running, 'SIGTERM')).code, running.err).to.equal(130);
    expect(await scratch()).to.equal(null);

    const killed = await startStopping(world.dataDir, MANY, 'verify');
    await killed.end('SIGKILL');
    expect(await scratch()).not.to.equal(null);

    const done = await startStopping(world.dataDir, MANY, 'verify');
    const refused = await timing(world.dataDir, 'verify');
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
