import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { OWN_VERSIONS } from '../../src/service/projector/model-versions.ts';
import { BUILT_IN_VERSION } from '../../src/service/resources/built-in.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { created } from '../../src/service/projector/generation-state.ts';
import { expectCode, record } from '../support/processes/command-process.ts';
import { newEvent, NO_DATA } from '../support/event-store/events.ts';
import { caughtUp } from '../support/processes/waits.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { useWorld } from '../support/processes/world.ts';
import { jsonLines } from '../support/json-lines.ts';
import { generation, recordLaps, timing, timingApart, withStores } from '../support/processes/rebuilding.ts';

describe('sim-racing-timing projections', () => {
  const world = useWorld();

  async function shown(): Promise<readonly JsonObject[]> {
    const { code, out, err } = await timing(world.dataDir, 'projections', '--json');
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    return jsonLines(out);
  }

  it('describes in its help each property that it prints', async () => {
    await recordLaps(world.dataDir, 1);
    const { out } = await expectCode(0, timing(world.dataDir, 'projections', '--help'));
    const [group = {}] = await shown();
    for (const name of Object.keys(group)) expect(out).to.include(name);
    const plain = await timingApart(world.dataDir, 'projections');
    expect(plain.out.match(/^\w+/gm)).to.deep.equal(Object.keys(group));
    expect(plain.out).to.match(/^state +nobody projects$/m);
  });

  it('shows the process that updates the read models, their positions, and the number of dead letters', async () => {
    const [group] = await withServiceHere(world.dataDir, async ({ admin }) => {
      await recordLaps(world.dataDir, 10);
      await record(world.dataDir, [{ stream: `lap-${randomUUID()}`, event: newEvent('LapRecorded', NO_DATA) }]);
      await caughtUp(admin);
      return shown();
    });
    const head = await withStores(world.dataDir, ({ store }) => store.head());
    expect(group).to.include({
      group: 'built-in',
      generation: generation(1),
      version: BUILT_IN_VERSION,
      latestVersion: BUILT_IN_VERSION,
      role: 'current',
      state: 'live',
      checkpoint: head,
      lagEvents: 0,
      lagSeconds: 0,
      deadLetters: 1,
    });
    expect(group?.['holder']).to.match(new RegExp(`^process ${process.pid} on `));
    expect(group?.['lastError']).to.be.a('string').that.is.not.empty;
  });

  it('shows that without a running service too, and a rebuild that has started', async () => {
    await withServiceHere(world.dataDir, async () => undefined);
    await recordLaps(world.dataDir, 100);
    await withStores(world.dataDir, ({ generations }) => generations.update(created(OWN_VERSIONS, null)));
    const [current, next, ...more] = await shown();
    expect(current).to.include({
      role: 'current',
      state: 'nobody projects',
      holder: null,
      rate: 0,
      lagIsAtLeast: false,
    });
    expect(current?.['lagEvents']).to.be.within(300, 320);
    expect(current?.['lagSeconds'], 'the laps are of January').to.be.greaterThan(1_000);
    expect(next).to.include({ role: 'next', generation: generation(2), state: 'nobody projects', checkpoint: null });
    expect(more).to.deep.equal([]);
  });
});
