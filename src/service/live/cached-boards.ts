import { LRUCache } from 'lru-cache';
import type { EventBoard, LapFilter } from '../../../queries/leaderboards/lap-board.ts';
import type { Turn } from '../../../queries/leaderboards/sources.ts';
import type { AnyRequester } from '../http/requester.ts';
import { createYielder } from '../../runtime/give-way.ts';
import { ENTRIES_PER_DOCUMENT, type Visits } from '../../kernel/ports/read-store.ts';
import type { Timeline } from './timeline.ts';
import { boardAt, type TimelineBoard } from './timeline-board.ts';

/** Most participants on all cached boards. Each takes about 1 kB. */
const MAX_PARTICIPANTS = 50_000;

export interface LapBoardRequest extends AnyRequester {
  readonly filter: LapFilter;
  /** Epoch ms; Infinity: now. */
  readonly asOf: number;
  readonly turn: Turn;
  readonly visits?: Visits;
}

/** Changes that are applied without a turn. */
const FEW_CHANGES = 1_000;

/** Cache of the boards that were requested last. A board that is requested again only applies the changes since. */
export class CachedBoards {
  readonly #boards = new LRUCache<string, CachedBoard>({
    maxSize: MAX_PARTICIPANTS,
    sizeCalculation: ({ timeline }) => timeline.participants.size + 1,
  });

  board(timeline: Timeline, request: LapBoardRequest): Promise<EventBoard> {
    const { eventId, trackLayoutId, validOnly, cars } = request.filter;
    const key = JSON.stringify([eventId, trackLayoutId, validOnly, cars && [...cars], request.asOf]);
    const known = this.#boards.get(key);
    if (known?.timeline === timeline) return known.snapshot(request);
    const board = cachedBoard(timeline, request);
    this.#boards.set(key, board);
    return board.snapshot(request);
  }

  drop(timeline: Timeline): void {
    for (const [key, board] of this.#boards) if (board.timeline === timeline) this.#boards.delete(key);
  }
}

type CachedBoard = ReturnType<typeof cachedBoard>;

/** A board that is made with one pass over a timeline, and then applies the changes since. */
function cachedBoard(timeline: Timeline, { filter, asOf }: LapBoardRequest) {
  const { changes } = timeline;
  let made: { readonly board: TimelineBoard; readonly snapshot: EventBoard } | null = null;
  /** The newest work on the board: concurrent requests wait for one another. */
  let advanced: Promise<unknown> = Promise.resolve();
  /** Number of changes that the board has applied; 0 if it must be made anew. */
  function seen(): number {
    const index = made?.board.index ?? 0;
    for (let n = index; n < changes.length; n += 1) {
      const kind = changes[n]?.kind;
      if (kind === 'minimum' || kind === 'times') return 0;
    }
    return index;
  }
  async function advance(visits?: Visits): Promise<EventBoard> {
    const from = seen();
    const to = changes.length;
    if (visits) visits.documents += (to - from) / ENTRIES_PER_DOCUMENT;
    const step = createYielder();
    const cached = from === 0 ? null : made;
    if (cached !== null && from === to) return cached.snapshot;
    const board = cached?.board ?? (await boardAt(timeline, to, { filter, asOf, step }));
    while (board.index < to) {
      board.applyNext();
      const pause = step();
      if (pause !== null) await pause;
    }
    const snapshot = { ...board.laps.snapshot(), times: board.times };
    made = { board, snapshot };
    return snapshot;
  }
  return {
    timeline,
    snapshot({ turn, visits }: Pick<LapBoardRequest, 'turn' | 'visits'>): Promise<EventBoard> {
      const next = (): Promise<EventBoard> => {
        const work = (): Promise<EventBoard> => advance(visits);
        // Also after work that failed: the store may answer again.
        const result = advanced.then(work, work);
        advanced = result;
        return result;
      };
      return changes.length - seen() > FEW_CHANGES ? turn(next) : next();
    },
  };
}
