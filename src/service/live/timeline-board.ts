import { LapBoard, type FactsOfLap, type LapFilter } from '../../../queries/leaderboards/lap-board.ts';
import type { LapChange } from './changes.ts';
import { minimumOf } from './minimum.ts';
import type { Timeline } from './timeline.ts';

export interface TimelineBoardOptions {
  readonly filter: LapFilter;
  /** Epoch ms; Infinity: now. What happened later is left out. */
  readonly asOf: number;
  /** Call it before each change, and await what it returns. */
  readonly step: () => Promise<void> | null;
}

const NOBODY: ReadonlySet<string> = new Set();

/** A board at a point of a timeline: made with one pass up to there, and then changed by one change after the other. */
export class TimelineBoard {
  readonly laps: LapBoard;
  /** Number of changes that it has seen. */
  index = 0;
  /** When the newest change that it shows happened, epoch ms; null: it shows none. */
  changedAt: number | null = null;
  readonly #timeline: Timeline;
  readonly #asOf: number;

  private constructor(timeline: Timeline, laps: LapBoard, asOf: number) {
    this.#timeline = timeline;
    this.laps = laps;
    this.#asOf = asOf;
  }

  /** The board after the first `index` changes. @throws what `step` throws */
  static async at(timeline: Timeline, index: number, options: TimelineBoardOptions): Promise<TimelineBoard> {
    const { filter, asOf, step } = options;
    const [last, next] = [timeline.changes[index - 1], timeline.changes[index]];
    const minimum = await minimumOf(filter, timeline.sources.store, ({ position, metadata: { occurredAt } }) => {
      return (next === undefined || position < next.position) && Date.parse(occurredAt) <= asOf;
    });
    const board = new TimelineBoard(timeline, new LapBoard(filter, minimum), asOf);
    for (; board.index < index; board.index += 1) {
      const change = timeline.changes[board.index];
      if (change?.kind === 'lap') {
        const { lap, before, after, at } = change;
        // Of the changes of a lap, the newest is enough.
        if (board.#holds(change, last?.position ?? 0)) board.laps.add(lap, after);
        if (board.laps.shows(after) || (before !== null && board.laps.shows(before))) board.changedAt = at;
      }
      const others = step();
      if (others !== null) await others;
    }
    return board;
  }

  /** Applies the next change, and returns the participants whose rows it may change. */
  applyNext(): ReadonlySet<string> {
    const change = this.#timeline.changes[this.index];
    this.index += 1;
    if (change?.kind !== 'lap') return NOBODY;
    const { lap, before, after, at } = change;
    if (at > this.#asOf) return NOBODY;
    const touched = new Set<string>();
    if (before !== null && this.laps.shows(before)) touched.add(before.participantId);
    if (this.laps.shows(after)) touched.add(after.participantId);
    if (touched.size > 0) this.changedAt = at;
    if (before === null) this.laps.add(lap, after);
    else this.laps.change(lap, [before, after], () => this.#others(change, before.participantId));
    return touched;
  }

  /** Whether a change is the newest of its lap, at the board's moment, up to a position. */
  #holds({ at, next }: LapChange, position: number): boolean {
    return at <= this.#asOf && (next === null || next.position > position || next.at > this.#asOf);
  }

  /** The laps on the board of the participant whose lap is changed, without that lap. */
  *#others({ lap, position }: LapChange, participantId: string): Generator<FactsOfLap> {
    for (const other of this.#timeline.participants.get(participantId) ?? []) {
      const isOther = other.lap !== lap && other.position < position;
      if (isOther && this.#holds(other, position) && this.laps.shows(other.after)) yield [other.lap, other.after];
    }
  }
}
