import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure, Refused, type Connection } from '../connection.ts';
import type { LapQueue, QueuedLap } from '../delivery/lap-queue.ts';
import { sendWaiting, type SeatSettings } from '../delivery/send-laps.ts';
import type { ServiceClock } from '../delivery/service-clock.ts';
import { timeText, type BridgeStatus, type WaitingFor } from './bridge-status.ts';
import { factsOf, REMEMBERED_LAPS, type LapChange, type LapJournal } from './lap-journal.ts';
import type { GameMappings, Unmapped } from './mappings.ts';

/** How often, in ms, mappings are asked for while laps wait for one. */
const MAPPINGS_MS = 10_000;
/** How often, in ms, it looks for laps that wait for something else than being found. Each look costs CPU. */
const IDLE_MS = 1_000;
/** How long, in ms, it waits after the service has refused everything. */
const REFUSED_MS = 10_000;
/** The reason with which a lap is struck that was taken back. */
const FLASHBACK = 'flashback';
/** The reason of a change that the game's own memory of a lap has brought. */
const CORRECTED = 'corrected by the game';
/** The status of an answer that is about the key, not about a lap. */
const KEY_REFUSED = 401;

export interface SenderOptions {
  readonly rigId: string;
  readonly client: Connection;
  readonly clock: ServiceClock;
  readonly journal: LapJournal;
  readonly queue: LapQueue;
  readonly mappings: GameMappings;
  readonly status: BridgeStatus;
  /** Names this start of the bridge. */
  readonly boot: string;
  /** Driver and event where nobody sat on the rig; null: such laps wait. */
  readonly withoutSeat: SeatSettings | null;
  readonly signal: AbortSignal;
}

/**
 * Sends the laps of a journal: hands those over to the queue whose car and layout are mapped, sends the queue, and then what
 * has changed of laps since. Everything is on disk before it is sent, and is sent until the answer is final.
 */
export class LapSender {
  readonly #options: SenderOptions;
  readonly #wake = new EventEmitter();
  #mappedAt = -Infinity;
  /** Whether laps or mappings have changed since they were looked at. */
  #isStale = true;
  /** The number of the last lap of this start. */
  #number = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
    const { journal, queue } = options;
    queue.forget(REMEMBERED_LAPS);
    // A crash may have come between handing a lap over and noting it.
    for (const lap of queue.laps) {
      const id = this.#idOf(lap);
      if (!journal.isHandedOver(id)) journal.handOver(id, { valid: lap.valid, sectors: lap.sectors });
    }
    this.#count();
  }

  /** There is something new to be sent. */
  wake(): void {
    this.#isStale = true;
    this.#count();
    this.#wake.emit('wake');
  }

  /**
   * Sends until the signal aborts, or, once `hasEnded` says so, until nothing can be sent any more: what waits for a
   * mapping or a driver stays on disk.
   */
  async run(hasEnded: () => boolean): Promise<void> {
    const { signal, status, queue } = this.#options;
    const isOver = (): boolean => signal.aborted;
    while (!isOver()) {
      // Laps that are found during this round are for the next one.
      const isLast = hasEnded();
      try {
        await this.#round();
        status.hasProblem(null);
      } catch (error) {
        if (isOver()) return;
        if (!(error instanceof Failure) || isLast) throw error;
        status.hasProblem(error.message);
        await this.#idle(REFUSED_MS, false);
        continue;
      }
      if (isLast && queue.sendable === 0 && !this.#isChangeDue()) return;
      await this.#idle(IDLE_MS, true);
    }
  }

  /** @throws {Failure} when the service takes nothing. */
  async #round(): Promise<void> {
    const { queue, client, clock, status, withoutSeat, signal } = this.#options;
    await this.#askForMappings();
    if (this.#isStale) {
      this.#isStale = false;
      this.#handOver();
    }
    const before = queue.laps.length - queue.waiting;
    const isSending = queue.sendable > 0;
    const sending = { queue, client, clock, isRecorded: () => false, signal };
    const refused = await sendWaiting(withoutSeat === null ? sending : { ...sending, withoutSeat });
    const settled = queue.laps.length - queue.waiting - before;
    if (isSending && settled > 0) {
      const recorded = Math.max(0, settled - refused);
      status.recorded += recorded;
      status.refused += refused;
      status.say(`${recorded} recorded${refused === 0 ? '' : `, ${refused} refused: see refused.ndjson`}`);
    }
    await this.#sendChanges();
    this.#count();
  }

  async #askForMappings(): Promise<void> {
    const { mappings, journal } = this.#options;
    const isDue = performance.now() - this.#mappedAt >= MAPPINGS_MS;
    if (!isDue || (this.#mappedAt !== -Infinity && journal.waitingLaps === 0)) return;
    await mappings.refresh();
    this.#mappedAt = performance.now();
    this.#isStale = true;
  }

  /** Hands laps over to the queue whose car and layout are mapped, and shows what the others wait for. */
  #handOver(): void {
    const { journal, queue, mappings, status, rigId, boot } = this.#options;
    const counts = new Map<string, MissingCount>();
    for (const lap of journal.waiting) {
      const placed = mappings.place(lap);
      if (placed.outcome === 'unmapped') {
        countMissing(counts, placed.missing);
        continue;
      }
      const facts = factsOf(lap);
      this.#number += 1;
      queue.add({
        key: this.#keyOf(lap.id),
        rigId,
        carId: placed.carId,
        trackId: placed.trackId,
        sectors: [...facts.sectors],
        totalTime: lap.ms,
        valid: facts.valid,
        drivenAt: lap.drivenAt,
        sequence: { boot, number: this.#number },
      });
      journal.handOver(lap.id, facts);
    }
    status.waitsFor(Array.from(counts.values(), ({ missing, laps }): WaitingFor => ({ ...missing, laps })));
  }

  #isChangeDue(): boolean {
    const { journal } = this.#options;
    return journal.changes.some(({ lap }) => this.#settledLap(lap.id) !== null);
  }

  /** Sends what has changed of laps that are recorded. @throws {Refused} when the key is not valid. */
  async #sendChanges(): Promise<void> {
    const { journal } = this.#options;
    for (const change of journal.changes) {
      const queued = this.#settledLap(change.lap.id);
      if (queued !== null) await this.#sendChange(change, queued);
    }
  }

  async #sendChange({ lap, kind }: LapChange, queued: QueuedLap): Promise<void> {
    const { client, journal, status } = this.#options;
    const lapId = await this.#recordedId(queued);
    if (lapId === 'unknown') return;
    if (lapId === null) {
      journal.end(lap.id);
      return;
    }
    const facts = factsOf(lap);
    const params = { path: { lapId } };
    const body =
      kind === 'strike'
        ? { valid: false, reason: FLASHBACK }
        : { valid: facts.valid, sectors: [...facts.sectors], reason: CORRECTED };
    try {
      await client.answered<object>(() => client.PATCH('/api/v1/laps/{lapId}', { params, body }));
    } catch (error) {
      if (!(error instanceof Refused) || error.status === KEY_REFUSED) throw error;
      // Somebody has moved the lap, say: it is theirs now.
      status.say(`Lap ${lap.lap}, ${timeText(lap.ms)}, was not changed: ${error.message}`);
      journal.end(lap.id);
      return;
    }
    if (kind === 'strike') {
      journal.end(lap.id);
      status.struck += 1;
      status.say(`Lap ${lap.lap}, ${timeText(lap.ms)}, is struck`);
    } else {
      journal.handOver(lap.id, facts);
    }
  }

  /** The id that the service has for a lap; null: it has none; `unknown`: it does not know yet. */
  async #recordedId(lap: QueuedLap): Promise<string | null> {
    const { client } = this.#options;
    const { data } = await client.answered(() => client.POST('/api/v1/laps/batch', { body: { laps: [lap] } }));
    const [result] = data.results;
    if (result === undefined || result.verdict === 'retry') return 'unknown';
    return 'id' in result ? result.id : null;
  }

  #settledLap(id: string): QueuedLap | null {
    const { queue } = this.#options;
    const key = this.#keyOf(id);
    const lap = queue.laps.findLast((queued) => queued.key === key);
    return lap !== undefined && queue.isSettled(lap) ? lap : null;
  }

  /** Shows how many laps wait. */
  #count(): void {
    const { journal, queue, status } = this.#options;
    status.queued = queue.sendable;
    status.withoutDriver = queue.driverless.length;
    status.unmapped = journal.waitingLaps;
  }

  #keyOf(id: string): string {
    return `${this.#options.rigId}/${id}`;
  }

  #idOf({ key }: QueuedLap): string {
    return key.slice(key.indexOf('/') + 1);
  }

  /** Waits, or until there is something new to be sent, which may have come during the round. */
  async #idle(ms: number, isWoken: boolean): Promise<void> {
    if (isWoken && this.#isStale) return;
    const over = new AbortController();
    const signal = AbortSignal.any([this.#options.signal, over.signal]);
    const waits: Promise<unknown>[] = [pause(ms, undefined, { signal })];
    if (isWoken) waits.push(once(this.#wake, 'wake', { signal }));
    try {
      await Promise.race(waits);
    } catch (error) {
      if (!this.#options.signal.aborted) throw error;
    } finally {
      over.abort();
    }
  }
}

/** Something that is not mapped, and how many laps wait for it. */
interface MissingCount {
  readonly missing: Unmapped;
  laps: number;
}

/** Counts a lap for each thing of it that is not mapped, by its name. */
function countMissing(counts: Map<string, MissingCount>, missing: readonly Unmapped[]): void {
  for (const one of missing) {
    const count = counts.get(one.name) ?? { missing: one, laps: 0 };
    count.laps += 1;
    counts.set(one.name, count);
  }
}
