import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { UsageError } from '../bench/options.ts';
import { aligned } from '../bench/report.ts';
import { bodies, createVenue, type Venue } from '../support/api/venue.ts';
import { textOf } from '../support/api/client.ts';
import { startCommand } from '../support/processes/command-process.ts';
import { anonymousMb, bytesBelow } from '../support/processes/memory.ts';
import { World, type ServiceProcess } from '../support/processes/world.ts';
import { report } from '../support/reliability.ts';
import { connectRigs, disconnectRigs, race, type Finish } from '../support/strangers/rigs.ts';
import { verdictsOf, type Sample, type Verdict } from './figures.ts';
import { Readers } from './load.ts';
import { readOptions, type Options } from './options.ts';

const MS_PER_MINUTE = 60_000;
const BYTES_PER_MB = 1_000_000;
const SAMPLE_EVERY_MS = 5_000;
/** V8 collects some garbage late. A forced collection distinguishes it from leaks. */
const COLLECT_EVERY_MS = 20_000;
/** When a command is killed after its start, in ms: while it reads the stores. */
const KILL_AFTER_MS = [800, 3_000] as const;

function megabytes(bytes: number): string {
  return `${(bytes / BYTES_PER_MB).toFixed(0)} MB`;
}

const tell = (line: string): unknown => process.stderr.write(`${line}\n`);

/** One run: a service, its clients, and commands beside it. */
class Soak {
  readonly #options: Options;
  readonly #dataDir: string;
  readonly #service: ServiceProcess;
  readonly #startedAt = performance.now();
  readonly #stop = new AbortController();
  readonly readers: Readers;
  readonly samples: Sample[] = [];
  /** Anything else that went wrong. */
  readonly failures: string[] = [];
  /** Laps recorded so far, and those of them that were not shown within two seconds. */
  laps = 0;
  putOff = 0;
  rebuilds = 0;
  kills = 0;
  #rebuilding = false;

  constructor(options: Options, dataDir: string, service: ServiceProcess) {
    this.#options = options;
    this.#dataDir = dataDir;
    this.#service = service;
    this.readers = new Readers(service, this.#stop.signal);
  }

  async run(venue: Venue): Promise<Finish> {
    const { minutes, readers, 'rebuild-every': rebuildEvery, 'kill-every': killEvery } = this.#options;
    const lists = ['/api/v1/laps/paged?size=20', '/api/v1/laps/paged?sort=createdAt,desc'];
    const paths = [...lists, `/api/v1/laps/${venue.lapId}`];
    const work = Promise.all([
      ...Array.from({ length: readers }, () => this.readers.read(paths)),
      this.readers.leave(),
      this.#every(rebuildEvery, () => this.#rebuild()),
      this.#every(killEvery, () => this.#killCommand()),
      this.#every(COLLECT_EVERY_MS / MS_PER_MINUTE, async () => {
        this.#service.process.child.kill('SIGUSR2');
      }),
      this.#every(SAMPLE_EVERY_MS / MS_PER_MINUTE, async () => this.#sample()),
    ]);
    const racing = this.#race(venue);
    const ended = this.#service.process.ended.then(({ code, signal }) => {
      throw new Error(`the service ended (${code ?? signal}): ${this.#service.process.err}`);
    });
    await Promise.race([pause(minutes * MS_PER_MINUTE), ended, work, racing]).finally(() => this.#stop.abort());
    const [finish] = await Promise.race([Promise.all([racing, work]), ended]);
    // From here on the service may end.
    ended.catch(() => undefined);
    return finish;
  }

  /** As many rigs as laps per second, each of which sends one a second. */
  async #race({ manager, ...venue }: Venue): Promise<Finish> {
    const { minutes, laps } = this.#options;
    const ms = minutes * MS_PER_MINUTE;
    const lap = { token: manager.token ?? '', body: bodies.lap(venue) };
    const rigs = connectRigs(this.#service.url, '127.0.0.1', laps);
    const finish = await race({
      rigs,
      perSecond: laps,
      ms,
      lap: () => lap,
      onRecorded: (_, status) => {
        this.laps += 1;
        if (status === '202') this.putOff += 1;
      },
    });
    disconnectRigs(rigs);
    return finish;
  }

  /** Acts every `minutes`, never twice at once. */
  async #every(minutes: number, act: () => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    for (let due = this.#startedAt + minutes * MS_PER_MINUTE; ; due += minutes * MS_PER_MINUTE) {
      // Aborted at the end.
      await pause(Math.max(0, due - performance.now()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await act();
    }
  }

  async #rebuild(): Promise<void> {
    this.#rebuilding = true;
    const running = startCommand(['rebuild'], { DATA_DIR: this.#dataDir });
    const { code } = await running.ended;
    this.#rebuilding = false;
    this.rebuilds += 1;
    if (code !== 0) this.failures.push(`rebuild ${this.rebuilds} ended with ${code}: ${running.err}`);
  }

  async #killCommand(): Promise<void> {
    const running = startCommand(['verify'], { DATA_DIR: this.#dataDir });
    const [least, most] = KILL_AFTER_MS;
    await pause(least + Math.random() * (most - least));
    await running.end('SIGKILL');
    this.kills += 1;
  }

  #sample(): void {
    const { pid } = this.#service.process;
    const sample = {
      at: (performance.now() - this.#startedAt) / MS_PER_MINUTE,
      rssAnonMb: anonymousMb(pid) ?? NaN,
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      laps: this.laps,
      eventBytes: bytesBelow(join(this.#dataDir, 'events')),
      modelBytes: this.#rebuilding ? null : bytesBelow(join(this.#dataDir, 'read-models')),
    };
    this.samples.push(sample);
    const events = megabytes(sample.eventBytes);
    const models = sample.modelBytes === null ? 'being rebuilt' : megabytes(sample.modelBytes);
    tell(
      `${sample.at.toFixed(1)} min: ${sample.rssAnonMb.toFixed(0)} MB, ${sample.descriptors} descriptors, ` +
        `${sample.laps} laps, ${this.readers.reads} reads, ${this.putOff} put off; events ${events}, read models ${models}`,
    );
  }
}

function tableOf(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ figure, measured, bound, holds }) => [figure, measured, bound, holds ? 'yes' : 'NO']);
  return `${aligned([['figure', 'measured', 'bound', 'holds?'], ...rows]).join('\n')}\n`;
}

async function soak(options: Options): Promise<boolean> {
  const world = new World();
  try {
    const dataDir = world.directory();
    const service = await world.service({ dataDir, preload: '../../soak/collecting' });
    const run = new Soak(options, dataDir, service);
    const finish = await run.run(await createVenue(service.admin));
    const state = textOf(await service.admin.read('/actuator/health'), 'status');
    const { code } = await service.process.end('SIGTERM');
    const { laps, readers, samples, rebuilds, kills } = run;
    const wrong = [...run.failures, ...new Set(readers.bad)];
    const verdicts = [
      ...verdictsOf(samples, { ...finish, putOff: run.putOff }),
      {
        figure: 'whatever else went wrong',
        measured: wrong.join('; ') || 'nothing',
        bound: 'nothing',
        holds: wrong.length === 0 && state === 'UP' && code === 0,
      },
      {
        figure: 'acknowledged laps that are not shown',
        measured: String(finish.lost),
        bound: '0',
        holds: finish.lost === 0,
      },
    ];
    process.stdout.write(`${tableOf(verdicts)}\n${laps} laps, ${readers.reads} reads, ${rebuilds} rebuilds, `);
    process.stdout.write(`${kills} killed commands in ${options.minutes} minutes\n`);
    report('soak', {
      command: `npm run soak -- --minutes ${options.minutes} --laps ${options.laps} --readers ${options.readers}`,
      rebuildEvery: options['rebuild-every'],
      killEvery: options['kill-every'],
      lapsRecorded: laps,
      reads: readers.reads,
      rebuilds,
      kills,
      ...Object.fromEntries(verdicts.map(({ figure, measured }) => [figure, measured])),
      outOfBounds: verdicts.flatMap(({ figure, holds }) => (holds ? [] : [figure])).join('; ') || 'nothing',
    });
    return verdicts.every(({ holds }) => holds);
  } finally {
    await world.clean();
  }
}

try {
  process.exitCode = (await soak(readOptions(process.argv.slice(2)))) ? 0 : 1;
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  tell(error.message);
  process.exitCode = 2;
}
