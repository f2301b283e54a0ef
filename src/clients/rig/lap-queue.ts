import { join } from 'node:path';
import { z } from 'zod';
import type { components } from '../generated/api.ts';
import { addToFile, readIfThere, replaceFile } from './durable-file.ts';

/** A lap as it is sent: with its key, and its number since the start of the rig's software. */
export type QueuedLap = components['schemas']['BatchLap'] &
  Required<Pick<components['schemas']['BatchLap'], 'key' | 'sequence'>>;

const Mark = z.object({ settled: z.int().min(0) });

/**
 * The laps of a rig on disk, each in a line, in the order of driving; and how many of them are settled: recorded, or
 * refused and put aside. A lap is safe once `add` returns. A crash can only lose the note that a lap was settled: the
 * lap is then sent again, under the same key.
 */
export class LapQueue {
  readonly #directory: string;
  readonly #path: string;
  readonly #laps: QueuedLap[];
  #settled: number;

  /** Opens the queue in a directory. If a crash has left only a part of the last line, that part is cut off. */
  constructor(directory: string) {
    this.#directory = directory;
    this.#path = join(directory, 'laps.ndjson');
    const text = readIfThere(this.#path);
    const whole = text?.slice(0, text.lastIndexOf('\n') + 1) ?? '';
    if (whole !== text) replaceFile(this.#path, whole);
    // Only `add` writes these lines.
    this.#laps = whole
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as QueuedLap);
    this.#settled = Mark.parse(JSON.parse(readIfThere(join(directory, 'settled.json')) ?? '{"settled":0}')).settled;
  }

  /** All laps that were ever driven. */
  get driven(): number {
    return this.#laps.length;
  }

  /** How many are not settled. */
  get waiting(): number {
    return this.#laps.length - this.#settled;
  }

  /** The highest number since each start of the software. */
  get highest(): ReadonlyMap<string, number> {
    return new Map(this.#laps.map(({ sequence: { boot, number } }) => [boot, number]));
  }

  /** Adds a lap, and returns when it is on disk. */
  add(lap: QueuedLap): void {
    addToFile(this.#path, `${JSON.stringify(lap)}\n`);
    this.#laps.push(lap);
  }

  /** The oldest laps that are not settled. */
  next(most: number): readonly QueuedLap[] {
    return this.#laps.slice(this.#settled, this.#settled + most);
  }

  /** Settles the oldest laps that are not settled. */
  settle(count: number): void {
    this.#settled += count;
    replaceFile(join(this.#directory, 'settled.json'), JSON.stringify({ settled: this.#settled }));
  }

  /** Puts refused laps aside with the reasons, for people to look at; after a crash, a lap may be there twice. */
  putAside(refused: readonly object[]): void {
    if (refused.length === 0) return;
    const path = join(this.#directory, 'refused.ndjson');
    replaceFile(path, (readIfThere(path) ?? '') + refused.map((one) => `${JSON.stringify(one)}\n`).join(''));
  }
}
