import { carsOf, type BoardFilter } from '../../../queries/leaderboards/filters.ts';
import { countLap, layoutIdsOf } from '../../../queries/leaderboards/layouts.ts';
import type { Nameable } from '../../../queries/leaderboards/names.ts';
import type { Position, RecordedEvent } from '../kernel/ports/event-store.ts';
import type { Change } from './changes.ts';
import { boardFrame, lapFrame, renameFrame } from './frames.ts';
import { LiveBoard } from './live-board.ts';
import { minimumOf } from './minimum.ts';
import type { SharedYielder } from './shared-yielder.ts';
import type { Timeline } from './timeline.ts';

export interface CursorOptions {
  readonly filter: BoardFilter;
  readonly yielder: SharedYielder;
  /** Stops the work when it aborts. */
  readonly signal: AbortSignal;
}

export class Cursor {
  readonly timeline: Timeline;
  readonly #options: CursorOptions;
  #board: LiveBoard;
  #index: number;

  private constructor(
    timeline: Timeline,
    options: CursorOptions,
    { board, index }: { readonly board: LiveBoard; readonly index: number },
  ) {
    this.timeline = timeline;
    this.#options = options;
    this.#board = board;
    this.#index = index;
  }

  /** A cursor at the board after this many changes. @throws the signal's reason */
  static async at(timeline: Timeline, index: number, options: CursorOptions): Promise<Cursor> {
    // What a kept timeline knows of the event may be from before its last reader left.
    await timeline.refresh(timeline.position);
    return new Cursor(timeline, options, { board: await boardAt(timeline, index, options), index });
  }

  /** Number of changes that the board shows. */
  get index(): number {
    return this.#index;
  }

  /** Position of the last of them; 0 where there is none. */
  get position(): Position {
    return this.timeline.changes[this.#index - 1]?.position ?? 0;
  }

  get next(): Change | undefined {
    return this.timeline.changes[this.#index];
  }

  board(): Buffer {
    return boardFrame(this.#board, this.timeline.names, this.position);
  }

  /** Advances by one change; resolves to its events, or null if the board stays the same. May be repeated. */
  async advance(change: Change): Promise<Buffer | null> {
    const { names } = this.timeline;
    if (change.kind === 'lap') {
      const lookUp = names.lookUp(namedIn(change));
      if (lookUp !== null) await lookUp;
    } else if (change.kind !== 'rename') await this.timeline.refresh(change.position);
    if (this.#changesBoard(change)) {
      // Set together, without an await between: a reader may join at any time.
      const board = await boardAt(this.timeline, this.#index + 1, this.#options);
      this.#board = board;
      this.#index += 1;
      return this.board();
    }
    this.#index += 1;
    if (change.kind === 'lap') return lapFrame(this.#board, change, names);
    return change.kind === 'rename' ? renameFrame(this.#board, change, names) : null;
  }

  #changesBoard(change: Change): boolean {
    const { trackLayoutId, carClassId } = this.#options.filter;
    if (change.kind === 'event' || change.kind === 'minimum') return true;
    if (change.kind === 'class') return carClassId !== undefined;
    if (change.kind === 'brand') return this.timeline.names.hasBrand(change.carBrandId);
    // The board of an event without layouts of its own is the layout with the most laps.
    const mayMove =
      change.kind === 'lap' && trackLayoutId === undefined && this.timeline.event.trackLayoutIds.length === 0;
    return mayMove && this.#board.firstLayoutAfter(change) !== this.#board.trackLayoutId;
  }
}

function namedIn({
  after: { participantId, rigId, car, trackId },
}: Extract<Change, { kind: 'lap' }>): readonly Nameable[] {
  return [
    { kind: 'participant', id: participantId },
    { kind: 'rig', id: rigId },
    { kind: 'car', id: car },
    { kind: 'trackLayout', id: trackId },
  ];
}

async function boardAt(timeline: Timeline, index: number, options: CursorOptions): Promise<LiveBoard> {
  const { event, names } = timeline;
  const { filter } = options;
  const trackLayoutId = filter.trackLayoutId ?? (await firstLayout(timeline, index, options));
  const cars = await carsOf(filter, timeline.sources.models);
  const { [index]: next } = timeline.changes;
  const shown = { eventId: event.id, trackLayoutId };
  const hadHappened = ({ position }: RecordedEvent): boolean => next === undefined || position < next.position;
  const minimum = await minimumOf(shown, timeline.sources.store, hadHappened);
  const board = new LiveBoard(event, { ...shown, validOnly: filter.validOnly, cars }, minimum);
  for (let n = 0; n < index; n += 1) {
    const change = timeline.changes[n];
    if (change?.kind === 'lap') board.apply(change);
    const others = options.yielder.step(options.signal);
    if (others !== null) await others;
  }
  board.sort();
  await names.lookUp([...board.named()]);
  return board;
}

/** The first layout of the event; if it has none of its own, the layout with the most laps by then. */
async function firstLayout(
  { event, changes }: Timeline,
  index: number,
  options: CursorOptions,
): Promise<string | null> {
  const laps = new Map<string, number>();
  const { id: eventId } = event;
  for (const change of event.trackLayoutIds.length > 0 ? [] : changes.slice(0, index)) {
    const others = options.yielder.step(options.signal);
    if (others !== null) await others;
    if (change.kind !== 'lap') continue;
    if (change.before !== null) countLap(laps, change.before, { eventId, by: -1 });
    countLap(laps, change.after, { eventId, by: 1 });
  }
  return layoutIdsOf(event, laps)[0] ?? null;
}
