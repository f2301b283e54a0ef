import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newEvent, newEvents } from '../support/event-store/events.ts';
import {
  expectCode,
  callCommand,
  expectRefusedUses,
  record,
  recordedIn,
  runCommand,
  startCommand,
} from '../support/processes/command-process.ts';
import { preloading, useWorld, type Running } from '../support/processes/world.ts';
import { depth } from '../support/depth.ts';

/** Enough events for several waves of appends, and the events at which a copy is killed. */
const WAVES = depth({ short: 1_800, deep: 10_000 });
const KILLS_AT = depth({ short: [100, 900, 1_700], deep: Array.from({ length: 20 }, (_, n) => n * 500 + 100) });

/** A copy in this process. */
function run(...args: readonly string[]) {
  return callCommand(['copy', ...args]);
}

describe('sim-racing-timing copy', () => {
  const world = useWorld();
  let from = '';
  let to = '';

  beforeEach(() => {
    from = world.directory();
    to = world.directory();
  });

  const fill = (dataDir: string, events: number): Promise<void> =>
    record(
      dataDir,
      newEvents(events).map((event, n) => ({ stream: `thing-${n}`, event })),
    );

  async function expectCopied(): Promise<void> {
    expect(await recordedIn(to)).to.deep.equal(await recordedIn(from));
  }

  it('ends with 2 and one line when it is used wrongly, and makes nothing', async () => {
    await expectRefusedUses('copy', [
      [/--from is missing/, []],
      [/--to is missing/, ['--from', from]],
      [/Unexpected argument/, ['--from', from, '--to', to, 'more']],
      [/esdb:\/\//, ['--from', from, '--to', 'http://localhost:2113']],
      [/esdb:\/\//, ['--from', 'esdb://', '--to', to]],
      [/same store/, ['--from', from, '--to', `${from}/.`]],
      [/no event store in/, ['--from', join(from, 'absent'), '--to', to]],
    ]);
    expect(existsSync(join(to, 'events'))).to.equal(false);
    expect(existsSync(join(from, 'absent'))).to.equal(false);
  });

  it('copies, reports what it did and what to do next, and copies nothing the second time', async () => {
    await fill(from, 100);
    const first = await expectCode(0, runCommand(['copy', '--from', from, '--to', to]));
    expect(first.out).to.match(/^Copied 100 events in .*100 streams/s);
    expect(first.out).to.include(`DATA_DIR=${to}`);
    expect(first.err).to.match(/^Copying +100 events\nChecking the copy +100 events\n$/);
    await expectCopied();
    const second = await expectCode(0, run('--from', from, '--to', to));
    expect(second.out).to.match(/^Copied 0 events in .*100 were there already/);
  });

  it('copies an event that does not match its schema, and reports it', async () => {
    await record(from, [
      { stream: 'lap-1', event: newEvent('LapInvalidated') },
      { stream: 'lap-1', event: newEvent('LapCorrected', { sectors: 7 }) },
    ]);
    const { err } = await expectCode(0, run('--from', from, '--to', to));
    expect(err.match(/^The .* does not satisfy its schema/gm)).to.deep.equal([
      'The LapCorrected at position 2 does not satisfy its schema',
    ]);
    await expectCopied();
  });

  it('ends with 1 when the target holds something else, and names the stream', async () => {
    await fill(from, 10);
    await record(to, [{ stream: 'foreign', event: newEvent() }]);
    const { out, err } = await expectCode(1, run('--from', from, '--to', to, '--json'));
    expect(err).to.match(/^sim-racing-timing copy: the target holds .*stream foreign/m);
    expect(parsed(out)).to.include({ result: 'failed' }).and.to.have.property('error').that.includes('foreign');
    expect(await recordedIn(to)).to.have.lengthOf(1);
  });

  /** A copy that receives a signal right before it appends the n-th event. */
  function startUntil(n: number, signal: NodeJS.Signals): Running {
    const point = preloading('./crash-point', { CRASH_BEFORE: `^thing-${n}$`, CRASH_BY: signal });
    return startCommand(['copy', '--from', from, '--to', to, '--json'], point);
  }

  it(`loses nothing when it is killed with -9, ${KILLS_AT.length} times`, async () => {
    await fill(from, WAVES);
    for (const n of KILLS_AT) expect((await startUntil(n, 'SIGKILL').ended).signal).to.equal('SIGKILL');
    const there = (await recordedIn(to)).length;
    expect(there, 'that were copied before the last kill').to.be.within(1, WAVES - 1);
    const { out } = await run('--from', from, '--to', to, '--json');
    expect(parsed(out)).to.include({ result: 'done', there, copied: WAVES - there });
    await expectCopied();
  });

  it('ends cleanly with 130 at SIGTERM, and the next run continues', async () => {
    await fill(from, WAVES);
    const running = startUntil(WAVES / 2, 'SIGTERM');
    expect(await running.ended).to.deep.equal({ code: 130, signal: null });
    const there = (await recordedIn(to)).length;
    expect(parsed(running.out)).to.include({ result: 'interrupted', there: 0, copied: there });
    expect(there).to.be.within(1, WAVES - 1);
    const { out } = await run('--from', from, '--to', to, '--json');
    const { seconds, perSecond, ...result } = parsed(out);
    const all = { events: WAVES, streams: WAVES, behind: false };
    expect(result).to.deep.equal({ result: 'done', there, copied: WAVES - there, ...all });
    for (const number of [seconds, perSecond]) expect(number).to.be.a('number').above(0);
    await expectCopied();
  });
});

function parsed(text: string): Readonly<Record<string, unknown>> {
  // With --json the command prints one object.
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}
