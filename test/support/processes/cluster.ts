import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { startEventStoreDouble, type EventStoreDouble } from '../eventstore-double/double.ts';
import { Answers, PatientClient } from './answers.ts';
import { Checks } from './checks.ts';
import { Ledger, type Lane } from './ledger.ts';
import { Load, prepare, type Ground } from './load.ts';
import { expectSameAsRebuilt } from './rebuild.ts';
import { caughtUp, MOMENT_MS, untilStatus } from './waits.ts';
import { World, type Environment, type Running, type ServiceProcess } from './world.ts';
import { startFaultyProxy, startFerret, type FaultyProxy, type Ferret } from './servers.ts';

/** Limits in ms: short, so that faults last far longer. */
export const STORE_TIMEOUT_MS = 1_500;
const REQUEST_DEADLINE_MS = 2_500;
export const LEASE_TERM_MS = 1_500;

const LIMITS: Environment = {
  STORE_TIMEOUT_MS: String(STORE_TIMEOUT_MS),
  REQUEST_DEADLINE_MS: String(REQUEST_DEADLINE_MS),
  PROJECTION_WAIT_MS: '1000',
  LEASE_TERM_MS: String(LEASE_TERM_MS),
};

/** How a process ends after SIGTERM. */
const CLEAN = { code: 0, signal: null };

/** Which stores are servers. */
export type Servers = Readonly<Partial<Record<'eventStore' | 'readStore', boolean>>>;

/** Reaction to a connection that breaks under load: the test fails, the connection ends, or its client reconnects. */
type WhenBroken = 'fails' | 'ends' | 'returns';

/** Delay of a reconnect, in ms. */
const RECONNECT_MS = 50;

/** A projector worker that is ready. */
export interface ProjectorProcess {
  readonly process: Running;
  readonly watch: PatientClient;
}

/** API nodes and projectors as processes on shared stores; `clean` ends and removes everything. */
export class Cluster {
  readonly answers = new Answers();
  readonly ledger = new Ledger();
  readonly #world = new World();
  /** Shared by all processes without their own, and so are its embedded stores. */
  readonly dataDir = this.#world.directory();
  readonly #alive: Running[] = [];
  #eventStore: EventStoreDouble | null = null;
  #ferret: Ferret | null = null;
  #proxy: FaultyProxy | null = null;
  /** The checks of each node, by number. */
  readonly #checks: Checks[] = [];
  #load: Load | null = null;

  static async start({ eventStore = false, readStore = false }: Servers): Promise<Cluster> {
    const cluster = new Cluster();
    if (eventStore) cluster.#eventStore = await startEventStoreDouble();
    if (!readStore) return cluster;
    cluster.#ferret = await startFerret();
    cluster.#proxy = await startFaultyProxy(cluster.#ferret.port);
    return cluster;
  }

  get eventStore(): EventStoreDouble {
    return this.#eventStore ?? expect.fail('the event store is embedded');
  }

  get ferret(): Ferret {
    return this.#ferret ?? expect.fail('the read store is embedded');
  }

  /** The proxy before the read store. */
  get proxy(): FaultyProxy {
    return this.#proxy ?? expect.fail('the read store is embedded');
  }

  get load(): Load {
    return this.#load ?? expect.fail('nothing is prepared');
  }

  get ground(): Ground {
    return this.load.ground;
  }

  /** Starts an API node and waits until it listens. */
  async node(env: Environment = {}, dataDir = this.dataDir): Promise<ServiceProcess> {
    const service = await this.#world.service({ dataDir, env: { ...this.#environment(), ...env } });
    this.#alive.push(service.process);
    return { ...service, admin: new PatientClient(service.url, this.answers) };
  }

  /** Starts a projector worker and waits until it listens. */
  async projector(): Promise<ProjectorProcess> {
    const env = { ...this.#environment(), LOG_LEVEL: 'info', PROJECTOR_PORT: '0' };
    const process = this.#world.start({ dataDir: this.dataDir, command: 'projector', env });
    const [, url = ''] = await process.said(/"url":"([^"]+)".*"msg":"The projector has started"/);
    this.#alive.push(process);
    return { process, watch: new PatientClient(url, this.answers, null) };
  }

  /** Kills a process; `endAll` does not expect it any more. */
  async kill(process: Running): Promise<void> {
    this.#alive.splice(this.#alive.indexOf(process), 1);
    await process.end('SIGKILL');
  }

  /** Prepares a load with this many connections. */
  async prepare({ admin }: ServiceProcess, lanes: number): Promise<void> {
    this.#load = new Load(await prepare(admin, lanes), this.ledger);
  }

  /** Writes to the nodes, each connection to one node, until `work` is done. */
  async underLoad(
    nodes: readonly ServiceProcess[],
    work: () => Promise<void>,
    whenBroken: WhenBroken = 'fails',
  ): Promise<void> {
    const stop = new AbortController();
    const write = async (lane: Lane): Promise<void> => {
      for (;;) {
        await this.load.run(lane, nodeOf(lane, nodes).admin, stop.signal);
        if (stop.signal.aborted || whenBroken === 'ends') return;
        if (whenBroken === 'fails') throw new Error(`connection ${lane.number} broke`);
        await pause(RECONNECT_MS);
      }
    };
    const lanes = Promise.all(this.ground.lanes.map(write));
    const working = work();
    try {
      await Promise.race([working, lanes.then(() => working)]);
    } finally {
      stop.abort();
    }
    await lanes;
  }

  /** Everything is shown, and no client had to wait too long or lost a connection. */
  async expectKept(nodes: readonly ServiceProcess[]): Promise<void> {
    await this.expectShown(nodes);
    this.expectGoodManners();
  }

  /** Call it when nothing is being written: repeats what may be repeated, and checks what each node shows. */
  async expectShown(nodes: readonly ServiceProcess[]): Promise<void> {
    for (const node of nodes) await ready(node);
    for (const lane of this.ground.lanes) {
      const { admin } = nodeOf(lane, nodes);
      const manager = admin.as(this.ground.managerToken);
      expect(await this.load.retryUnknown(lane, manager)).to.equal(true);
    }
    await this.expectHeld(nodes);
    const open = [...this.ledger.laps.values()].filter(({ key, id }) => key !== null && id === null);
    expect(open, 'repeated, but not acknowledged').to.deep.equal([]);
  }

  /** Compares what each node shows with what was requested and acknowledged so far. */
  async expectHeld(nodes: readonly ServiceProcess[]): Promise<void> {
    for (const [n, { admin }] of nodes.entries()) {
      await caughtUp(admin);
      await (this.#checks[n] ??= new Checks(this.ground, this.ledger)).hold(admin);
    }
  }

  /** The same; then ends all processes and compares the read models with a fresh rebuild. */
  async expectWhole(nodes: readonly ServiceProcess[]): Promise<void> {
    await this.expectKept(nodes);
    await this.endAll();
    await this.expectRebuilt();
  }

  /** Call it when all processes have ended: the read models equal a rebuild. */
  async expectRebuilt(): Promise<void> {
    expect(await this.rebuilt()).to.be.greaterThan(this.ledger.laps.size / 2);
  }

  /** Every answer came in time, and every refusal had a Retry-After. */
  expectGoodManners(): void {
    const { slowestMs, lost, rude } = this.answers;
    expect({ lost, rude }).to.deep.equal({ lost: 0, rude: [] });
    expect(slowestMs, 'slowest answer in ms').to.be.below(REQUEST_DEADLINE_MS + MOMENT_MS);
  }

  /** Ends all processes as an operator would; none may have ended before. */
  async endAll(): Promise<void> {
    for (const { child } of this.#alive) expect([child.exitCode, child.signalCode]).to.deep.equal([null, null]);
    for (const process of this.#alive.splice(0)) expect(await process.end('SIGTERM'), process.err).to.deep.equal(CLEAN);
  }

  /** A data directory for a node that does not share embedded stores. */
  directory(): string {
    return this.#world.directory();
  }

  /** Compares the read models with a rebuild; resolves to the number of documents. */
  rebuilt(dataDir = this.dataDir): Promise<number> {
    return expectSameAsRebuilt({
      dataDir,
      eventStoreUrl: this.#urls.EVENTSTORE_URL || null,
      mongodbUrl: this.#urls.MONGODB_URL || null,
      storeTimeoutMs: 10 * STORE_TIMEOUT_MS,
    });
  }

  async clean(): Promise<void> {
    await this.#world.clean();
    await this.#eventStore?.close();
    await this.#proxy?.stop();
    await this.#ferret?.stop();
  }

  /** Settings of the stores; empty: embedded. */
  get #urls() {
    const mongodbUrl = this.#proxy === null ? '' : `mongodb://127.0.0.1:${this.#proxy.port}/test`;
    return { EVENTSTORE_URL: this.#eventStore?.url ?? '', MONGODB_URL: mongodbUrl };
  }

  #environment(): Environment {
    return { ...LIMITS, ...this.#urls, S3_BUCKET: '' };
  }
}

/** Waits until a node is ready. */
export async function ready({ admin }: Pick<ServiceProcess, 'admin'>): Promise<void> {
  await untilStatus(200, () => admin.get('/actuator/health/readiness'));
}

function nodeOf({ number }: Lane, nodes: readonly ServiceProcess[]): ServiceProcess {
  return nodes[number % nodes.length] ?? expect.fail('there is no node');
}
