import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Json } from '../../src/service/kernel/json.ts';
import { Timed } from './child-protocol.ts';
import { Child, type Setting } from './children.ts';
import { makeFixtures } from './fixtures.ts';
import type { Fixtures } from './laps.ts';
import type { Scale } from './options.ts';

const Ready = z.object({ url: z.string() });

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

/** The two processes that fill a data directory side by side, each on a core of its own. */
interface Filling {
  readonly appending: Child;
  readonly projecting: Child;
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
      world.#clear();
    });
    return world;
  }

  /** Begins a work; its profiles are named after it. */
  begin(work: string): void {
    this.#work = work;
  }

  /** Tells the user what goes on. */
  tell(line: string): void {
    this.#options.tell(line);
  }

  /** What laps refer to, the same in every data directory. */
  async fixtures(): Promise<Fixtures> {
    if (this.#fixtures !== null) return this.#fixtures;
    await mkdir(this.#template);
    const [child, ready] = await this.#start('service', { dataDir: this.#template });
    this.#fixtures = await makeFixtures(Ready.parse(ready).url);
    await this.end(child);
    return this.#fixtures;
  }

  /** A data directory with `laps` laps, made at the first call and only to be read; for 0, a new one each time. */
  store(laps: number): Promise<string> {
    if (laps === 0) return this.#fresh();
    const known = this.#stores.get(laps) ?? this.#made((stores) => this.#fill(stores, laps));
    this.#stores.set(laps, known);
    return known;
  }

  /** A data directory with laps of `participants` drivers, all in the first event, after `others` in all events. */
  crowded(laps: number, participants: number, others = 0): Promise<string> {
    return this.#made(async (stores) => {
      await this.#fill(stores, others);
      await stores.appending.ask('enter', z.null(), { participants });
      await this.#fill(stores, laps);
    });
  }

  /** A data directory with `laps` laps that the caller may change; later callers get another one. */
  async own(laps: number): Promise<string> {
    const path = await this.store(laps);
    this.#stores.delete(laps);
    return path;
  }

  /** A copy of the data directory with `laps` laps. */
  async copy(laps: number): Promise<string> {
    return this.#copy(await this.store(laps));
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

  service(dataDir: string): Promise<Server> {
    return this.server('service', { dataDir });
  }

  /** A service on store servers, with its own fixtures, whose ids differ there. */
  async serviceOn(environment: Readonly<Record<string, string>>): Promise<Server> {
    const server = await this.server('service', { dataDir: this.newPath(), environment });
    return { ...server, fixtures: await makeFixtures(server.url) };
  }

  /** @param setting what differs from the usual settings of a process. */
  async server(role: string, argument: Json = null, setting: Partial<Setting> = {}): Promise<Server> {
    const fixtures = await this.fixtures();
    const [child, ready] = await this.#start(role, argument, setting);
    return { child, url: Ready.parse(ready).url, fixtures };
  }

  /** The stores of a data directory in a separate process; with a URL, the events are on that server. */
  async stores(directory: string, eventStoreUrl: string | null = null): Promise<Child> {
    return this.child('stores', { directory, fixtures: await this.fixtures(), eventStoreUrl });
  }

  /** lmdb itself in a separate process. */
  async rawStores(): Promise<Child> {
    return this.child('raw-stores', { directory: this.newPath(), fixtures: await this.fixtures() });
  }

  /** A measured process that serves no HTTP. */
  async child(role: string, argument: Json = null, setting: Partial<Setting> = {}): Promise<Child> {
    const [child] = await this.#start(role, argument, setting);
    return child;
  }

  /** URL of a new EventStoreDB double, which passes sockets straight to its gRPC server. It ends with the work. */
  async eventStore(): Promise<string> {
    const [, ready] = await this.#start('event-store', null, { core: null });
    return Ready.parse(ready).url;
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

  /** Kills all processes and removes everything: the last thing before this process ends. */
  #clear(): void {
    for (const child of this.#children) child.kill();
    rmSync(this.#root, { recursive: true, force: true, maxRetries: REMOVE_RETRIES });
  }

  async #start(role: string, argument: Json, setting: Partial<Setting> = {}): Promise<[Child, unknown]> {
    const { core, profiles: directory } = this.#options;
    const child = new Child(role, argument, {
      core,
      profile: directory === null ? null : { directory, work: this.#work },
      ...setting,
    });
    this.#children.add(child);
    return [child, await child.ready];
  }

  async #fresh(): Promise<string> {
    await this.fixtures();
    return this.#copy(this.#template);
  }

  async #copy(directory: string): Promise<string> {
    const path = this.newPath();
    await cp(directory, path, { recursive: true });
    return path;
  }

  /** A data directory whose stores `make` fills. */
  async #made(make: (stores: Filling) => Promise<void>): Promise<string> {
    const path = await this.#fresh();
    const argument = { directory: path, fixtures: await this.fixtures() };
    // Without a core of its own, it shares that of this process, which waits.
    const appending = await this.child('stores', argument, { core: null });
    const projecting = await this.child('stores', argument);
    await make({ appending, projecting });
    for (const child of [appending, projecting]) await this.end(child);
    return path;
  }

  /** Projects a batch while the next one is appended. */
  async #fill({ appending, projecting }: Filling, laps: number): Promise<void> {
    const startedAt = performance.now();
    for (let [appended, done] = [0, 0]; done < laps;) {
      const count = Math.min(this.scale.batch, laps - appended);
      await Promise.all([
        count > 0 ? appending.ask('append', Timed, { count, inFlight: IN_FLIGHT }) : null,
        done < appended ? projecting.ask('project', Timed) : null,
      ]);
      [done, appended] = [appended, appended + count];
      if (done > 0 && (done % TOLD_EVERY === 0 || done === laps)) {
        const rate = Math.round((done / (performance.now() - startedAt)) * 1_000);
        this.#options.tell(`  ${done} of ${laps} laps appended and projected (${rate}/s)`);
      }
    }
  }
}
