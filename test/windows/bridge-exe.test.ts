import { createSocket } from 'node:dgram';
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CaptureRecord } from '../../src/clients/bridge/capture.ts';
import { readPairing } from '../../src/clients/bridge/config.ts';
import { GAMES, isGameName, type GameName } from '../../src/clients/bridge/games/games.ts';
import { TRANSPORTS } from '../../src/clients/bridge/listen.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectStatus, textOf } from '../support/api/client.ts';
import { useVenue } from '../support/api/with-service.ts';
import { until } from '../support/processes/waits.ts';
import { useWorld } from '../support/processes/world.ts';
import { BridgeVenue, expectedLaps } from '../bridge/bridge-venue.ts';
import { CAPTURES, f1Laps } from '../bridge/captures.ts';
import { EXECUTABLE, startupScriptOf, useUser, windowsPath, WindowsProgram } from './windows-program.ts';

/** Most bytes of the executable: people download it at a rig. */
const MAX_BYTES = 100_000_000;

/** The line in which the bridge says that it has found a lap. */
const FOUND = /^Lap \d+ of .*: (\d+:)?\d\d\.\d{3}/gm;

describe('timing-bridge.exe', () => {
  const api = useVenue();
  const world = useWorld();
  const user = useUser();

  const start = (args: readonly string[], typed: readonly string[] = []): WindowsProgram =>
    new WindowsProgram(EXECUTABLE, user(), { args, typed });

  const pairingFile = (): string => join(user().local, 'sim-racing-timing', 'bridge.json');

  const codeOf = async (venue: BridgeVenue): Promise<string> =>
    textOf(await venue.manager.create('/api/v1/rig-pairings', { name: 'Windows' }), 'code');

  /** A venue whose rig is this machine, paired by a code: the driver sits there, and everything is mapped. */
  const pairedVenue = async (game: GameName) => {
    const venue = await BridgeVenue.make(api.admin, api.service.url, api.venue, world.directory(), game);
    await venue.map(CAPTURES[game].cars, CAPTURES[game].layouts);
    const pairing = start(['--pair', await codeOf(venue), '--server', api.service.url]);
    expect(await pairing.code(), pairing.said).to.equal(0);
    const rigId = readPairing(pairingFile())?.rigId ?? '';
    await venue.manager.change(`/api/v1/events/${venue.eventId}`, { rigIds: [venue.rigId, rigId] });
    const seat = { participantId: venue.driverId, eventId: venue.eventId };
    expectStatus(await venue.manager.put(`/api/v1/rigs/${rigId}/seat`, seat), 200);
    const laps = (): Promise<readonly JsonObject[]> => venue.manager.list(`/api/v1/laps?rigId=${rigId}`);
    const args = ['--game', game, '--simulator', venue.simulatorId];
    return { venue, laps, args };
  };

  /** Sends packets to a game's port, from outside. */
  const feed = async (bridge: WindowsProgram, records: readonly CaptureRecord[]): Promise<void> => {
    const [, port = ''] = await bridge.says(/listens to \S+ on port (\d+)/);
    const socket = createSocket('udp4');
    for (const { payload } of records) {
      await new Promise((resolve) => {
        socket.send(payload, Number(port), '127.0.0.1', resolve);
      });
    }
    socket.close();
  };

  const factsOf = (laps: readonly JsonObject[]) =>
    laps.map(({ totalTime, sectors, valid }) => {
      return { totalTime, sectors, valid };
    });

  it('is one file that people can download', () => {
    expect(statSync(EXECUTABLE).size).to.be.above(1_000_000).and.below(MAX_BYTES);
  });

  for (const game of Object.keys(GAMES).filter(isGameName)) {
    const { kind } = TRANSPORTS[game];
    it(`brings the laps of ${game} to the board, each once, though it is killed`, async () => {
      const { venue, laps, args } = await pairedVenue(game);
      const { records } = CAPTURES[game];
      const expected = expectedLaps(game, records);
      const isHeard = kind === 'udp-from-game';
      const source = isHeard ? ['--port', '0'] : ['--replay', windowsPath(venue.capture(records)), '--speed', '1000'];
      const first = start([...args, ...source]);
      if (isHeard) await feed(first, records);
      // It has found all laps, and is killed while it sends them.
      await until(() => first.said.match(FOUND)?.length === expected.length);
      await first.kill();
      const second = start([...args, ...source]);
      await until(laps, (recorded) => recorded.length >= expected.length);
      if (isHeard) await second.interrupt();
      expect(await second.code(), second.said).to.equal(0);
      expect(factsOf(await laps())).to.have.deep.members(expected);
      const board = await venue.manager.read(`/api/v1/events/${venue.eventId}/leaderboard`);
      const counting = expected.filter(({ valid }) => valid).map(({ totalTime }) => Number(totalTime));
      expect(JSON.stringify(board)).to.include(String(Math.min(...counting)));
    });
  }

  it('goes on after power cuts that leave the ends of its files unwritten', async () => {
    const { laps, args } = await pairedVenue('f1');
    const { records } = f1Laps();
    const half = records.findIndex(({ at }) => at > 120_000);
    const live = [...args, '--port', '0'];
    const folder = join(user().local, 'sim-racing-timing');
    const journal = join(folder, 'found.ndjson');

    const first = start(live);
    await feed(first, records.slice(0, half));
    await first.says(/1 recorded/);
    await first.cutPower();
    // A part of a line, and zeros where a line was to be.
    appendFileSync(journal, '{"do":"keep","lap":{"id":"f1/12');
    const second = start(live);
    await feed(second, records.slice(half - 5));
    await until(laps, (recorded) => recorded.length === 2);
    await second.cutPower();
    appendFileSync(journal, `${'\0'.repeat(300)}"}\n`);
    // The note that the newest lap was handed over and settled did not reach the disk.
    truncateSync(join(folder, 'settled.json'), 0);
    writeFileSync(join(folder, 'session.json'), '\0'.repeat(1_000));
    const third = start(live);
    await feed(third, records.slice(half - 5));
    await third.says(/2 recorded/);
    expect(await third.interrupt(), third.said).to.equal(0);
    expect(factsOf(await laps())).to.have.deep.members(expectedLaps('f1', records));
    expect(readFileSync(journal, 'utf8')).to.match(/^[^\0]+\}\n$/);
  });

  it('asks for what it does not know after a double click, and starts with Windows if one says yes', async () => {
    const venue = await BridgeVenue.make(api.admin, api.service.url, api.venue, world.directory(), 'acc');
    const first = start([], [api.service.url, await codeOf(venue), '2', 'y']);
    await first.says(/listens to acc/);
    expect(first.said).to.include('This is Windows now.').and.include('To end that, delete C:\\');
    expect(readPairing(pairingFile())).to.include({ server: api.service.url });
    const script = readFileSync(startupScriptOf(user()), 'utf8');
    expect(script).to.include(`"${windowsPath(EXECUTABLE)}" "--game" "acc"\r\n`);
    expect(await first.interrupt(), first.said).to.equal(0);

    // The next time, Enter is enough; it has no question about Windows then.
    const second = start([], ['']);
    await second.says(/listens to acc/);
    expect(second.said).to.include('It starts with Windows; to end that, delete');
    expect(await second.interrupt(), second.said).to.equal(0);
  });
});
