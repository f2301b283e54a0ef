import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { components } from '../generated/api.ts';
import { readIfThere, readJson, readJsonLines, replaceFile } from './durable-file.ts';

/** A lap as it is sent: with its key, and its number since the start of the rig's software. */
export type QueuedLap = components['schemas']['BatchLap'] &
  Required<Pick<components['schemas']['BatchLap'], 'key' | 'sequence'>>;

/** Laps that wait to be sent, as the sender sees them. */
export interface LapStore {
  /** Number of laps that are not settled. */
  readonly waiting: number;
  /** How many `next` can give now. */
  readonly sendable: number;
  /** The oldest laps that are not settled, and then those that were put off. */
  next(most: number): readonly QueuedLap[];
  /** Replaces laps, each by what it is from now on. */
  correct(corrected: ReadonlyMap<QueuedLap, QueuedLap>): void;
  /**
   * Settles laps that came first in `next`, but for those to be put off, which come again after all others, and those
   * without a driver, which come again some time later.
   */
  settle(laps: readonly QueuedLap[], putOff?: readonly QueuedLap[], driverless?: readonly QueuedLap[]): void;
  /** Lets laps without a driver come again, after all others, if it is time for it. */
  retryDriverless(): void;
  /** Puts refused laps aside with the reasons. */
  putAside(refused: readonly object[]): void;
}

const Mark = z.object({ settled: z.int().min(0), putOff: z.array(z.int().min(0)).default([]) });

/** How often, in ms, laps without a driver are sent again: people wait for it in front of a screen. */
const DRIVERLESS_EVERY_MS = 5_000;

/**
 * The laps of a rig on disk, each in a line, in the order of driving; and which of them are settled: recorded, or
 * refused and put aside. Those are the oldest ones, but for a few that were put off, and those without a driver: nobody
 * sat on the rig when they were driven, and they are sent again now and then. A lap is safe once `add` returns.
 * A crash can only lose the note that a lap was settled: the lap is then sent again, under the same key.
 */
export class LapQueue implements LapStore {
  readonly #directory: string;
  readonly #path: string;
  #laps: QueuedLap[];
  #settled: number;
  #putOff: readonly QueuedLap[];
  /** On disk they are among those that were put off: the next start tries them at once. */
  #driverless: readonly QueuedLap[] = [];
  /** When those without a driver come again, ms of a clock that never jumps; null: there are none. */
  #driverlessDueAt: number | null = null;

  /**
   * Opens the queue in a directory. What a crash has left of the last line is cut off.
   * @throws {Failure} when another line is damaged.
   */
  constructor(directory: string) {
    this.#directory = directory;
    this.#path = join(directory, 'laps.ndjson');
    // Only `add` writes these lines.
    this.#laps = readJsonLines(this.#path).map((lap) => lap as QueuedLap);
    // Without a mark all laps are sent again, under the same keys.
    const mark = Mark.parse(readJson(join(directory, 'settled.json')) ?? { settled: 0 });
    this.#settled = mark.settled;
    this.#putOff = mark.putOff.flatMap((index) => this.#laps[index] ?? []);
  }

  /** All laps that were ever driven. */
  get driven(): number {
    return this.#laps.length;
  }

  /** Number of laps that are not settled. */
  get waiting(): number {
    return this.sendable + this.#driverless.length;
  }

  /** How many `next` can give now. */
  get sendable(): number {
    return this.#laps.length - this.#settled + this.#putOff.length;
  }

  /** The laps that wait until the venue says who sat on the rig. */
  get driverless(): readonly QueuedLap[] {
    return this.#driverless;
  }

  /** All laps that it has, the oldest first. */
  get laps(): readonly QueuedLap[] {
    return this.#laps;
  }

  /** Whether the last answer to a lap was final: it is recorded, or refused and put aside. */
  isSettled(lap: QueuedLap): boolean {
    const index = this.#laps.indexOf(lap);
    return index >= 0 && index < this.#settled && !this.#putOff.includes(lap) && !this.#driverless.includes(lap);
  }

  /** Forgets the oldest settled laps, but for so many. A crash meanwhile lets some be sent again, and loses none. */
  forget(keep: number): void {
    const waiting = [...this.#putOff, ...this.#driverless].map((lap) => this.#laps.indexOf(lap));
    const count = Math.min(this.#settled - keep, ...waiting);
    if (count <= 0) return;
    this.#write(0, []);
    this.#laps = this.#laps.slice(count);
    this.#settled -= count;
    replaceFile(this.#path, linesOf(this.#laps));
    this.#saveMark();
  }

  /** The highest number since each start of the software. */
  get highest(): ReadonlyMap<string, number> {
    return new Map(this.#laps.map(({ sequence: { boot, number } }) => [boot, number]));
  }

  /** Adds a lap, and returns when it is on disk. */
  add(lap: QueuedLap): void {
    appendFileSync(this.#path, `${JSON.stringify(lap)}\n`, { flush: true });
    this.#laps.push(lap);
  }

  /** The oldest laps that are not settled, and then those that were put off. */
  next(most: number): readonly QueuedLap[] {
    return [...this.#laps.slice(this.#settled, this.#settled + most), ...this.#putOff].slice(0, most);
  }

  /** Replaces laps, each by what it is from now on, and returns when that is on disk. */
  correct(corrected: ReadonlyMap<QueuedLap, QueuedLap>): void {
    if (corrected.size === 0) return;
    this.#laps = this.#laps.map((lap) => corrected.get(lap) ?? lap);
    this.#putOff = this.#putOff.map((lap) => corrected.get(lap) ?? lap);
    this.#driverless = this.#driverless.map((lap) => corrected.get(lap) ?? lap);
    replaceFile(this.#path, linesOf(this.#laps));
  }

  /**
   * Settles laps that came first in `next`, but for those to be put off, which come again after all others, and those
   * without a driver, which come again some time later.
   */
  settle(laps: readonly QueuedLap[], putOff: readonly QueuedLap[] = [], driverless: readonly QueuedLap[] = []): void {
    const before = new Set(this.#putOff);
    const left = new Set(laps);
    this.#settled += laps.filter((lap) => !before.has(lap)).length;
    this.#putOff = [...this.#putOff.filter((lap) => !left.has(lap)), ...putOff];
    this.#driverless = [...this.#driverless, ...driverless];
    if (driverless.length > 0) this.#driverlessDueAt ??= performance.now() + DRIVERLESS_EVERY_MS;
    this.#saveMark();
  }

  #saveMark(): void {
    const indexes = [...this.#putOff, ...this.#driverless].map((lap) => this.#laps.indexOf(lap));
    this.#write(this.#settled, indexes);
  }

  #write(settled: number, putOff: readonly number[]): void {
    replaceFile(join(this.#directory, 'settled.json'), JSON.stringify({ settled, putOff }));
  }

  /** Lets laps without a driver come again, after all others, if it is time for it. */
  retryDriverless(): void {
    if (this.#driverlessDueAt === null || performance.now() < this.#driverlessDueAt) return;
    this.#putOff = [...this.#putOff, ...this.#driverless];
    this.#driverless = [];
    this.#driverlessDueAt = null;
  }

  /** Puts refused laps aside with the reasons, for people to look at; after a crash, a lap may be there twice. */
  putAside(refused: readonly object[]): void {
    if (refused.length === 0) return;
    const path = join(this.#directory, 'refused.ndjson');
    replaceFile(path, (readIfThere(path) ?? '') + refused.map((one) => `${JSON.stringify(one)}\n`).join(''));
  }
}

function linesOf(laps: readonly QueuedLap[]): string {
  return laps.map((lap) => `${JSON.stringify(lap)}\n`).join('');
}
