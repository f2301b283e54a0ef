import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clientOf } from '../support/processes/world.ts';
import { Child, type ArgumentOf, type RoleName } from './children.ts';
import { makeFixtures } from './fixtures.ts';
import { ADMIN_TOKEN, type Fixtures } from './laps.ts';
import type { Scale } from './options.ts';

/** Appends in flight while a store is filled. */
const IN_FLIGHT = 1_000;
/** A process that was just killed may still write a file. */
const REMOVE_RETRIES = 5;
/** Laps between two lines of progress. */
const TOLD_EVERY = 200_000;

/** A process that serves HTTP, and what the laps sent to it refer to. */
export interface Server {
  readonly child: Child;
  readonly url: string;
  readonly fixtures: Fixtures;
}

/** Options of a world: the core for measured processes, and the directory for their CPU profiles (null: none). */
interface WorldOptions {
  readonly scale: Scale;
  readonly core: number | null;
  readonly profiles: string | null;
  readonly tell: (line: string) => void;
}

/** The data directories of the bench, which are made once, and the processes, which end with each work. */
export class World {
  readonly scale: Scale;
  readonly #options: WorldOptions;
  readonly #stores = new Map<number, Promise<string>>();
  readonly #shared = new Map<string, Promise<Server>>();
  readonly #children = new Set<Child>();
  readonly #root: string;
  /** A data directory without laps, but with everything that laps refer to. */
  readonly #template: string;
  #fixtures: Fixtures | null = null;
  #names = 0;
  #work = '';

  private constructor(root: string, options: WorldOptions) {
    this.#root = root;
    this.#template = join(root, 'template');
    this.scale = options.scale;
    this.#options = options;
  }

  /** Makes a temporary directory for everything. It is removed when this process ends, for whatever reason. */
  static async open(options: WorldOptions): Promise<World> {
    const root = await mkdtemp(join(tmpdir(), 'timing-bench-'));
    // Servers keep their data there too, so that they leave nothing behind.
    process.env['TMPDIR'] = root;
    const world = new World(root, options);
    process.once('exit', () => {
      for (const child of world.#children) child.kill();
      rmSync(root, { recursive: true, force: true, maxRetries: REMOVE_RETRIES });
    });
    return world;
  }

  /** Begins a work; its profiles are named after it. */
  begin(work: string): void {
    this.#work = work;
  }

  /** What laps refer to, the same in every data directory. */
  async fixtures(): Promise<Fixtures> {
    if (this.#fixtures !== null) return this.#fixtures;
    await mkdir(this.#template);
    const child = await this.child('service', { dataDir: this.#template });
    this.#fixtures = await makeFixtures(clientOf(await child.url, ADMIN_TOKEN));
    await this.end(child);
    return this.#fixtures;
  }

  /** A data directory with `laps` laps, made at the first call and only to be read; for 0, a new one each time. */
  store(laps: number): Promise<string> {
    const known = this.#stores.get(laps) ?? this.crowded(laps, 0);
    if (laps > 0) this.#stores.set(laps, known);
    return known;
  }

  /** A data directory with laps of `participants` drivers, all in the first event; with 0, of all fixtures. */
  async crowded(laps: number, participants: number): Promise<string> {
    await this.fixtures();
    const directory = await this.copy(this.#template);
    if (laps === 0) return directory;
    const child = await this.stores(directory);
    if (participants > 0) await child.ask('enter', participants);
    const startedAt = performance.now();
    for (let done = 0; done < laps;) {
      const count = Math.min(this.scale.batch, laps - done);
      await child.ask('backlog', { count, inFlight: IN_FLIGHT });
      done += count;
      if (done % TOLD_EVERY === 0 || done === laps) {
        const rate = Math.round((done / (performance.now() - startedAt)) * 1_000);
        this.#options.tell(`  ${done} of ${laps} laps appended and projected (${rate}/s)`);
      }
    }
    await this.end(child);
    return directory;
  }

  /** A data directory with `laps` laps that the caller may change; later callers get another one. */
  async own(laps: number): Promise<string> {
    const path = await this.store(laps);
    this.#stores.delete(laps);
    return path;
  }

  /** A copy of a data directory. */
  async copy(directory: string): Promise<string> {
    const path = this.newPath();
    await cp(directory, path, { recursive: true });
    return path;
  }

  /** An unused path. */
  newPath(): string {
    this.#names += 1;
    return join(this.#root, String(this.#names));
  }

  /** A server that is shared by all rows of a work. */
  shared(name: string, start: () => Promise<Server>): Promise<Server> {
    const server = this.#shared.get(name) ?? start();
    this.#shared.set(name, server);
    return server;
  }

  service(dataDir: string, environment: Readonly<Record<string, string>> = {}): Promise<Server> {
    return this.server('service', { dataDir, environment });
  }

  /** A service on store servers, with its own fixtures, whose ids differ there. */
  async serviceOn(environment: Readonly<Record<string, string>>): Promise<Server> {
    const server = await this.service(this.newPath(), environment);
    return { ...server, fixtures: await makeFixtures(clientOf(server.url, ADMIN_TOKEN)) };
  }

  async server<R extends RoleName>(role: R, argument: ArgumentOf<R>): Promise<Server> {
    const fixtures = await this.fixtures();
    const child = await this.child(role, argument);
    return { child, url: await child.url, fixtures };
  }

  /** The stores of a data directory in a separate process; with a URL, the events are on that server. */
  async stores(directory: string, eventStoreUrl: string | null = null): Promise<Child<'stores'>> {
    return this.child('stores', { directory, fixtures: await this.fixtures(), eventStoreUrl });
  }

  /** lmdb itself in a separate process. */
  async rawStores(): Promise<Child<'raw-stores'>> {
    return this.child('raw-stores', { directory: this.newPath(), fixtures: await this.fixtures() });
  }

  /** URL of a new EventStoreDB double, which passes sockets straight to its gRPC server. It ends with the work. */
  async eventStore(): Promise<string> {
    return (await this.child('event-store', null, null)).url;
  }

  /** A measured process that has started. Without a core of its own, it shares that of this process, which waits. */
  async child<R extends RoleName>(
    role: R,
    argument: ArgumentOf<R>,
    core: number | null = this.#options.core,
  ): Promise<Child<R>> {
    const { profiles: directory } = this.#options;
    const profile = directory === null ? null : { directory, work: this.#work };
    const child = new Child(role, argument, { core, profile });
    this.#children.add(child);
    await child.url;
    return child;
  }

  async end(child: Child): Promise<void> {
    await child.close();
    this.#children.delete(child);
  }

  /** Ends the processes of a work, servers after those that they serve. */
  async endAll(): Promise<void> {
    this.#shared.clear();
    for (const child of [...this.#children].toReversed()) await this.end(child);
  }
}
