import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../../src/clients/connection.ts';
import { planFiles } from '../../../src/clients/import/plan-files.ts';
import { filesIn } from '../../../src/clients/import/files.ts';
import { prepareImport, sendImport } from '../../../src/clients/import/run-import.ts';
import { MAX_FILE_BYTES } from '../../../src/clients/results/text.ts';
import { idOf, type Client } from '../../support/api/client.ts';
import { bodies, createLicense, enter, registerRig } from '../../support/api/venue.ts';
import { startCommand } from '../../support/processes/command-process.ts';
import type { Bench, Figure } from './measured.ts';

const PREVIEW_LAPS = 100_000;
const PREVIEW_GOAL_MS = 5_000;
const IMPORT_LAPS = 20_000;
const ROUNDS = 3;
const DRIVERS = 40;
const BATCH_LAPS = 1_000;
const GOAL_PERCENT = 80;

/** A practice session of an ACC server with very many laps; `round` tells files of the same size apart. */
function fileOf(laps: number, round: number): string {
  const drivers = Array.from({ length: DRIVERS }, (_, n) => ({
    firstName: `Driver${n}`,
    lastName: `Round${round}`,
    playerId: `S-${round}-${n}`,
  }));
  const leaderBoardLines = drivers.map((driver, n) => ({
    car: { carId: 1_001 + n, carModel: 32, drivers: [driver] },
    currentDriver: driver,
    timing: { bestLap: 90_000, totalTime: 0, lapCount: Math.ceil(laps / DRIVERS) },
  }));
  const driven = Array.from({ length: laps }, (_, n) => ({
    carId: 1_001 + (n % DRIVERS),
    driverIndex: 0,
    laptime: 90_000 + n,
    isValidForBest: true,
    splits: [30_000, 30_000, 30_000 + n],
  }));
  return JSON.stringify({ sessionType: 'FP', trackName: 'spa', sessionResult: { leaderBoardLines }, laps: driven });
}

/** A licence with a simulator that maps the files. */
async function importer({ service, venue }: Bench): Promise<Client> {
  const { manager } = await createLicense(service.admin);
  const simulator = { ...bodies.simulator(), displayName: 'Assetto Corsa Competizione', slug: `acc-bench` };
  const simulatorId = idOf(await manager.create('/api/v1/simulators', simulator));
  const path = `/api/v1/simulators/${simulatorId}`;
  await manager.create(`${path}/cars`, { carId: venue.carId, simulatorIdentifier: '32' });
  await manager.create(`${path}/layouts`, { trackLayoutId: venue.trackLayoutId, simulatorIdentifier: 'spa' });
  return manager;
}

/** How long `import FILE` takes to show what it would send of 100,000 laps, the start of its process included. */
export async function preview(bench: Bench): Promise<readonly Figure[]> {
  const manager = await importer(bench);
  const path = join(bench.world.directory(), 'large.json');
  writeFileSync(path, fileOf(PREVIEW_LAPS, 0));
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const command = startCommand(['import', path, '--url', bench.service.url, '--token', manager.token ?? '']);
    const { code } = await command.ended;
    if (code !== 0 || !command.out.includes(`To be sent: ${PREVIEW_LAPS} laps.`)) throw new Error(command.err);
    times.push(performance.now() - start);
  }
  const [, median = NaN] = times.sort((a, b) => a - b);
  return [{ what: `preview of ${PREVIEW_LAPS} laps`, value: median, unit: 'ms', goal: { most: PREVIEW_GOAL_MS } }];
}

/** How fast an import sends laps, beside plain batches, in turns. */
export async function imported(bench: Bench): Promise<readonly Figure[]> {
  const { service, world } = bench;
  const manager = await importer(bench);
  const signal = new AbortController().signal;
  const venue = connect({ url: service.url, token: manager.token ?? '', signal });
  const spent = { imports: 0, batches: 0 };
  const batches = await plainBatches(bench);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const path = join(world.directory(), 'results.json');
    writeFileSync(path, fileOf(IMPORT_LAPS, round));
    const files = await planFiles(filesIn([path], MAX_FILE_BYTES), () => undefined);
    const prepared = await prepareImport(venue, files, () => null, new Map());
    // From the first answer on: before it, drivers are checked in, and the event is made.
    let startedAt = 0;
    const onProgress = (answered: number): void => {
      if (answered <= BATCH_LAPS) startedAt = performance.now();
    };
    const settings = { eventId: null, eventName: 'Bench', drivenAt: null, signal, onProgress };
    const { files: sent } = await sendImport(venue, prepared, settings);
    const endedAt = performance.now();
    if (sent[0]?.recorded !== IMPORT_LAPS) throw new Error('not all laps are recorded');
    spent.imports += endedAt - startedAt;
    spent.batches += await batches(round);
  }
  const rate = (ms: number): number => (ROUNDS * (IMPORT_LAPS - BATCH_LAPS)) / (ms / 1_000);
  return [
    { what: 'laps in plain batches', value: rate(spent.batches), unit: 'laps/s', goal: null },
    { what: 'laps of an import', value: rate(spent.imports), unit: 'laps/s', goal: null },
    {
      what: 'rate of imports, of that of batches',
      value: (spent.batches / spent.imports) * 100,
      unit: '%',
      goal: { least: GOAL_PERCENT },
    },
  ];
}

/** Sends as many laps as an import does, in batches of the same size; yields how long it took after the first, in ms. */
async function plainBatches({ service, venue }: Bench): Promise<(round: number) => Promise<number>> {
  const { manager, licenseId } = await createLicense(service.admin);
  const { rigId } = await registerRig(manager, licenseId);
  const eventId = idOf(await manager.create('/api/v1/events', bodies.event({ ...venue, rigId })));
  const drivers: string[] = [];
  for (let driver = 0; driver < DRIVERS; driver += 1)
    drivers.push(await enter(service.admin, `Driver${driver}`, 'Plain'));
  return async (round) => {
    let startedAt = 0;
    for (let first = 0; first < IMPORT_LAPS; first += BATCH_LAPS) {
      const laps = Array.from({ length: BATCH_LAPS }, (_, index) => {
        const number = first + index + 1;
        return {
          key: `plain/${round}/${number}`,
          sequence: { boot: `plain-${round}`, number },
          participantId: drivers[number % DRIVERS],
          rigId,
          eventId,
          carId: venue.carId,
          trackId: venue.trackLayoutId,
          sectors: [30_000, 30_000, 30_000 + number],
          totalTime: 90_000 + number,
          valid: true,
          drivenAt: new Date().toISOString(),
        };
      });
      const { status } = await manager.post('/api/v1/laps/batch', { laps });
      if (status !== 200) throw new Error(`${status} of a batch`);
      if (first === 0) startedAt = performance.now();
    }
    return performance.now() - startedAt;
  };
}
