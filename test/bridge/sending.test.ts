import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CaptureRecord } from '../../src/clients/bridge/capture.ts';
import { GAMES, isGameName, type GameName } from '../../src/clients/bridge/games/games.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { idOf } from '../support/api/client.ts';
import { createVenue } from '../support/api/venue.ts';
import { jsonLines } from '../support/json-lines.ts';
import { useVenue } from '../support/api/with-service.ts';
import { callCommand, startCommand } from '../support/processes/command-process.ts';
import { until } from '../support/processes/waits.ts';
import { useWorld } from '../support/processes/world.ts';
import { BridgeVenue, expectedLaps, sorted } from './bridge-venue.ts';
import { CAPTURES, f1Laps } from './captures.ts';
import { F1Game } from './f1-drive.ts';

/** How fast captures are played. */
const FAST = ['--speed', '1000'];

/** Sends payloads to a port. */
async function feed(port: number, records: readonly CaptureRecord[]): Promise<void> {
  const socket = createSocket('udp4');
  for (const { payload } of records) {
    await new Promise((resolve) => {
      socket.send(payload, port, '127.0.0.1', resolve);
    });
  }
  socket.close();
}

describe('a bridge that sends laps', () => {
  const api = useVenue();
  const world = useWorld();

  const venueFor = (game: GameName): Promise<BridgeVenue> =>
    BridgeVenue.make(api.admin, api.service.url, api.venue, world.directory(), game);

  /** A venue with mappings, whose driver sits on the rig. */
  const readyVenue = async (game: GameName): Promise<BridgeVenue> => {
    const venue = await venueFor(game);
    await venue.map(CAPTURES[game].cars, CAPTURES[game].layouts);
    await venue.seat();
    return venue;
  };

  for (const game of Object.keys(GAMES).filter(isGameName)) {
    it(`brings the laps of ${game} to the board, each once, to the millisecond`, async () => {
      const venue = await readyVenue(game);
      const { records } = CAPTURES[game];
      const args = venue.args(game, '--replay', venue.capture(records), ...FAST);
      const first = await callCommand(args);
      expect(first, first.err).to.include({ code: 0, out: '' });
      const expected = expectedLaps(game, records);
      expect(expected.length).to.be.above(1);
      const laps = await venue.laps();
      const sent = laps.map(({ totalTime, sectors, valid }) => ({ totalTime, sectors, valid }));
      expect(sent).to.have.deep.members(expected);
      for (const lap of laps) expect(lap).to.include({ participantId: venue.driverId, eventId: venue.eventId });
      const board = await venue.manager.read(`/api/v1/events/${venue.eventId}/leaderboard`);
      const counting = expected.filter(({ valid }) => valid).map(({ totalTime }) => Number(totalTime));
      expect(JSON.stringify(board)).to.include(String(Math.min(...counting)));

      const again = await callCommand(args);
      expect(again.code).to.equal(0);
      expect(await venue.laps()).to.deep.equal(laps);
      const numbers = laps.map(({ sequence }) => JSON.stringify(sequence));
      expect(new Set(numbers).size, 'each has a number of its own').to.equal(laps.length);
      const { rigs } = await venue.manager.read(`/api/v1/rigs/${venue.rigId}/completeness`);
      expect(JSON.stringify(rigs)).to.include('"missing":[]').and.include(`"received":${laps.length}`);
    });
  }

  it('keeps laps whose car or layout is not mapped, says which, and sends them once they are', async () => {
    const venue = await venueFor('acc');
    await venue.seat();
    const { records, cars, layouts } = CAPTURES.acc;
    const replay = venue.args('acc', '--replay', venue.capture(records), ...FAST);
    const first = await callCommand(replay);
    expect(first.code).to.equal(1);
    const form = `${api.service.url}/admin/simulators/${venue.simulatorId}`;
    expect(first.err).to.include('Ferrari 296 GT3 (acc 32), 2 laps wait');
    expect(first.err).to.include(`${form}/cars/new?simulatorIdentifier=32`);
    expect(first.err).to.include(`${form}/layouts/new?simulatorIdentifier=Spa-Francorchamps`);
    expect(first.err).to.include('3 laps wait on disk');
    expect(await venue.laps()).to.deep.equal([]);

    await venue.map(cars.slice(0, 1), layouts);
    expect((await callCommand(replay)).code).to.equal(1);
    expect(await venue.times()).to.deep.equal([85_500, 86_034]);

    const live = startCommand(venue.args('acc', '--port', '1'));
    await live.said(/BMW M6 GT3 \(acc 7\), 1 lap waits/);
    await venue.mapAnother('7');
    await until(venue.times.bind(venue), (times) => times.length === 3);
    expect(await live.end('SIGTERM')).to.include({ code: 0 });
    expect(await venue.times()).to.deep.equal([85_500, 86_034, 90_001]);
  });

  it('goes on after it was killed: every lap is recorded once', async () => {
    const venue = await readyVenue('f1');
    const game = f1Laps();
    const half = game.records.findIndex(({ at }) => at > 120_000);
    const args = venue.args('f1', '--port', '0');
    const killed = startCommand(args);
    const [, port] = await killed.said(/listens to f1 on port (\d+)/);
    await feed(Number(port), game.records.slice(0, half));
    await killed.said(/1 recorded/);
    await killed.end('SIGKILL');
    const second = startCommand(args);
    const [, nextPort] = await second.said(/listens to f1 on port (\d+)/);
    // Some of it comes again.
    await feed(Number(nextPort), game.records.slice(half - 5));
    await until(venue.laps.bind(venue), (laps) => laps.length === 2);
    expect(await second.end('SIGINT')).to.include({ code: 0 });
    const times = (await venue.laps()).map(({ totalTime, valid }) => [totalTime, valid]);
    expect(times).to.have.deep.members([
      [91_204, true],
      [90_007, false],
    ]);
  });

  it('loses nothing while the service is down', async () => {
    const dataDir = world.directory();
    const service = await world.service({ dataDir });
    const started = await BridgeVenue.make(
      service.admin,
      service.url,
      await createVenue(service.admin),
      world.directory(),
      'f1',
    );
    await started.map(['4'], ['10']);
    await started.seat();
    await service.process.end('SIGKILL');
    const bridge = startCommand(started.args('f1', '--port', '0', '--rig', started.rigId));
    const [, port] = await bridge.said(/listens to f1 on port (\d+)/);
    await feed(Number(port), f1Laps().records);
    await bridge.said(/1:30.007/);
    const back = await world.service({ dataDir, env: { PORT: String(service.port) } });
    const laps = (): ReturnType<typeof back.admin.list> => back.admin.list(`/api/v1/laps?rigId=${started.rigId}`);
    await until(laps, (recorded) => recorded.length === 2);
    expect(await bridge.end('SIGTERM')).to.include({ code: 0 });
  });

  it('strikes a lap that a flashback takes back after it was sent, once, also after a restart', async () => {
    const venue = await readyVenue('f1');
    const args = venue.args('f1', '--port', '0');
    const game = new F1Game({ format: 2025, uid: 77n });
    game.session(1, 10);
    game.participants({ name: 'Ida Moor', isAi: false, team: 4 });
    game.drive({ sectors: [30_000, 30_000, 31_000] }, 5_000);
    game.history();
    game.drive({ sectors: [30_000, 30_000, 31_000], untilMs: 5_000 }, 5_000);
    const sent = game.records.length;
    game.flashback(80_000, 1, 0);
    game.drive({ sectors: [30_000, 30_000, 32_500] }, 5_000);
    game.history();
    game.drive({ sectors: [30_000, 30_000, 31_000], untilMs: 5_000 }, 5_000);

    const killed = startCommand(args);
    const [, port] = await killed.said(/listens to f1 on port (\d+)/);
    await feed(Number(port), game.records.slice(0, sent));
    await killed.said(/1 recorded/);
    await killed.end('SIGKILL');
    const second = startCommand(args);
    const [, nextPort] = await second.said(/listens to f1 on port (\d+)/);
    await feed(Number(nextPort), game.records.slice(sent - 1));
    await second.said(/is struck/);
    await until(venue.laps.bind(venue), (laps) => laps.length === 2);
    expect(await second.end('SIGINT')).to.include({ code: 0 });
    expect(await venue.times()).to.deep.equal([92_500]);
    const struck = (await venue.laps()).find(({ valid }) => valid === false) ?? {};
    expect(struck).to.include({ totalTime: 91_000 });
    const history = await venue.manager.list(`/api/v1/laps/${idOf(struck)}/history`);
    expect(history.filter(({ reason }) => reason === 'flashback')).to.have.length(1);
  });

  it('keeps laps that nobody has driven until somebody is seated, or takes the driver of its settings', async () => {
    const venue = await venueFor('forza');
    await venue.map(CAPTURES.forza.cars, CAPTURES.forza.layouts);
    const replay = venue.args('forza', '--replay', venue.capture(CAPTURES.forza.records), ...FAST);
    const first = await callCommand(replay);
    expect(first.code).to.equal(1);
    expect(first.err).to.include('2 laps: nobody sat on the rig');
    const { rigs } = await venue.manager.read(`/api/v1/rigs/${venue.rigId}/completeness`);
    expect(JSON.stringify(rigs), 'people see that they are missing').to.include('"missing":[[1,2]]');
    await venue.seat(new Date(Date.now() - 600_000).toISOString());
    expect((await callCommand(replay)).code).to.equal(0);
    expect(await venue.times()).to.deep.equal([92_345, 92_345]);

    const settled = await venueFor('lfs');
    await settled.map(CAPTURES.lfs.cars, CAPTURES.lfs.layouts);
    const driver = ['--driver', settled.driverId, '--event', settled.eventId];
    const sent = await callCommand(
      settled.args('lfs', '--replay', settled.capture(CAPTURES.lfs.records), ...FAST, ...driver),
    );
    expect(sent, sent.err).to.include({ code: 0 });
    const laps = await settled.laps();
    expect(sorted(laps.map(({ totalTime }) => Number(totalTime)))).to.deep.equal([94_990, 95_500]);
    for (const lap of laps) expect(lap).to.include({ participantId: settled.driverId, eventId: settled.eventId });
  });

  it('shows its status to this machine only', async () => {
    const venue = await readyVenue('f1');
    const bridge = startCommand(venue.args('f1', '--port', '0', '--status-port', '0'));
    const [, statusPort] = await bridge.said(/status is at http:\/\/127\.0\.0\.1:(\d+)\//);
    const [, port] = await bridge.said(/listens to f1 on port (\d+)/);
    await feed(Number(port), f1Laps().records);
    const statusOf = async (): Promise<JsonObject> => {
      const answer = await fetch(`http://127.0.0.1:${statusPort ?? ''}/status.json`);
      const [status = {}] = jsonLines(await answer.text());
      return status;
    };
    const status = await until(statusOf, ({ recorded }) => recorded === 2);
    expect(status).to.include({ game: 'f1', session: 'practice (Practice 1) at 10', found: 2, queued: 0 });
    expect(status['running']).to.deep.equal(['lap 3, Ida Moor in 4']);
    const page = await fetch(`http://127.0.0.1:${statusPort ?? ''}/`);
    expect(await page.text())
      .to.include('Practice 1')
      .and.include('2 found, 2 recorded');
    expect(page.headers.get('content-security-policy')).to.include("default-src 'none'");
    expect((await fetch(`http://127.0.0.1:${statusPort ?? ''}/`, { method: 'POST' })).status).to.equal(405);
    // A page of somebody else that has another name for this machine sees nothing.
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const foreign = request({ host: '127.0.0.1', port: statusPort, headers: { Host: 'rebound.example' } });
      foreign.once('response', (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      foreign.once('error', reject);
      foreign.end();
    });
    expect(answered).to.equal(421);
    expect(await bridge.end('SIGTERM')).to.include({ code: 0 });
  });

  it('keeps laps, and says so, when the service refuses its key', async () => {
    const venue = await readyVenue('forza');
    const replay = venue.args('forza', '--replay', venue.capture(CAPTURES.forza.records), ...FAST);
    const keyFile = join(world.directory(), 'wrong.txt');
    const wrong = replay.map((arg, n) => (replay[n - 1] === '--key-file' ? keyFile : arg));
    expect((await callCommand(wrong)).err).to.match(/wrong\.txt cannot be read: there is no such file/);
    writeFileSync(keyFile, 'srt_no-such-key');
    const refused = await callCommand([...wrong, '--rig', venue.rigId]);
    expect(refused.code).to.equal(1);
    expect(refused.err)
      .to.match(/401 of \/api\/v1\/laps\/batch/)
      .and.include('2 laps wait on disk');
    expect((await callCommand(replay)).code).to.equal(0);
    expect(await venue.laps()).to.have.length(2);
  });
});
