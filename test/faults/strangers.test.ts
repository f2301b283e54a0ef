import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { upload } from '../support/api/uploads.ts';
import { bodies, createVenue, issueKey, type Venue } from '../support/api/venue.ts';
import { until } from '../support/processes/waits.ts';
import { World, type ServiceProcess } from '../support/processes/world.ts';
import { ATTACKS, type Target } from '../support/strangers/attacks.ts';
import { run } from '../support/strangers/crowd.ts';
import { race, type RigLap } from '../support/strangers/rigs.ts';

/** Laps that the attacked event has, in batches. */
const BATCHES = 2;
const BATCH = 1_000;
/** Length of an attack and of the race beside it, in ms. */
const ATTACK_MS = 300;
const RACE_MS = 500;
const AT_ONCE = 100;
const RIGS = 4;
const LAPS_PER_SECOND = 20;
/** Interval in ms at which a service is looked at that is to come to rest, and the most CPU in it, in ticks of 10 ms. */
const LOOK_EVERY_MS = 200;
const REST_TICKS = 2;

/** CPU that a service has used, in ticks; 0 where the system does not tell. */
function cpuTicks({ process: { pid } }: ServiceProcess): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may hold spaces; `utime` and `stime` are the 12th and 13th field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Waits until a service does next to nothing; resolves to the CPU that it used until then, in ticks. */
async function atRest(service: ServiceProcess): Promise<number> {
  const before = cpuTicks(service);
  let last = before;
  await until(
    () => {
      const used = cpuTicks(service) - last;
      last += used;
      return used;
    },
    (used) => used <= REST_TICKS,
    { everyMs: LOOK_EVERY_MS },
  );
  return last - before;
}

// Ten times as long, with 50,000 laps and limits of time and memory: `npm run bench -- --only stranger`.
describe('strangers', () => {
  const world = new World();
  let service: ServiceProcess;
  let venue: Venue;
  let target: Target;
  before(async () => {
    service = await world.service({ dataDir: world.directory(), env: { UNLIMITED_CLIENTS: 'none' } });
    venue = await createVenue(service.admin);
    for (let n = 0; n < BATCHES; n++) {
      const laps = Array.from({ length: BATCH }, (_, lap) => ({ ...bodies.lap(venue), valid: lap % 20 > 0 }));
      const headers = { 'Content-Type': 'application/json' };
      const sent = { headers, body: JSON.stringify({ laps }) };
      expect((await venue.rig.send('POST', '/api/v1/laps/batch', sent)).status).to.equal(200);
    }
    expect((await upload(service.admin, 'LOGO/big.png', new Uint8Array(5_000_000))).status).to.equal(201);
    const { token } = await issueKey(venue.manager, 'CRUD');
    const { eventId, trackLayoutId, carId, participantId, rigId, lapId } = venue;
    target = { eventId, trackLayoutId, carId, participantId, rigId, lapId, file: '/cdn/LOGO/big.png', token };
  });
  after(() => world.clean());

  for (const [n, attack] of Object.keys(ATTACKS).entries()) {
    it(`${attack}: each lap beside it is recorded, and nobody is worked for who has left`, async () => {
      const { url } = service;
      const token = venue.rig.token ?? '';
      const lap = (): RigLap => ({ token, body: bodies.lap(venue) });
      const before = cpuTicks(service);
      const [finish, answers] = await Promise.all([
        race({ url, localAddress: '127.0.0.50', rigs: RIGS, perSecond: LAPS_PER_SECOND, ms: RACE_MS, lap }),
        run(attack, { url, target, addresses: [`127.0.1.${n}`], ms: ATTACK_MS, atOnce: AT_ONCE }),
      ]);
      expect(finish, JSON.stringify(answers)).to.deep.include({ refused: {}, lost: 0 });
      expect(answers).not.to.have.property('500');
      const during = cpuTicks(service) - before;
      expect(await atRest(service), 'CPU afterwards').to.be.at.most(during + REST_TICKS);
    });
  }
});
