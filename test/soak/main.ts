import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { UsageError } from '../bench/options.ts';
import { aligned } from '../bench/report.ts';
import { bodies, createVenue, type Venue } from '../support/api/venue.ts';
import { textOf } from '../support/api/client.ts';
import { startCommand } from '../support/processes/command-process.ts';
import { anonymousMb, bytesBelow } from '../support/processes/memory.ts';
import { caughtUp } from '../support/processes/waits.ts';
import { World, type ServiceProcess } from '../support/processes/world.ts';
import { report } from '../support/reliability.ts';
import { verdictsOf, type Sample, type Verdict } from './figures.ts';
import { leaver, Met, reader, writer } from './load.ts';
import { readOptions, type Options } from './options.ts';

const MS_PER_MINUTE = 60_000;
const BYTES_PER_MB = 1_000_000;
const SAMPLE_EVERY_MS = 5_000;
/** V8 collects some garbage late. A forced collection tells it from leaks. */
const COLLECT_EVERY_MS = 20_000;
/** When a command is killed after its start, in ms: while it reads the stores. */
const KILL_AFTER_MS = [800, 3_000] as const;

const tell = (line: string): unknown => process.stderr.write(`${line}\n`);

/** One run: a service, its clients, and commands beside it. */
class Soak {
  readonly #options: Options;
  readonly #dataDir: string;
  readonly #service: ServiceProcess;
  readonly #startedAt = performance.now();
  readonly met = new Met();
  readonly samples: Sample[] = [];
  /** Anything else that went wrong. */
  readonly failures: string[] = [];
  rebuilds = 0;
  kills = 0;
  #rebuilding = false;

  constructor(options: Options, dataDir: string, service: ServiceProcess) {
    this.#options = options;
    this.#dataDir = dataDir;
    this.#service = service;
  }

  async run(venue: Venue): Promise<void> {
    const { minutes, laps, readers, 'rebuild-every': rebuildEvery, 'kill-every': killEvery } = this.#options;
    const stop = new AbortController();
    const run = { service: this.#service, met: this.met, stop: stop.signal };
    const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
    const writing = { body: bodies.lap(venue), token: venue.manager.token ?? '' };
    const paths = [
      '/api/v1/laps/paged?size=20',
      `/api/v1/laps/${venue.lapId}`,
      '/api/v1/laps/paged?sort=createdAt,desc',
    ];
    const work = [
      ...times(laps, () => writer(run, writing)),
      ...times(readers, () => reader(run, paths)),
      leaver(run),
      this.#every(rebuildEvery, stop.signal, () => this.#rebuild()),
      this.#every(killEvery, stop.signal, () => this.#killCommand()),
      this.#every(COLLECT_EVERY_MS / MS_PER_MINUTE, stop.signal, async () => {
        this.#service.process.child.kill('SIGUSR2');
      }),
      this.#every(SAMPLE_EVERY_MS / MS_PER_MINUTE, stop.signal, async () => this.#sample()),
    ];
    const ended = this.#service.process.ended.then(({ code, signal }) => {
      throw new Error(`the service ended (${code ?? signal}): ${this.#service.process.err}`);
    });
    try {
      await Promise.race([pause(minutes * MS_PER_MINUTE), ended, Promise.all(work)]);
    } finally {
      stop.abort();
    }
    // From here on the service may end.
    ended.catch(() => undefined);
    await Promise.all(work);
  }

  /** Acts every `minutes`, never twice at once. */
  async #every(minutes: number, stop: AbortSignal, act: () => Promise<void>): Promise<void> {
    for (let due = this.#startedAt + minutes * MS_PER_MINUTE; ; due += minutes * MS_PER_MINUTE) {
      // Aborted at the end.
      await pause(Math.max(0, due - performance.now()), undefined, { signal: stop }).catch(() => undefined);
      if (stop.aborted) return;
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
      laps: this.met.laps,
      eventBytes: bytesBelow(join(this.#dataDir, 'events')),
      modelBytes: this.#rebuilding ? null : bytesBelow(join(this.#dataDir, 'read-models')),
    };
    this.samples.push(sample);
    const [events, models] = [sample.eventBytes, sample.modelBytes].map((bytes) =>
      bytes === null ? 'being rebuilt' : `${(bytes / BYTES_PER_MB).toFixed(0)} MB`,
    );
    const { laps, reads, putOff, refused } = this.met;
    tell(
      `${sample.at.toFixed(1)} min: ${sample.rssAnonMb.toFixed(0)} MB, ${sample.descriptors} descriptors, ` +
        `${laps} laps, ${reads} reads, ${putOff} put off, ${refused} refused; events ${events}, read models ${models}`,
    );
  }
}

function tableOf(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ figure, measured, bound, holds }) => [figure, measured, bound, holds ? 'yes' : 'NO']);
  return `${aligned([['figure', 'measured', 'bound', 'holds?'], ...rows]).join('\n')}\n`;
}

/** Number of acknowledged laps that are not shown. */
async function lossOf({ admin }: ServiceProcess, laps: number): Promise<number> {
  await caughtUp(admin);
  const page = await admin.read('/api/v1/laps/paged?size=1');
  // Without the lap of the venue itself.
  return laps - (Number(page['totalElements']) - 1);
}

async function soak(options: Options): Promise<boolean> {
  const world = new World();
  try {
    const dataDir = world.directory();
    const service = await world.service({ dataDir, preload: '../../soak/collecting' });
    const run = new Soak(options, dataDir, service);
    await run.run(await createVenue(service.admin));
    const loss = await lossOf(service, run.met.laps);
    const state = textOf(await service.admin.read('/actuator/health'), 'status');
    const { code } = await service.process.end('SIGTERM');
    const verdicts = [
      ...verdictsOf(run.samples, run.met),
      {
        figure: 'whatever else went wrong',
        measured: [...run.failures, ...new Set(run.met.badReads)].join('; ') || 'nothing',
        bound: 'nothing',
        holds: run.failures.length + run.met.badReads.length === 0 && state === 'UP' && code === 0,
      },
      { figure: 'acknowledged laps that are not shown', measured: String(loss), bound: '0', holds: loss === 0 },
    ];
    const { laps, reads } = run.met;
    process.stdout.write(`${tableOf(verdicts)}\n${laps} laps, ${reads} reads, ${run.rebuilds} rebuilds, `);
    process.stdout.write(`${run.kills} killed commands in ${options.minutes} minutes\n`);
    const measured = Object.fromEntries(verdicts.map(({ figure, measured }) => [figure, measured]));
    const command = `npm run soak -- --minutes ${options.minutes} --laps ${options.laps} --readers ${options.readers}`;
    report('soak', {
      command,
      rebuildEvery: options['rebuild-every'],
      killEvery: options['kill-every'],
      lapsRecorded: laps,
      reads,
      rebuilds: run.rebuilds,
      kills: run.kills,
      ...measured,
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
