import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { Checks } from '../support/processes/checks.ts';
import { Ledger } from '../support/processes/ledger.ts';
import { Load, prepare, type Ground } from '../support/processes/load.ts';
import { expectRebuiltTheSame } from '../support/processes/rebuild.ts';
import { caughtUp } from '../support/processes/waits.ts';
import { World, type ServiceProcess } from '../support/processes/world.ts';
import { depth } from '../support/depth.ts';
import { report } from '../support/reliability.ts';

const LANES = depth({ short: 8, deep: 16 });
/** How often it is killed. */
const ROUNDS = depth({ short: 2, deep: 200 });
/** How often one of two is killed. */
const ROUNDS_OF_ONE = depth({ short: 1, deep: 5 });

/** Acknowledgements before each kill: from just after the start to a few hundred ms of load. */
const LEAST = 20;
const MOST = depth({ short: 80, deep: 200 });

describe('kill -9 under write load', function () {
  this.timeout(1_800_000);
  const world = new World();
  let ledger: Ledger;
  let ground: Ground;
  let load: Load;

  async function begin(dataDir: string): Promise<ServiceProcess> {
    const service = await world.service({ dataDir });
    ledger = new Ledger();
    ground = await prepare(service.admin, LANES);
    load = new Load(ground, ledger);
    return service;
  }
  const loading = ({ admin }: ServiceProcess, lanes: Ground['lanes'], stop = new AbortController().signal) =>
    Promise.all(lanes.map((lane) => load.run(lane, admin, stop)));

  /** Nobody writes any more: repeats what may be repeated, and holds what is shown against what was asked. */
  async function expectAll(service: ServiceProcess, checks: Checks): Promise<void> {
    const manager = service.admin.as(ground.managerToken);
    for (const lane of ground.lanes) expect(await load.retryUnknown(lane, manager)).to.equal(true);
    await caughtUp(service.admin);
    await checks.hold(service.admin);
    expect([...ledger.laps.values()].filter(({ key, id }) => key !== null && id === null)).to.deep.equal([]);
  }

  afterEach(() => world.clean());

  it(`has every acknowledged write exactly once, ${ROUNDS} times`, async () => {
    const dataDir = world.directory();
    let service = await begin(dataDir);
    const checks = new Checks(ground, ledger);
    for (let round = 1; round <= ROUNDS; round++) {
      const lanes = loading(service, ground.lanes);
      await ledger.more(randomInt(LEAST, MOST));
      service.process.child.kill('SIGKILL');
      await Promise.all([lanes, service.process.ended]);
      service = await world.service({ dataDir });
      await caughtUp(service.admin);
      await checks.hold(service.admin);
    }
    await expectAll(service, checks);
    expect(await service.process.end('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    expect(await expectRebuiltTheSame(dataDir)).to.be.greaterThan(ledger.laps.size / 2);
    const { acknowledged, unknown, retried } = ledger;
    report('kill -9 of a service under load', { kills: ROUNDS, acknowledged, unknown, retried, lostOrDoubled: 0 });
    // A short run may be killed between answers only.
    const isLong = ROUNDS > 2;
    expect(ledger.retried, 'some requests were repeated').to.be.at.least(isLong ? 1 : 0);
    expect(ledger.unknown, 'some answers were lost').to.be.at.least(isLong ? ROUNDS + 1 : 0);
  });

  it('has them too when one of two services on one directory is killed', async () => {
    const dataDir = world.directory();
    const survivor = await begin(dataDir);
    const stop = new AbortController();
    const [even, odd] = [0, 1].map((rest) => ground.lanes.filter(({ number }) => number % 2 === rest));
    const surviving = loading(survivor, even ?? [], stop.signal);
    for (let round = 1; round <= ROUNDS_OF_ONE; round++) {
      const victim = await world.service({ dataDir });
      const lanes = loading(victim, odd ?? []);
      await ledger.more(randomInt(LEAST, MOST));
      await victim.process.end('SIGKILL');
      await lanes;
      await ledger.more(LEAST);
    }
    stop.abort();
    await surviving;
    const other = await world.service({ dataDir });
    for (const service of [survivor, other]) await expectAll(service, new Checks(ground, ledger));
    for (const { process } of [survivor, other]) expect((await process.end('SIGTERM')).code).to.equal(0);
    await expectRebuiltTheSame(dataDir);
  });
});
