import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { CaptureRecords, encodeRecord } from '../../src/clients/bridge/capture.ts';
import { F1Game } from '../bridge/f1-drive.ts';
import { planOf } from '../bridge/plans.ts';
import { callCommand, runCommand, startCommand } from '../support/processes/command-process.ts';
import { until } from '../support/processes/waits.ts';
import { useWorld } from '../support/processes/world.ts';

/** What a game sends while a lap is driven; `betweenMs` is the time between two packets. */
function drivenLap(betweenMs = 500): F1Game {
  const game = new F1Game({ format: 2025, uid: 12n });
  game.session(1, 10);
  game.participants({ name: 'Ida Moor', isAi: false, team: 4 });
  game.drive({ sectors: [30_000, 30_000, 31_000] }, betweenMs);
  game.drive({ sectors: [30_000, 30_000, 31_000], untilMs: 5_000 }, betweenMs);
  return game;
}

/** How many records a capture has that is still written. */
function recordsIn(path: string): number {
  const bytes = gunzipSync(readFileSync(path), { finishFlush: constants.Z_SYNC_FLUSH });
  return new CaptureRecords().push(bytes).length;
}

describe('sim-racing-timing bridge', () => {
  const world = useWorld();

  const fileOf = async (bytes: Uint8Array): Promise<string> => {
    await mkdir(world.dataDir, { recursive: true });
    const path = join(world.dataDir, 'capture.gz');
    await writeFile(path, bytes);
    return path;
  };

  const captureOf = (game: F1Game): Buffer => Buffer.concat(game.records.map(encodeRecord));

  it('shows the plan of a capture as one JSON document, and sends nothing', async () => {
    const game = drivenLap();
    const path = await fileOf(gzipSync(captureOf(game)));
    const { code, out, err } = await runCommand(['bridge', '--game', 'f1', '--replay', path, '--plan']);
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    const plan: unknown = JSON.parse(out);
    expect(plan).to.deep.equal(planOf('f1', game.records));
    expect(plan).to.have.keys('format', 'sessions', 'notes');
  });

  it('shows an empty plan with a note where a capture has nothing of the game', async () => {
    const path = await fileOf(gzipSync(captureOf(drivenLap())));
    const { code, out } = await callCommand(['bridge', '--game', 'forza', '--replay', path, '--plan']);
    const plan: unknown = JSON.parse(out);
    expect(code).to.equal(0);
    expect(plan).to.deep.include({ format: 'forza-data-out', sessions: [] });
    expect(out).to.include('The capture has no packets of this game.');
  });

  it('reads a capture that was cut off as far as it goes', async () => {
    const zipped = gzipSync(captureOf(drivenLap()));
    const path = await fileOf(zipped.subarray(0, zipped.length - 20));
    const { code, out } = await callCommand(['bridge', '--game', 'f1', '--replay', path, '--plan']);
    expect(code).to.equal(0);
    expect(out).to.include('"ms": 91000');
  });

  it('says on standard error why a capture cannot be read, and nothing on standard output', async () => {
    const reasons = [
      [new Uint8Array(0), /cannot be read: it is empty\n$/],
      [Buffer.from('no gzip'), /cannot be read: it is not compressed with gzip, or damaged \(.+\)\n$/],
      [gzipSync('{"laps":[1,2,3,4,5,6]}'), /cannot be read: what it holds are no records of a capture\n$/],
    ] as const;
    for (const [bytes, reason] of reasons) {
      const { code, out, err } = await callCommand([
        'bridge',
        '--game',
        'f1',
        '--replay',
        await fileOf(bytes),
        '--plan',
      ]);
      expect({ code, out }).to.deep.equal({ code: 1, out: '' });
      expect(err).to.match(reason);
    }
    const missing = await callCommand(['bridge', '--game', 'f1', '--replay', join(world.dataDir, 'no.gz'), '--plan']);
    expect(missing.code).to.equal(1);
    expect(missing.err).to.match(/ENOENT/);
  });

  it('records what a game sends until it is interrupted, and shows the plan', async () => {
    await mkdir(world.dataDir, { recursive: true });
    const path = join(world.dataDir, 'recorded.gz');
    const live = startCommand(['bridge', '--game', 'f1', '--port', '0', '--record', path, '--plan']);
    const [, port = ''] = await live.said(/listens to f1 on port (\d+)/);
    // So few packets fit in the buffer of a socket, however busy the machine is.
    const game = drivenLap(5_000);
    const sender = createSocket('udp4');
    for (const { payload } of game.records) {
      await new Promise((resolve) => {
        sender.send(payload, Number(port), '127.0.0.1', resolve);
      });
    }
    sender.close();
    await until(
      () => recordsIn(path),
      (count) => count === game.records.length,
    );
    const { code } = await live.end('SIGINT');
    expect(code).to.equal(0);
    expect(live.err).to.match(new RegExp(`${game.records.length} packets, 1 laps`));
    const replayed = await callCommand(['bridge', '--game', 'f1', '--replay', path, '--plan']);
    expect(JSON.parse(replayed.out)).to.deep.equal(JSON.parse(live.out));
    expect(JSON.parse(live.out)).to.deep.equal(planOf('f1', game.records));
    const again = await callCommand(['bridge', '--game', 'f1', '--port', '0', '--record', path], {
      XDG_CONFIG_HOME: world.dataDir,
    });
    expect(again.code, 'a capture is never replaced').to.equal(1);
    expect(again.err).to.match(/The bridge has stopped: EEXIST/);
  });

  it('lists the games, and says what is wrong with its options', async () => {
    const { code, out } = await callCommand(['bridge', '--list']);
    expect(code).to.equal(0);
    expect(out.split('\n').map((line) => line.split(' ', 1)[0])).to.deep.equal([
      'f1',
      'acc',
      'ac',
      'ac-server',
      'ams2',
      'forza',
      'lfs',
      '',
    ]);
    const wrong = [
      [['bridge'], /--game is missing/],
      [['bridge', '--game', 'pong', '--replay', 'x', '--plan'], /there is no game pong/],
      [['bridge', '--game', 'f1'], /--server and --key-file are missing, and this machine is not paired/],
      [['bridge', '--game', 'f1', '--replay', 'x'], /--plan sends nothing/],
      [['bridge', '--game', 'f1', '--server', 'http://127.0.0.1:1'], /--server and --key-file go together/],
      [['bridge', '--game', 'f1', '--speed', '2'], /--speed and --started are for --replay/],
      [['bridge', '--game', 'f1', '--replay', 'x', '--record', 'y'], /exclude each other/],
      [['bridge', '--game', 'f1', '--plan', '--port', '70000'], /port/],
    ] as const;
    for (const [args, reason] of wrong) {
      const answer = await callCommand(args, { XDG_CONFIG_HOME: world.dataDir });
      expect(answer.code).to.equal(2);
      expect(answer.err).to.match(reason);
    }
  });
});
