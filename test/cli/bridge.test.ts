import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { encodeRecord } from '../../src/clients/bridge/capture.ts';
import { F1Game } from '../bridge/f1-drive.ts';
import { planOf } from '../bridge/plans.ts';
import { callCommand, runCommand } from '../support/processes/command-process.ts';
import { useWorld } from '../support/processes/world.ts';

/** What a game sends while a lap is driven. */
function drivenLap(): F1Game {
  const game = new F1Game({ format: 2025, uid: 12n });
  game.session(1, 10);
  game.participants({ name: 'Ida Moor', isAi: false, team: 4 });
  game.drive({ sectors: [30_000, 30_000, 31_000] });
  game.drive({ sectors: [30_000, 30_000, 31_000], untilMs: 5_000 });
  return game;
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
      [['bridge', '--game', 'f1', '--plan'], /--replay is missing/],
    ] as const;
    for (const [args, reason] of wrong) {
      const answer = await callCommand(args);
      expect(answer.code).to.equal(2);
      expect(answer.err).to.match(reason);
    }
  });
});
