import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { Checks } from '../support/processes/checks.ts';
import { Load, prepare } from '../support/processes/load.ts';
import { isRefused, RawConnection } from '../support/processes/socket.ts';
import { depth } from '../support/depth.ts';
import { caughtUp, MOMENT_MS, until } from '../support/processes/waits.ts';
import { withServiceHere } from '../support/processes/service-here.ts';
import { useWorld, type ServiceProcess } from '../support/processes/world.ts';
import { bodies } from '../support/api/venue.ts';

const CLEAN = { code: 0, signal: null };

/** Writes before SIGTERM. */
const WRITES = depth({ short: 60, deep: 500 });

/** Connections that write. */
const LANES = depth({ short: 8, deep: 16 });

/** Limit of a prompt end on a busy machine, in ms. */
const PROMPT_MS = 3 * MOMENT_MS;

/** Markers of open read stores and parts of uploads, none of which survive a clean end. */
function leftovers(dataDir: string): readonly string[] {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /\bopen-|uploads\/.|incoming\/./.test(name));
}

describe('SIGTERM', () => {
  const world = useWorld();

  /** A connection whose request has arrived except for its body. */
  async function begun({ port, admin }: ServiceProcess, body: string): Promise<RawConnection> {
    const connection = await RawConnection.open(port);
    connection.send('POST /api/v1/brands', {
      'X-API-Key': admin.token ?? '',
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Expect: '100-continue',
    });
    await connection.sees(/^HTTP\/1\.1 100 /);
    return connection;
  }

  it('under load loses nothing, and the next start finds a clean state', async () => {
    const dataDir = world.directory();
    const first = await world.service({ dataDir });
    const ground = await prepare(first.admin, LANES);
    const load = new Load(ground);
    await load.during(first.admin, async () => {
      await load.ledger.more(WRITES);
      const signalledAt = performance.now();
      expect(await first.process.end('SIGTERM')).to.deep.equal(CLEAN);
      expect(performance.now() - signalledAt).to.be.below(PROMPT_MS);
    });
    expect(first.process.out, 'nothing to complain of').to.equal('');
    expect(leftovers(dataDir)).to.deep.equal([]);
    await withServiceHere(dataDir, async ({ admin }) => {
      await caughtUp(admin);
      await new Checks(ground, load.ledger).hold(admin);
    });
  });

  it('answers every request that has arrived, and ends idle connections', async () => {
    const service = await world.service({ dataDir: world.directory() });
    const body = JSON.stringify(bodies.brand());
    const connections = await Promise.all(Array.from({ length: 16 }, () => begun(service, body)));
    const [used, unused, partial] = await Promise.all([1, 2, 3].map(() => RawConnection.open(service.port)));
    used?.send('GET /actuator/health/liveness', {});
    await used?.sees(/\{"status":"UP"\}$/);
    partial?.write('GET /actuator/heal');
    service.process.child.kill('SIGTERM');
    await until(() => isRefused(service.port));
    for (const connection of [used, unused]) await connection?.ended();
    for (const { socket } of connections) socket.write(body);
    const answers = await Promise.all(connections.map((connection) => connection.sees(/\r\n\r\n\{.*\}$/s)));
    for (const answer of answers) expect(answer).to.match(/HTTP\/1\.1 201 .*\nconnection: close\r$/ims);
    expect(await service.process.ended).to.deep.equal(CLEAN);
    await partial?.ended();
  });

  it('waits for an endless request no longer than SHUTDOWN_GRACE_MS', async () => {
    const graceMs = 500;
    const service = await world.service({ dataDir: world.directory(), env: { SHUTDOWN_GRACE_MS: String(graceMs) } });
    const connection = await begun(service, JSON.stringify(bodies.brand()));
    const signalledAt = performance.now();
    expect(await service.process.end('SIGTERM')).to.deep.equal(CLEAN);
    expect(performance.now() - signalledAt).to.be.within(graceMs, graceMs + PROMPT_MS);
    await connection.ended();
  });
});
