import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { callCommand, record, startCommand } from '../support/processes/command-process.ts';
import { jsonLines } from '../support/json-lines.ts';
import { until, untilThere } from '../support/processes/waits.ts';
import { useWorld } from '../support/processes/world.ts';
import { bestOf, laps, plainModuleOf } from '../support/history/replaying.ts';

describe('a replay that is interrupted', () => {
  const world = useWorld();
  let dataDir = '';
  let folder = '';
  let file = '';
  let out = '';

  beforeEach(async () => {
    dataDir = world.directory();
    folder = world.directory();
    file = join(folder, 'best.js');
    out = join(folder, 'best.ndjson');
    writeFileSync(file, plainModuleOf());
    await record(dataDir, laps(10));
  });

  const command = (args: readonly string[]) => [['replay', file, '--json', ...args], { DATA_DIR: dataDir }] as const;
  const start = (...args: readonly string[]) => startCommand(...command(args));
  const replay = (...args: readonly string[]) => callCommand(...command(args));
  const scratch = () => join(folder, '.timing-replay');
  const rows = () => jsonLines(readFileSync(out, 'utf8'));

  it('continues where kill -9 has ended it, and counts no lap twice', async () => {
    const running = start('--out', out, '--follow');
    await untilThere(out);
    await record(dataDir, laps(30, 10));
    await running.end('SIGKILL');
    const { code, out: text, err } = await replay('--out', out);
    expect(code, err).to.equal(0);
    const { from, events } = JSON.parse(text) as { from: number; events: number };
    expect(from).to.be.at.least(10);
    expect(from + events).to.equal(40);
    expect(rows()).to.deep.equal(bestOf(40));
    expect(existsSync(scratch())).to.equal(false);
  });

  it('starts again when it was killed before anything was kept', async () => {
    writeFileSync(file, plainModuleOf('await new Promise(() => undefined);'));
    const running = start('--out', out);
    await untilThere(scratch());
    await running.end('SIGKILL');
    writeFileSync(file, plainModuleOf());
    expect((await replay('--out', out)).code).to.equal(0);
    expect(rows()).to.deep.equal(bestOf(10));
  });

  it('ends with 130 at Ctrl-C in the middle of a slow module, and continues from that event', async () => {
    const seen = join(folder, 'seen');
    const waiting = join(folder, 'waiting');
    const go = join(folder, 'go');
    // The signal arrives in a turn of the event loop in which the first event goes on after a timer, and nobody has heard it
    // when the second one begins. In the turn in which an event begins, it ends the process at once.
    const slow = `appendFileSync(SEEN, '.');
    await new Promise((done) => setTimeout(done, 30));
    if (recorded.position === 1) writeFileSync(WAITING, '');
    while (recorded.position === 1 && !existsSync(GO));`;
    const paths = `const [SEEN, WAITING, GO] = ${JSON.stringify([seen, waiting, go])};\n`;
    writeFileSync(
      file,
      `import { appendFileSync, existsSync, writeFileSync } from 'node:fs';\n${paths}${plainModuleOf(slow)}`,
    );
    await record(dataDir, laps(90, 10));
    const running = start('--out', out);
    await untilThere(waiting);
    const ended = running.end('SIGINT');
    writeFileSync(go, '');
    expect(await ended).to.deep.equal({ code: 130, signal: null });
    const { result, position } = JSON.parse(running.out) as { result: string; position: number };
    expect(result).to.equal('interrupted');
    expect(position).to.equal(readFileSync(seen, 'utf8').length).and.to.be.below(100);
    expect(existsSync(out)).to.equal(false);
    const { code, out: text, err } = await replay('--out', out);
    expect(code, err).to.equal(0);
    expect(JSON.parse(text)).to.include({ result: 'done', from: position, events: 100 - position });
    expect(rows()).to.deep.equal(bestOf(100));
  });

  it('follows until Ctrl-C, keeps its file up to date, and can be taken up again', async () => {
    const running = start('--out', out, '--follow');
    await untilThere(out);
    expect(rows()).to.deep.equal(bestOf(10));
    const second = await replay('--out', out);
    expect(second.code).to.equal(1);
    expect(second.err).to.include('another replay is writing to it').and.to.include(`process ${running.pid} `);
    await record(dataDir, laps(3, 10));
    await until(
      () => readFileSync(out, 'utf8'),
      (text) => text.includes(String(90_000 - 12)),
    );
    expect(await running.end('SIGINT')).to.deep.equal({ code: 130, signal: null });
    expect(JSON.parse(running.out)).to.include({ result: 'interrupted', events: 13, position: 13 });
    expect(rows()).to.deep.equal(bestOf(13));
    await record(dataDir, laps(2, 13));
    expect(JSON.parse((await replay('--out', out)).out)).to.include({ result: 'done', from: 13, events: 2 });
    expect(rows()).to.deep.equal(bestOf(15));
  });
});
