import { createSocket, type Socket } from 'node:dgram';
import { expect } from 'chai';
import { randomFrom } from '../../src/clients/demo/random.ts';
import type { CaptureRecord } from '../../src/clients/bridge/capture.ts';
import { createVenue } from '../support/api/venue.ts';
import { depth } from '../support/depth.ts';
import { jsonLines } from '../support/json-lines.ts';
import { startCommand } from '../support/processes/command-process.ts';
import { until } from '../support/processes/waits.ts';
import { preloading, useWorld, type Running, type ServiceProcess } from '../support/processes/world.ts';
import { BridgeVenue, sorted } from './bridge-venue.ts';
import { F1Game } from './f1-drive.ts';

/** Sessions of a season, and laps of each. */
const SEASON = depth({ short: { sessions: 3, laps: 6 }, deep: { sessions: 120, laps: 25 } });
const SEED = 45_049;
/** How likely a packet is lost, comes twice, or comes after the next one. */
const LOST = 0.05;
const DOUBLED = 0.05;
const SWAPPED = 0.05;
/** How likely bridge and service are killed between two laps. */
const BRIDGE_KILLED = 0.15;
const SERVICE_KILLED = 0.05;
/** In every so many sessions, from the second on, the service is away for ten minutes. */
const OFFLINE_EVERY = 10;
const OFFLINE_S = 600;
/** So many packets are heard before the next ones are sent. */
const AT_ONCE = 40;
const BETWEEN_MS = 5_000;

/** What was driven, in ms: times are unique. */
interface Truth {
  readonly counting: number[];
  readonly invalid: number[];
  readonly takenBack: number[];
}

/** Somebody who drives, with everything that comes up: what is sent, lap by lap. */
class Season {
  readonly truth: Truth = { counting: [], invalid: [], takenBack: [] };
  readonly #random = randomFrom(SEED);
  #session = 0;
  #nextMs = 90_000;

  /** The packets of the next session, in the parts between which something may break. */
  *session(): Generator<readonly CaptureRecord[]> {
    this.#session += 1;
    const game = new F1Game({ format: 2025, uid: BigInt(this.#session * 7) });
    game.session(1, 10);
    game.participants({ name: 'Ida Moor', isAi: false, team: 4 });
    yield* this.#stint(game);
    if (this.#chance(0.3)) {
      // Started again, under the same id.
      game.timeMs = 0;
      game.lap = 1;
      game.lastLap = 0;
      game.laps = [];
      game.session(1, 10);
      // The game says so many times in the first seconds.
      game.drive({ sectors: [30_000, 30_000, 31_000], untilMs: 2_000 }, 200);
      yield* this.#stint(game);
    }
  }

  *#stint(game: F1Game): Generator<readonly CaptureRecord[]> {
    for (let lap = 0; lap < SEASON.laps; lap += 1) {
      const start = game.timeMs;
      const isInvalid = this.#chance(0.2);
      const ms = this.#drive(game, isInvalid);
      if (lap > 0 && this.#chance(0.2)) {
        // Over the line, and back: the lap is driven again.
        game.drive({ sectors: [30_000, 30_000, 31_000], untilMs: 10_000 }, BETWEEN_MS);
        if (this.#chance(0.5)) yield game.records.splice(0);
        game.flashback(start + 60_000, game.lap - 1, start);
        this.truth.takenBack.push(ms);
        this.#note(this.#drive(game, isInvalid), isInvalid);
      } else {
        this.#note(ms, isInvalid);
      }
      // A pause: nothing comes for minutes.
      if (this.#chance(0.1)) game.at += 300_000;
      yield game.records.splice(0);
    }
    game.drive({ sectors: [30_000, 30_000, 31_000], untilMs: 30_000 }, BETWEEN_MS);
    game.history();
    yield game.records.splice(0);
  }

  #drive(game: F1Game, isInvalid: boolean): number {
    this.#nextMs += 1 + Math.floor(this.#random() * 7);
    const third = this.#nextMs - 60_000;
    game.session(1, 10);
    game.drive({ sectors: [29_000, 31_000, third], isInvalid }, BETWEEN_MS);
    for (let times = 0; times < 3; times += 1) {
      game.history();
      game.lapData();
    }
    return this.#nextMs;
  }

  #note(ms: number, isInvalid: boolean): void {
    (isInvalid ? this.truth.invalid : this.truth.counting).push(ms);
  }

  #chance(likely: number): boolean {
    return this.#random() < likely;
  }
}

/** A network that loses, doubles and reorders what is sent over it. */
function disturbed(records: readonly CaptureRecord[], random: () => number): readonly Uint8Array[] {
  const sent: Uint8Array[] = [];
  for (const { payload } of records) {
    if (random() < LOST) continue;
    sent.push(payload);
    if (random() < DOUBLED) sent.push(payload);
    const before = sent.at(-2);
    if (random() < SWAPPED && before !== undefined) sent.splice(-2, 2, payload, before);
  }
  return sent;
}

/** What a bridge says of itself. */
interface Said {
  readonly packets: number;
  /** Seconds since it heard the game. */
  readonly silent: number;
  /** Laps that wait on disk. */
  readonly waiting: number;
}

/** A bridge that is killed, and started again. */
class RestartedBridge {
  readonly #args: readonly string[];
  #running: Running | null = null;
  #port = 0;
  #statusPort = '';
  #sent = 0;
  starts = 0;

  constructor(args: readonly string[]) {
    this.#args = args;
  }

  async start(): Promise<void> {
    const args = [...this.#args, '--port', '0', '--status-port', '0'];
    this.#running = startCommand(args, preloading('compressed-time'));
    const [, statusPort = ''] = await this.#running.said(/status is at http:\/\/127\.0\.0\.1:(\d+)\//);
    const [, port] = await this.#running.said(/listens to f1 on port (\d+)/);
    this.#port = Number(port);
    this.#statusPort = statusPort;
    this.#sent = 0;
    this.starts += 1;
  }

  async kill(): Promise<void> {
    await this.#running?.end('SIGKILL');
    await this.start();
  }

  /** Ten minutes go by in which the game says nothing; what they begin with waits for them to end. */
  async passTenMinutes(): Promise<Said> {
    this.#running?.child.kill('SIGUSR2');
    return until(this.#said.bind(this), ({ silent }) => silent >= OFFLINE_S);
  }

  async end(): Promise<void> {
    expect(await this.#running?.end('SIGTERM')).to.include({ code: 0 });
  }

  /** Sends payloads, no more at once than fit in the buffer of a socket. */
  async hear(socket: Socket, payloads: readonly Uint8Array[]): Promise<void> {
    for (const payload of payloads) {
      await new Promise((resolve) => {
        socket.send(payload, this.#port, '127.0.0.1', resolve);
      });
      this.#sent += 1;
      if (this.#sent % AT_ONCE === 0) await this.#catchUp();
    }
    await this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    await until(
      () => this.#said(),
      ({ packets }) => packets >= this.#sent,
    );
  }

  async #said(): Promise<Said> {
    const answer = await fetch(`http://127.0.0.1:${this.#statusPort}/status.json`);
    const [status = {}] = jsonLines(await answer.text());
    const { packets, heardSecondsAgo, queued, unmapped } = status;
    const waiting = Number(queued) + Number(unmapped);
    return { packets: Number(packets), silent: Number(heardSecondsAgo), waiting };
  }
}

describe('a season through a bridge', () => {
  const world = useWorld();

  it('has every completed lap on the board once, exact, and no other, whatever breaks', async function () {
    this.timeout(depth({ short: 1_200_000, deep: 3 * 3_600_000 }));
    const dataDir = world.directory();
    let service: ServiceProcess = await world.service({ dataDir });
    const { url, port } = service;
    const kill = (): Promise<unknown> => service.process.end('SIGKILL');
    const restart = async (): Promise<void> => {
      await kill();
      service = await world.service({ dataDir, env: { PORT: String(port) } });
    };
    const venue = await BridgeVenue.make(service.admin, url, await createVenue(service.admin), world.directory(), 'f1');
    await venue.map(['4'], ['10']);
    // Laps of ten compressed minutes are corrected to the clock of the service, and were driven before it was away then.
    await venue.seat(new Date(Date.now() - 3_600_000).toISOString());
    const random = randomFrom(SEED + 1);
    const season = new Season();
    const bridge = new RestartedBridge(venue.args('f1'));
    const socket = createSocket('udp4');
    await bridge.start();
    for (let session = 0; session < SEASON.sessions; session += 1) {
      const isOffline = session % OFFLINE_EVERY === 1;
      if (isOffline) await kill();
      for (const part of season.session()) {
        await bridge.hear(socket, disturbed(part, random));
        if (random() < BRIDGE_KILLED && !isOffline) await bridge.kill();
        if (random() < SERVICE_KILLED && !isOffline) await restart();
      }
      if (isOffline) {
        const { waiting } = await bridge.passTenMinutes();
        expect(waiting, 'laps that wait on disk').to.be.above(0);
        await bridge.kill();
        await restart();
      }
    }
    await restart();
    const { counting, invalid, takenBack } = season.truth;
    await until(
      async () => (await venue.times()).join(),
      (times) => times === sorted(counting).join(),
    );
    socket.close();
    await bridge.end();
    const laps = await venue.laps();
    const others = laps.filter(({ valid }) => valid !== true).map(({ totalTime }) => Number(totalTime));
    expect(new Set(others).size, 'none comes twice').to.equal(others.length);
    expect(others).to.include.members(invalid);
    expect([...invalid, ...takenBack]).to.include.members(others);
    expect(bridge.starts, 'the bridge was killed').to.be.above(1);
  });
});
