import type { RacingEventDocument } from '../../../projections/racing-events.ts';
import { carsOf, type BoardFilter } from '../../../queries/leaderboards/filters.ts';
import { countLap, layoutIdsOf, layoutsOf } from '../../../queries/leaderboards/layouts.ts';
import { headOf, shownRow } from '../../../queries/leaderboards/leaderboards.ts';
import type { Nameable } from '../../../queries/leaderboards/board-names.ts';
import { waitsIn, type Waiting } from '../../domain/queue-order.ts';
import type { Position } from '../../kernel/ports/event-store.ts';
import { positionAfter } from './changes.ts';
import type { Change, LapChange, OtherChange, QueueChange, SeatChange } from './changes.ts';
import { frameOf, instantOf, lapMessage, shownQueue, shownSeat, type Message } from './frames.ts';
import { positioned, sameSectors, shownRows, type RowDifference, type ShownRows } from './shown-rows.ts';
import type { SharedYielder } from './shared-yielder.ts';
import { boardAt, type TimelineBoard } from './timeline-board.ts';
import type { Timeline } from './timeline.ts';

/** Runs work in a turn. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

export interface LiveBoardOptions {
  readonly filter: BoardFilter;
  readonly yielder: SharedYielder;
  readonly signal: AbortSignal;
}

/** A board as it was made last: from then on, changes of laps are applied to it. */
interface Made {
  /** The racing event as it was then. */
  readonly event: RacingEventDocument;
  readonly board: TimelineBoard;
  readonly trackLayoutId: string | null;
  readonly shown: ShownRows;
  /** Who sits on which rig for the event, by rig. */
  readonly seats: Map<string, NonNullable<SeatChange['sitting']>>;
  /** Who waits. */
  queue: readonly Waiting[];
}

/** A board at a point of a timeline, and the events that each further change sends. */
export class LiveBoard {
  readonly timeline: Timeline;
  readonly #options: LiveBoardOptions;
  #made: Made;
  #whole: { readonly position: Position; readonly frame: Buffer } | null = null;
  /** The change for which `prepare` has fetched everything; null: none yet. */
  #prepared: Change | null = null;

  private constructor(timeline: Timeline, options: LiveBoardOptions, made: Made) {
    this.timeline = timeline;
    this.#options = options;
    this.#made = made;
  }

  /**
   * Makes the board after so many changes, in a turn. Waiting for the read models comes before the turn, in which no other
   * board can be made.
   * @throws the signal's reason
   */
  static async at(timeline: Timeline, index: number, options: LiveBoardOptions, turn: Turn): Promise<LiveBoard> {
    // What a kept timeline knows of the event may be from before its last reader left.
    await timeline.refresh(timeline.position);
    return new LiveBoard(timeline, options, await turn(() => madeAt(timeline, index, options)));
  }

  /** Number of changes that the board shows. */
  get index(): number {
    return this.#made.board.index;
  }

  /** Position of the last of them; 0 where there is none. */
  get position(): Position {
    return this.timeline.changes[this.index - 1]?.position ?? 0;
  }

  get next(): Change | undefined {
    return this.timeline.changes[this.index];
  }

  /** The whole board, made once for all readers who begin at the same change. */
  frame(): Buffer {
    const { position } = this;
    if (this.#whole?.position === position) return this.#whole.frame;
    const { laps, changedAt } = this.#made.board;
    const rows = positioned(laps).map((row) => shownRow(row, this.timeline.names));
    const at = changedAt === null ? null : instantOf(changedAt);
    const after = positionAfter(this.timeline.changes[this.index - 1]);
    const queue = shownQueue(this.#made.queue, this.timeline.names);
    const seats = this.#seats().toSorted((a, b) => (a.rigId < b.rigId ? -1 : 1));
    const frame = frameOf([{ event: 'board', data: { head: this.#head(), rows, seats, queue, at, position } }], after);
    this.#whole = { position, frame };
    return frame;
  }

  /** Whether the board can advance by a change without waiting for the read models. */
  isPrepared(change: Change): boolean {
    if (change === this.#prepared) return true;
    return isNaming(change) && this.timeline.names.knows(namedIn(change));
  }

  /**
   * Waits for what the board needs to advance by a change: call it outside of a turn.
   * @throws {StoreUnavailable} when the read models do not get there
   */
  async prepare(change: Change): Promise<void> {
    if (this.isPrepared(change)) return;
    if (isNaming(change)) await this.timeline.names.lookUp(namedIn(change), change.position);
    else await this.timeline.refresh(change.position);
    this.#prepared = change;
  }

  /**
   * Advances by one change, for which it is prepared; resolves to its events, or null if the board stays the same. May be
   * repeated.
   */
  async advance(change: Change): Promise<Buffer | null> {
    const { names } = this.timeline;
    if (this.#isMadeAnewBy(change)) {
      // Set together, without an await between: a reader may join at any time.
      this.#made = await madeAt(this.timeline, this.index + 1, this.#options);
      return this.frame();
    }
    const { board, shown } = this.#made;
    const { sectors } = board.laps;
    const touched = board.applyNext();
    if (change.kind === 'participant') return this.#renamed(change);
    if (change.kind === 'seat') return this.#seatTaken(change);
    if (change.kind === 'queue') return frameOf([this.#queued(change.queue)], positionAfter(change));
    if (change.kind !== 'lap' || touched.size === 0) return null;
    const rows = shown.update([...touched], names);
    const lap = lapMessage(change, names, !board.laps.shows(change.after));
    return frameOf([lap, ...this.#messages(rows, !sameSectors(sectors, board.laps.sectors))], positionAfter(change));
  }

  /** The seats of the rigs on which somebody sits; `participantId`: only those of one. */
  #seats(participantId?: string) {
    const { event, seats } = this.#made;
    const taken = [...seats].filter(
      ([, sitting]) => (participantId ?? sitting.participantId) === sitting.participantId,
    );
    return taken.map(([rigId, sitting]) => shownSeat(rigId, sitting, event.id, this.timeline.names));
  }

  #seatTaken(change: SeatChange): Buffer {
    const { id: rigId, sitting } = change;
    const { event, seats } = this.#made;
    if (sitting === null) seats.delete(rigId);
    else seats.set(rigId, sitting);
    const data = shownSeat(rigId, sitting, event.id, this.timeline.names);
    const messages: Message[] = [{ event: 'seat', data }];
    if (change.queue !== null) messages.push(this.#queued(change.queue));
    return frameOf(messages, positionAfter(change));
  }

  /** The event of a queue, which from now on is that of the board. */
  #queued(queue: readonly Waiting[]): Message {
    this.#made.queue = queue;
    return { event: 'queue', data: { queue: shownQueue(queue, this.timeline.names) } };
  }

  #renamed(change: OtherChange): Buffer | null {
    const { id: participantId } = change;
    const { board, shown } = this.#made;
    const rows = shown.has(participantId)
      ? [{ participantId, participantName: this.timeline.names.of(participantId) }]
      : [];
    const isBest = board.laps.sectors.some((best) => best.participantId === participantId);
    const seats = this.#seats(participantId).map((data): Message => ({ event: 'seat', data }));
    const messages = [...this.#messages(rows, isBest), ...seats];
    if (waitsIn(this.#made.queue, participantId)) messages.push(this.#queued(this.#made.queue));
    return messages.length === 0 ? null : frameOf(messages, positionAfter(change));
  }

  #messages(rows: readonly RowDifference[], hasOtherSectors: boolean): readonly Message[] {
    const messages: Message[] = rows.length === 0 ? [] : [{ event: 'rows', data: { rows } }];
    if (!hasOtherSectors) return messages;
    const { bestSectors, theoreticalBest } = this.#head();
    return [...messages, { event: 'heads', data: { bestSectors, theoreticalBest } }];
  }

  #head() {
    const { event, board, trackLayoutId } = this.#made;
    const { times } = board;
    const layouts = layoutsOf(event, board.laps.lapsByLayout);
    const { names, sources } = this.timeline;
    const now = sources.clock.now();
    return headOf({ event, board: board.laps, trackLayoutId, layouts, times }, { asOf: null, names, now });
  }

  #isMadeAnewBy(change: Change): boolean {
    const { trackLayoutId, carClassId } = this.#options.filter;
    if (change.kind === 'participant' || change.kind === 'seat' || change.kind === 'queue') return false;
    if (change.kind === 'class') return carClassId !== undefined;
    if (change.kind === 'license') return this.timeline.names.hasPeopleOf(change.id);
    if (change.kind === 'brand') return this.timeline.names.hasBrand(change.id);
    if (change.kind !== 'lap') return true;
    const { event, board } = this.#made;
    // The board of an event without layouts of its own is the layout with the most laps.
    if (trackLayoutId !== undefined || event.trackLayoutIds.length > 0) return false;
    const laps = new Map(board.laps.lapsByLayout);
    const { finishedAt } = board.times;
    if (change.before !== null) countLap(laps, change.before, { eventId: event.id, finishedAt, by: -1 });
    countLap(laps, change.after, { eventId: event.id, finishedAt, by: 1 });
    return (layoutIdsOf(event, laps)[0] ?? null) !== this.#made.trackLayoutId;
  }
}

/** Whether a change names things, of which it needs nothing but the names. */
function isNaming(change: Change): change is LapChange | SeatChange | QueueChange {
  return change.kind === 'lap' || change.kind === 'seat' || change.kind === 'queue';
}

function namedIn(change: LapChange | SeatChange | QueueChange): readonly Nameable[] {
  if (change.kind === 'queue') return waitingIn(change.queue);
  if (change.kind === 'seat') {
    const named: Nameable[] = [{ kind: 'rig', id: change.id }, ...waitingIn(change.queue ?? [])];
    if (change.sitting !== null) named.push({ kind: 'participant', id: change.sitting.participantId });
    return named;
  }
  const { participantId, rigId, car, trackId } = change.after;
  return [
    { kind: 'participant', id: participantId },
    { kind: 'rig', id: rigId },
    { kind: 'car', id: car },
    { kind: 'trackLayout', id: trackId },
  ];
}

function waitingIn(queue: readonly Waiting[]): readonly Nameable[] {
  return queue.map(({ participantId: id }) => ({ kind: 'participant', id }));
}

async function madeAt(timeline: Timeline, index: number, { filter, yielder, signal }: LiveBoardOptions): Promise<Made> {
  const { event, names, sources } = timeline;
  const cars = await carsOf(filter, sources.models);
  const boardOf = (trackLayoutId: string | null): Promise<TimelineBoard> =>
    boardAt(timeline, index, {
      filter: { eventId: event.id, trackLayoutId, validOnly: filter.validOnly, cars },
      asOf: Infinity,
      step: () => yielder.step(signal),
    });
  let trackLayoutId = filter.trackLayoutId ?? event.trackLayoutIds[0] ?? null;
  let board = await boardOf(trackLayoutId);
  const [most] = layoutIdsOf(event, board.laps.lapsByLayout);
  if (trackLayoutId === null && most !== undefined) {
    trackLayoutId = most;
    board = await boardOf(trackLayoutId);
  }
  const seats = seatsAt(timeline, index);
  const queue = queueAt(timeline, index);
  const layoutIds = [...layoutIdsOf(event, board.laps.lapsByLayout)];
  if (trackLayoutId !== null) layoutIds.push(trackLayoutId);
  const named = [
    ...board.laps.rows().map(({ participantId: id }) => ({ kind: 'participant', id }) as const),
    // Of all cars: a row may fall back on a lap with another one.
    ...Array.from(timeline.named.car, (id) => ({ kind: 'car', id }) as const),
    ...layoutIds.map((id) => ({ kind: 'trackLayout', id }) as const),
    ...waitingIn(queue),
    ...Array.from(seats.keys(), (id) => ({ kind: 'rig', id }) as const),
    ...Array.from(seats.values(), ({ participantId: id }) => ({ kind: 'participant', id }) as const),
  ];
  // Null: it need not wait, since the read models reflect what the board shows.
  await names.lookUp(named, null);
  return { event, board, trackLayoutId, shown: shownRows(board.laps), seats, queue };
}

/** Who waits after so many changes of a timeline. */
function queueAt({ changes, queues }: Timeline, index: number): readonly Waiting[] {
  const position = changes[index - 1]?.position ?? 0;
  return queues.findLast((change) => change.position <= position)?.queue ?? [];
}

/** Who sits on which rig after so many changes of a timeline. */
function seatsAt({ changes, seats }: Timeline, index: number): Made['seats'] {
  const position = changes[index - 1]?.position ?? 0;
  const taken: Made['seats'] = new Map();
  for (const { position: changedAt, id, sitting } of seats) {
    if (changedAt > position) break;
    if (sitting === null) taken.delete(id);
    else taken.set(id, sitting);
  }
  return taken;
}
