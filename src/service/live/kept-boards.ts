import { LRUCache } from 'lru-cache';
import {
  LapBoard,
  type FactsOfLap,
  type LapBoardSnapshot,
  type LapFilter,
} from '../../../queries/leaderboards/lap-board.ts';
import type { Turn } from '../../../queries/leaderboards/sources.ts';
import { Yielder } from '../domain/give-way.ts';
import type { Position } from '../kernel/ports/event-store.ts';
import { ENTRIES_PER_DOCUMENT, type Visits } from '../kernel/ports/read-store.ts';
import type { LapChange } from './changes.ts';
import { minimumOf } from './minimum.ts';
import type { Timeline } from './timeline.ts';
import type { Waiting } from './waiting.ts';

/** Most participants on all boards that are kept: each takes about 1 kB. */
const MAX_PARTICIPANTS = 50_000;

export interface LapBoardRequest extends Waiting {
  readonly filter: LapFilter;
  /** Epoch ms; Infinity: now. */
  readonly asOf: number;
  /** Runs what takes long. */
  readonly turn: Turn;
  readonly visits?: Visits;
}

/** Changes that are seen without a turn. */
const FEW_CHANGES = 1_000;

/** The boards that were asked for last. Whoever asks for one again gets it with the changes since. */
export class KeptBoards {
  readonly #boards = new LRUCache<string, KeptBoard>({
    maxSize: MAX_PARTICIPANTS,
    sizeCalculation: ({ timeline }) => timeline.named.participant.size + 1,
  });

  board(timeline: Timeline, request: LapBoardRequest): Promise<LapBoardSnapshot> {
    const { eventId, trackLayoutId, validOnly, cars } = request.filter;
    const key = JSON.stringify([eventId, trackLayoutId, validOnly, cars && [...cars], request.asOf]);
    const known = this.#boards.get(key);
    if (known?.timeline === timeline) return known.snapshot(request);
    const board = new KeptBoard(timeline, request);
    this.#boards.set(key, board);
    return board.snapshot(request);
  }

  drop(timeline: Timeline): void {
    for (const [key, board] of this.#boards) if (board.timeline === timeline) this.#boards.delete(key);
  }
}

/** A board that is made with one pass over a timeline, and then changed by the changes that have come since. */
class KeptBoard {
  readonly timeline: Timeline;
  readonly #filter: LapFilter;
  readonly #asOf: number;
  #board: LapBoard;
  /** Number of changes of the timeline that it has seen. */
  #index = 0;
  #snapshot: LapBoardSnapshot;
  /** Those who ask at once wait for the same work. */
  #advanced = Promise.resolve();

  constructor(timeline: Timeline, { filter, asOf }: LapBoardRequest) {
    this.timeline = timeline;
    this.#filter = filter;
    this.#asOf = asOf;
    this.#board = new LapBoard(filter, 1);
    this.#snapshot = this.#board.snapshot();
  }

  async snapshot({ turn, visits }: Pick<LapBoardRequest, 'turn' | 'visits'>): Promise<LapBoardSnapshot> {
    const advance = (): Promise<void> => {
      const work = (): Promise<void> => this.#advance(visits);
      // A store that failed those before may answer again.
      this.#advanced = this.#advanced.then(work, work);
      return this.#advanced;
    };
    const { changes } = this.timeline;
    const toApply = this.#hasOtherMinimum() ? changes.length : changes.length - this.#index;
    await (toApply > FEW_CHANGES ? turn(advance) : advance());
    return this.#snapshot;
  }

  async #advance(visits?: Visits): Promise<void> {
    const { changes } = this.timeline;
    const to = changes.length;
    if (this.#index === to) return;
    const last = changes[to - 1]?.position ?? 0;
    if (this.#index === 0 || this.#hasOtherMinimum()) await this.#startAgain(last);
    const from = this.#index;
    if (visits) visits.documents += (to - from) / ENTRIES_PER_DOCUMENT;
    const yielder = new Yielder();
    for (; this.#index < to; this.#index += 1) {
      const change = changes[this.#index];
      if (change?.kind === 'lap') this.#apply(change, from === 0 ? last : null);
      const pause = yielder.step();
      if (pause !== null) await pause;
    }
    this.#snapshot = this.#board.snapshot();
  }

  /** Whether changes to come say that laps of other times are too short. */
  #hasOtherMinimum(): boolean {
    const { changes } = this.timeline;
    for (let n = this.#index; n < changes.length; n += 1) if (changes[n]?.kind === 'minimum') return true;
    return false;
  }

  /** Begins a board of the laps that are long enough after the change at a position. */
  async #startAgain(last: Position): Promise<void> {
    const { store } = this.timeline.sources;
    const minimum = await minimumOf(this.#filter, store, ({ position, metadata: { occurredAt } }) => {
      return position <= last && Date.parse(occurredAt) <= this.#asOf;
    });
    this.#board = new LapBoard(this.#filter, minimum);
    this.#index = 0;
  }

  /** Applies a change; on a first pass up to a position, it only adds the lap if no later change of it does. */
  #apply(change: LapChange, firstPass: Position | null): void {
    const { lap, before, after, at } = change;
    if (firstPass !== null) {
      if (this.#holds(change, firstPass)) this.#board.add(lap, after);
      return;
    }
    if (at > this.#asOf) return;
    if (before === null) this.#board.add(lap, after);
    else this.#board.change(lap, [before, after], () => this.#others(change));
  }

  /** Whether a change is the newest of its lap, at the board's moment, up to a position. */
  #holds({ at, next }: LapChange, position: Position): boolean {
    return at <= this.#asOf && (next === null || next.position > position || next.at > this.#asOf);
  }

  /** The laps on the board of the participant whose lap is changed, without that lap. */
  *#others({ lap, before, position }: LapChange): Generator<FactsOfLap> {
    for (let n = 0; n < this.#index; n += 1) {
      const change = this.timeline.changes[n];
      if (change?.kind !== 'lap' || change.lap === lap || change.after.participantId !== before?.participantId)
        continue;
      if (this.#holds(change, position) && this.#board.shows(change.after)) yield [change.lap, change.after];
    }
  }
}
