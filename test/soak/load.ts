import { setTimeout as pause } from 'node:timers/promises';
import { stalledReader } from '../support/processes/socket.ts';
import type { ServiceProcess } from '../support/processes/world.ts';
import { Shooter } from '../support/strangers/shots.ts';

/** Interval between two requests of a reader, in ms. */
const EVERY_MS = 1_000;
/** Reads per connection; then the reader opens a new one. */
const READS_PER_CONNECTION = 20;

/** Readers of a service, which end when `stop` aborts, and what they have counted. */
export class Readers {
  readonly #port: number;
  readonly #stop: AbortSignal;
  reads = 0;
  /** Reads that were not answered with 200. */
  readonly bad: string[] = [];

  constructor({ port }: ServiceProcess, stop: AbortSignal) {
    this.#port = port;
    this.#stop = stop;
  }

  /** Reads these paths in turns. */
  async read(paths: readonly string[]): Promise<void> {
    const origin = { host: '127.0.0.1', port: this.#port, localAddress: '127.0.0.1' };
    let shooter = new Shooter(origin);
    await this.#regularly(async (n) => {
      if (n % READS_PER_CONNECTION === 0) {
        shooter.close();
        shooter = new Shooter(origin);
      }
      const path = paths[n % paths.length] ?? '/';
      const { status } = await shooter.send({ path });
      if (status !== '200') this.bad.push(`${path}: ${status}`);
      this.reads += 1;
    });
    shooter.close();
  }

  /** Requests the list of all laps and disconnects in the middle. */
  leave(): Promise<void> {
    return this.#regularly(async () => void (await stalledReader(this.#port, '/api/v1/laps')).destroy());
  }

  /** Acts once a second from a random moment on, and makes up for missed seconds. */
  async #regularly(act: (n: number) => Promise<void>): Promise<void> {
    await pause(Math.random() * EVERY_MS);
    const startedAt = performance.now();
    for (let n = 0; !this.#stop.aborted; n += 1) {
      await act(n);
      await pause(Math.max(0, startedAt + (n + 1) * EVERY_MS - performance.now()));
    }
  }
}
