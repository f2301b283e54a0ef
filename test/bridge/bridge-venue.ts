import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readKeyFile } from '../../src/clients/bridge/config.ts';
import { isSimulatorOf } from '../../src/clients/simulators.ts';
import type { GameName } from '../../src/clients/bridge/games/games.ts';
import type { CaptureRecord } from '../../src/clients/bridge/capture.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { expectStatus, idOf, type Client } from '../support/api/client.ts';
import { bodies, createLicense, enter, registerRig, type Venue } from '../support/api/venue.ts';
import { unique } from '../support/resources/fields.ts';
import { captureBytes } from './captures.ts';
import { planOf } from './plans.ts';

/** Slugs of simulators by the games that they are found for. */
const SLUGS: Readonly<Record<GameName, string>> = {
  f1: 'f1-25',
  acc: 'acc',
  ac: 'ac',
  'ac-server': 'ac',
  ams2: 'ams2',
  forza: 'forza-motorsport',
  lfs: 'lfs',
};

/** A rig at which a bridge runs, with what it needs of its venue. */
export class BridgeVenue {
  readonly rigId: string;
  readonly eventId: string;
  readonly driverId: string;
  readonly simulatorId: string;
  readonly manager: Client;
  readonly #url: string;
  readonly #venue: Pick<Venue, 'carId' | 'trackLayoutId' | 'simulatorId'>;
  readonly #directory: string;
  readonly #keyFile: string;

  private constructor(made: {
    readonly rigId: string;
    readonly eventId: string;
    readonly driverId: string;
    readonly simulatorId: string;
    readonly manager: Client;
    readonly url: string;
    readonly venue: Pick<Venue, 'carId' | 'trackLayoutId' | 'simulatorId'>;
    readonly directory: string;
    readonly keyFile: string;
  }) {
    this.rigId = made.rigId;
    this.eventId = made.eventId;
    this.driverId = made.driverId;
    this.simulatorId = made.simulatorId;
    this.manager = made.manager;
    this.#url = made.url;
    this.#venue = made.venue;
    this.#directory = made.directory;
    this.#keyFile = made.keyFile;
  }

  /** Makes a rig, its key in a file, an event, a driver who sits on the rig, and a simulator of a game without mappings. */
  static async make(admin: Client, url: string, venue: Venue, directory: string, game: GameName): Promise<BridgeVenue> {
    const { manager, licenseId } = await createLicense(admin);
    const { rigId, rig } = await registerRig(manager, licenseId);
    const slug = SLUGS[game];
    expect(isSimulatorOf(game === 'ac-server' ? 'ac' : game, { slug, displayName: '' })).to.equal(true);
    const simulator = { ...bodies.simulator(), slug, displayName: `Simulator ${unique()}` };
    const simulatorId = idOf(await manager.create('/api/v1/simulators', simulator));
    const eventId = idOf(await manager.create('/api/v1/events', bodies.event({ ...venue, rigId })));
    const driverId = await enter(admin, 'Ida', `Moor ${unique()}`);
    mkdirSync(directory, { recursive: true });
    const keyFile = join(directory, 'key.txt');
    writeFileSync(keyFile, `${rig.token ?? ''}\n`);
    const made = { rigId, eventId, driverId, simulatorId, manager, url, venue, directory, keyFile };
    return new BridgeVenue(made);
  }

  /** Seats the driver on the rig. */
  async seat(from?: string): Promise<void> {
    const body = { participantId: this.driverId, eventId: this.eventId, ...(from === undefined ? {} : { from }) };
    expectStatus(await this.manager.put(`/api/v1/rigs/${this.rigId}/seat`, body), 200);
  }

  /** Maps what a game calls cars and layouts: the first of each to those of the venue, the others to new ones. */
  async map(cars: readonly string[], layouts: readonly string[]): Promise<void> {
    const path = `/api/v1/simulators/${this.simulatorId}`;
    const [first, ...others] = cars;
    if (first !== undefined) {
      await this.manager.create(`${path}/cars`, { carId: this.#venue.carId, simulatorIdentifier: first });
    }
    for (const other of others) await this.mapAnother(other);
    for (const simulatorIdentifier of layouts) {
      await this.manager.create(`${path}/layouts`, { trackLayoutId: this.#venue.trackLayoutId, simulatorIdentifier });
    }
  }

  /** Maps what a game calls a car to a new one. */
  async mapAnother(simulatorIdentifier: string): Promise<void> {
    const carId = await this.#anotherCar();
    await this.manager.create(`/api/v1/simulators/${this.simulatorId}/cars`, { carId, simulatorIdentifier });
  }

  async #anotherCar(): Promise<string> {
    const { carBrandId, carClassId } = await this.#parentsOfCar();
    return idOf(await this.manager.create('/api/v1/cars', bodies.car(carBrandId, carClassId)));
  }

  async #parentsOfCar() {
    const carBrandId = idOf(await this.manager.create('/api/v1/car-brands', bodies.carBrand()));
    const carClassId = idOf(await this.manager.create('/api/v1/car-classes', bodies.carClass()));
    return { carBrandId, carClassId };
  }

  /** The arguments of a bridge at this rig. */
  args(game: GameName, ...more: readonly string[]): readonly string[] {
    const service = ['--server', this.#url, '--key-file', this.#keyFile, '--simulator', this.simulatorId];
    return ['bridge', '--game', game, ...service, '--dir', join(this.#directory, 'bridge'), ...more];
  }

  /** What a bridge of this rig runs with, in this process. */
  options() {
    const directory = join(this.#directory, 'bridge');
    const { key } = readKeyFile(this.#keyFile);
    return { directory, server: this.#url, key };
  }

  /** A file with a capture. */
  capture(records: readonly CaptureRecord[]): string {
    const path = join(this.#directory, `capture-${unique()}.gz`);
    writeFileSync(path, captureBytes(records));
    return path;
  }

  /** The laps that the service has of the rig. */
  async laps(): Promise<readonly JsonObject[]> {
    return this.manager.list(`/api/v1/laps?rigId=${this.rigId}`);
  }

  /** Their times, in ms, of those that count, in order. */
  async times(): Promise<readonly number[]> {
    const laps = await this.laps();
    return sorted(laps.filter(({ valid }) => valid === true).map(({ totalTime }) => Number(totalTime)));
  }
}

/** The laps of a plan that are sent, as the service shows them. */
export function expectedLaps(game: GameName, records: readonly CaptureRecord[]) {
  const laps = planOf(game, records).sessions.flatMap((session) => session.laps);
  return laps
    .filter(({ out, ms }) => out !== true && ms !== null)
    .map(({ ms, sectors, valid }) => ({
      totalTime: ms,
      sectors: (sectors ?? []).map((sector) => sector ?? 0),
      valid: valid ?? true,
    }));
}

/** Numbers in rising order. */
export function sorted(numbers: readonly number[]): readonly number[] {
  return [...numbers].sort((a, b) => a - b);
}
