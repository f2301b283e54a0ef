import { expect } from 'chai';
import { newEvent, NO_DATA } from '../support/event-store/events.ts';
import { expectCode, record, expectRefusedUses } from '../support/processes/command-process.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { caughtUp } from '../support/processes/waits.ts';
import { useWorld } from '../support/processes/world.ts';
import { startTiming, timing } from '../support/processes/rebuilding.ts';
import { jsonLines } from '../support/json-lines.ts';

describe('sim-racing-timing dead-letters', () => {
  const world = useWorld();

  /** Has a service park some events, each of another stream. */
  async function park(count: number): Promise<void> {
    await withServiceHere(world.dataDir, async ({ admin }) => {
      const event = newEvent('LapRecorded', NO_DATA);
      await record(
        world.dataDir,
        Array.from({ length: count }, (_, n) => ({ stream: `lap-${n}`, event })),
      );
      await caughtUp(admin);
    });
  }

  it('ends with 2 and one line when it is used wrongly, and with 1 where there is no store', async () => {
    await expectRefusedUses(
      'dead-letters',
      [
        [/say show or retry/, []],
        [/say show or retry/, ['list']],
        [/unexpected argument: more/, ['show', 'more']],
      ],
      { DATA_DIR: world.dataDir },
    );
    const empty = await timing(world.dataDir, 'dead-letters', 'show');
    expect(empty).to.include({ code: 1, out: '' });
    expect(empty.err).to.match(/there is no event store in/);
  });

  it('shows the parked events in order, one object a line for scripts', async () => {
    // More than are read at once.
    await park(201);
    const { out } = await expectCode(1, timing(world.dataDir, 'dead-letters', 'show', '--json'));
    const letters = jsonLines(out);
    expect(letters).to.have.lengthOf(201);
    letters.forEach((letter, n) =>
      expect(letter).to.include({
        stream: `lap-${n}`,
        revision: 0,
        type: 'LapRecorded',
        version: 1,
        unknown: false,
        occurredAt: '2026-01-02T03:04:05.678Z',
      }),
    );
  });

  it('waits for a projector, says so, and can be interrupted', async () => {
    await park(1);
    const retrying = startTiming(world.dataDir, 'dead-letters', 'retry');
    await retrying.said(/^Waiting for a projector: does a service run\?$/m);
    expect((await retrying.end('SIGINT')).code).to.equal(130);
    // The request was recorded: the next projector carries it out.
    const { out } = await withServiceHere(world.dataDir, async ({ admin }) => {
      await caughtUp(admin);
      return timing(world.dataDir, 'dead-letters', 'retry', '--json');
    });
    expect(JSON.parse(out)).to.deep.equal({ result: 'parked', retried: 1, waiting: 1 });
  });
});
