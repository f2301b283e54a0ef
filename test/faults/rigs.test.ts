import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import type { JsonObject } from '../../src/kernel/json.ts';
import { createVenue } from '../support/api/venue.ts';
import { depth } from '../support/depth.ts';
import { startCommand } from '../support/processes/command-process.ts';
import { freePort, startFaultyProxy, type FaultyProxy } from '../support/processes/servers.ts';
import { caughtUp, until } from '../support/processes/waits.ts';
import { ADMIN_TOKEN, World, type Running, type ServiceProcess } from '../support/processes/world.ts';
import { report } from '../support/reliability.ts';

const RIGS = depth({ short: 2, deep: 20 });
const LAPS = depth({ short: 60, deep: 500 });
/** Number of faults: a killed service, cut connections, or a killed rig. */
const FAULTS = depth({ short: 3, deep: 60 });

/** True if a rig has failed by itself. */
function hasFailed({ child: { exitCode } }: Running): boolean {
  return exitCode !== null && exitCode !== 0;
}

describe('reference rigs', function () {
  this.timeout(1_800_000);
  const world = new World();
  let proxy: FaultyProxy;

  afterEach(async () => {
    await proxy.stop();
    await world.clean();
  });

  it(`${RIGS} with ${LAPS} laps each: none lost, none doubled, whatever is killed or cut off`, async () => {
    const dataDir = world.directory();
    const port = await freePort();
    proxy = await startFaultyProxy(port);
    const begin = (): Promise<ServiceProcess> => world.service({ dataDir, env: { PORT: String(port) } });
    let service = await begin();
    const { eventId } = await createVenue(service.admin);
    const homes = Array.from({ length: RIGS }, () => world.directory());
    const startRig = (home: string): Running =>
      startCommand([
        ...`rig --laps ${LAPS} --every 3 --offline-for ${randomInt(0, 2)} --event ${eventId}`.split(' '),
        ...['--url', `http://127.0.0.1:${proxy.port}`, '--token', ADMIN_TOKEN, '--data', home],
      ]);
    const rigs = homes.map(startRig);
    const recorded = async (): Promise<number> => {
      const { totalElements } = await service.admin.read(`/api/v1/laps/paged?eventId=${eventId}&size=1`);
      return Number(totalElements);
    };
    const faults: (() => Promise<unknown>)[] = [
      async () => {
        await service.process.end('SIGKILL');
        service = await begin();
      },
      async () => proxy.cut(),
      async () => {
        const n = randomInt(RIGS);
        await rigs[n]?.end('SIGKILL');
        rigs[n] = startRig(homes[n] ?? '');
      },
    ];
    for (let fault = 0; fault < FAULTS; fault += 1) {
      const enough = Math.floor((RIGS * LAPS * (fault + 1)) / (FAULTS + 2));
      await until(recorded, (laps) => laps >= enough || rigs.some(hasFailed), { everyMs: 100 });
      expect(rigs.filter(hasFailed).map(({ child, out, err }) => `${child.exitCode} ${out}${err}`)).to.deep.equal([]);
      await faults[fault % faults.length]?.();
    }

    const endings = await Promise.all(rigs.map(({ ended }) => ended));
    expect(
      endings.map(({ code }) => code),
      rigs.map(({ out, err }) => out + err).join(''),
    ).to.deep.equal(rigs.map(() => 0));
    await caughtUp(service.admin);
    await expectComplete(service, eventId);
    report('reference rigs, killed and cut off', { rigs: RIGS, laps: RIGS * LAPS, faults: FAULTS, lostOrDoubled: 0 });
  });

  /** Each rig has recorded each of its numbers once, and the service reports that. */
  async function expectComplete({ admin }: ServiceProcess, eventId: string): Promise<void> {
    const laps = (await admin.list(`/api/v1/laps?eventId=${eventId}`)).filter(({ sequence }) => sequence !== null);
    expect(laps).to.have.length(RIGS * LAPS);
    const numbers = laps.map(({ rigId, sequence }) => JSON.stringify([rigId, sequence]));
    expect(new Set(numbers).size).to.equal(RIGS * LAPS);
    const { rigs } = await admin.read(`/api/v1/events/${eventId}/completeness`);
    // The answer was validated against the API document.
    const found = rigs as unknown as readonly { readonly rigId: string; readonly boots: readonly JsonObject[] }[];
    expect(found).to.have.length(RIGS);
    for (const { boots } of found) {
      for (const boot of boots)
        expect(boot).to.deep.include({ missing: [], conflicts: [], expected: boot['received'] });
      expect(boots.reduce((sum, { received }) => sum + Number(received), 0)).to.equal(LAPS);
    }
  }
});
