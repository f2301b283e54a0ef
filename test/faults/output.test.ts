import { expect } from 'chai';
import { Checks } from '../support/processes/checks.ts';
import { Ledger } from '../support/processes/ledger.ts';
import { Load, prepare } from '../support/processes/load.ts';
import { RawConnection } from '../support/processes/socket.ts';
import { caughtUp } from '../support/processes/waits.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { World, type ServiceProcess, type Start } from '../support/processes/world.ts';
import { depth } from '../support/depth.ts';

const CLEAN = { code: 0, signal: null };

const REQUESTS = depth({ short: 100, deep: 500 });

/** Enough requests for their log lines to overflow a pipe and its reader's buffer (300 KB on Linux) several times. */
const CHEAP_REQUESTS = 4_000;
/** A connection may have 32 requests at a time. */
const PIPELINED = 25;
const CONNECTIONS = 8;

describe('standard output', () => {
  const world = new World();
  afterEach(() => world.clean());

  /** Writes, and then compares what is shown with what was acknowledged. */
  async function workOn({ admin }: ServiceProcess): Promise<void> {
    const ledger = new Ledger();
    const ground = await prepare(admin, CONNECTIONS);
    const load = new Load(ground, ledger);
    const stop = new AbortController();
    const lanes = Promise.all(ground.lanes.map((lane) => load.run(lane, admin, stop.signal)));
    await ledger.more(REQUESTS);
    stop.abort();
    await lanes;
    expect(ledger.unknown, 'answers that did not come').to.equal(0);
    await caughtUp(admin);
    await new Checks(ground, ledger).hold(admin);
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
    await workOn(service);
    expect(await service.process.end('SIGTERM')).to.deep.equal(CLEAN);
  });

  it('that is not read does not delay requests; every line is there once it is read', async () => {
    const service = await loud({ unread: true });
    await talkOn(service);
    await workOn(service);
    const lines: string[] = [];
    service.process.child.stdout?.setEncoding('utf8').on('data', (text: string) => lines.push(text));
    expect(await service.process.end('SIGTERM')).to.deep.equal(CLEAN);
    const log = lines
      .join('')
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(log.length).to.be.greaterThan(CHEAP_REQUESTS + REQUESTS);
    expect(log.at(-1)).to.include({ msg: 'The service has stopped' });
  });

  it('that is never read does not keep the process from ending', async () => {
    const service = await loud({ unread: true });
    await talkOn(service);
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
