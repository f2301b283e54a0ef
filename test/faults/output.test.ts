import { expect } from 'chai';
import { bodies, createVenue } from '../support/api/venue.ts';
import { RawConnection } from '../support/processes/socket.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { World, type ServiceProcess, type Start } from '../support/processes/world.ts';

const CLEAN = { code: 0, signal: null };

/** Laps that are recorded while nobody reads. */
const LAPS = 20;

/** Enough requests for their log lines to overflow a pipe and its reader's buffer (300 KB on Linux) several times. */
const CHEAP_REQUESTS = 4_000;
/** A connection may have 32 requests at a time. */
const PIPELINED = 25;

describe('standard output', () => {
  const world = new World();
  afterEach(() => world.clean());

  /** Every request is answered, and shown. */
  async function expectWorking({ admin }: ServiceProcess): Promise<void> {
    const venue = await createVenue(admin);
    for (let lap = 0; lap < LAPS; lap++) await admin.create('/api/v1/laps', bodies.lap(venue));
    expect(await admin.list('/api/v1/laps')).to.have.length(LAPS + 1);
  }
  /** Fills the pipe with log lines. */
  async function talkOn({ port }: ServiceProcess): Promise<void> {
    for (let rest = CHEAP_REQUESTS; rest > 0; rest -= PIPELINED) {
      const connection = await RawConnection.open(port);
      for (let n = PIPELINED; n > 0; n--) {
        connection.send('GET /actuator/health/liveness', n === 1 ? { Connection: 'close' } : {});
      }
      await connection.ended();
    }
  }
  const loud = (options: Partial<Start> = {}): Promise<ServiceProcess> =>
    world.service({ dataDir: world.directory(), env: { LOG_LEVEL: 'info' }, ...options });

  it('that is closed by its reader does not affect requests', async () => {
    const service = await loud();
    service.process.child.stdout?.destroy();
    service.process.child.stderr?.destroy();
    await expectWorking(service);
    expect(await service.process.end('SIGTERM')).to.deep.equal(CLEAN);
  });

  it('that is never read delays no request, and does not keep the process from ending', async () => {
    const service = await loud({ unread: true });
    await talkOn(service);
    await expectWorking(service);
    expect(await service.process.end('SIGTERM')).to.deep.equal(CLEAN);
  });

  it('of the demo may be cut off, as `head` does', async () => {
    await withServiceHere(world.directory(), async ({ url }) => {
      const args = ['--url', url, '--laps', '20'];
      const demo = world.start({ dataDir: world.directory(), command: 'demo', args, unread: true });
      demo.child.stdout?.destroy();
      expect(await demo.ended).to.deep.equal({ code: 1, signal: null });
      expect(demo.err).to.equal('');
    });
  });
});
