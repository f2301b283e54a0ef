import { F1Game } from '../../bridge/f1-drive.ts';
import { f1LapData, type F1TestCar } from '../../bridge/f1-packets.ts';

/** Cars of a race of the 2026 season. */
const CARS = 24;
/** Between two packets, in ms. */
export const TICK_MS = 1_000 / 60;

/** A race of 24 cars, as the game sends it: lap data of all cars 60 times a second, the rest now and then. */
export class Race {
  readonly #game = new F1Game({ format: 2026, uid: 4_711n });
  #ticks = 0;
  #lapStart = 0;

  /** What is sent in the next sixtieth of a second. */
  tick(lapMs: number): readonly Uint8Array[] {
    const game = this.#game;
    if (this.#ticks % 30 === 0) game.session(15, 10);
    if (this.#ticks % 300 === 0) game.participants({ name: 'Ida Moor', isAi: false, team: 4 });
    if (this.#ticks % 60 === 20) game.history();
    game.pass(TICK_MS);
    if (game.timeMs - this.#lapStart >= lapMs) {
      const third = lapMs - 60_000;
      game.lastLap = lapMs;
      game.laps.push({ ms: lapMs, sectors: [30_000, 30_000, third], flags: 15 });
      game.lap += 1;
      this.#lapStart += lapMs;
    }
    const driven = game.timeMs - this.#lapStart;
    const sector = driven < 30_000 ? 0 : driven < 60_000 ? 1 : 2;
    const car: F1TestCar = {
      lastLap: game.lastLap,
      currentLap: Math.round(driven),
      sector1: sector >= 1 ? 30_000 : 0,
      sector2: sector >= 2 ? 30_000 : 0,
      lap: game.lap,
      sector,
      isInvalid: false,
      driverStatus: 1,
      resultStatus: 2,
    };
    const cars = Object.fromEntries(Array.from({ length: CARS }, (_, index) => [index, car]));
    game.send(f1LapData(game.head, cars));
    this.#ticks += 1;
    return game.records.splice(0).map(({ payload }) => payload);
  }
}
