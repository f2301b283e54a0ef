import { z } from 'zod';
import { racingEvents } from '../../../projections/racing-events.ts';
import { trackLayouts } from '../../../projections/track-layouts.ts';
import { minimumIn } from '../../../queries/leaderboards/filters.ts';
import { LapBoard, type FactsOfLap, type LapFilter } from '../../../queries/leaderboards/lap-board.ts';
import { streamOf } from '../../kernel/stream-names.ts';
import type { EventStore, RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { LapChange } from './changes.ts';
import type { Timeline } from './timeline.ts';

export interface TimelineBoardOptions {
  readonly filter: LapFilter;
  /** Epoch ms; Infinity: now. What happened later is left out. */
  readonly asOf: number;
  /** Call it before each change, and await what it returns. */
  readonly step: () => Promise<void> | null;
}

const NOBODY: ReadonlySet<string> = new Set();

/** A board at a point of a timeline: made with one pass up to there, and then changed by one change after another. */
export type TimelineBoard = Awaited<ReturnType<typeof boardAt>>;

/** The board after the first `index` changes. @throws what `step` throws */
export async function boardAt(timeline: Timeline, index: number, { filter, asOf, step }: TimelineBoardOptions) {
  const { changes, participants, sources } = timeline;
  const last = changes[index - 1];
  const next = changes[index];
  const minimum = await minimumOf(filter, sources.store, ({ position, metadata: { occurredAt } }) => {
    return (next === undefined || position < next.position) && Date.parse(occurredAt) <= asOf;
  });
  const laps = new LapBoard(filter, minimum);
  /** Whether a change is the newest of its lap, at the board's moment, up to a position. */
  const holds = ({ at, next: later }: LapChange, position: number): boolean =>
    at <= asOf && (later === null || later.position > position || later.at > asOf);
  /** The laps on the board of the participant whose lap is changed, without that lap. */
  function* othersOf({ lap, position }: LapChange, participantId: string): Generator<FactsOfLap> {
    for (const other of participants.get(participantId) ?? []) {
      const isOther = other.lap !== lap && other.position < position;
      if (isOther && holds(other, position) && laps.shows(other.after)) yield [other.lap, other.after];
    }
  }
  const board = {
    laps,
    /** Number of changes that it has seen. */
    index: 0,
    /** When the newest change that it shows happened, epoch ms; null: it shows none. */
    changedAt: null as number | null,
    /** Applies the next change, and returns the participants whose rows it may change. */
    applyNext(): ReadonlySet<string> {
      const change = changes[board.index];
      board.index += 1;
      if (change?.kind !== 'lap') return NOBODY;
      const { lap, before, after, at } = change;
      if (at > asOf) return NOBODY;
      const touched = new Set<string>();
      if (before !== null && laps.shows(before)) touched.add(before.participantId);
      if (laps.shows(after)) touched.add(after.participantId);
      if (touched.size > 0) board.changedAt = at;
      if (before === null) laps.add(lap, after);
      else laps.change(lap, [before, after], () => othersOf(change, before.participantId));
      return touched;
    },
  };
  for (; board.index < index; board.index += 1) {
    const change = changes[board.index];
    if (change?.kind === 'lap') {
      const { lap, before, after, at } = change;
      // Of the changes of a lap, the newest is enough.
      if (holds(change, last?.position ?? 0)) laps.add(lap, after);
      if (laps.shows(after) || (before !== null && laps.shows(before))) board.changedAt = at;
    }
    // Awaited only when there is something to wait for: a pass goes over up to 250,000 changes.
    const pause = step();
    if (pause !== null) await pause;
  }
  return board;
}

/** The part of an event that sets the minimum. Events of release 0.1.0 lack it. */
const Minimum = z.object({ minLapTime: z.int().nullable() });

/** The shortest lap, in ms, that counted on a board at some moment: by events, as read models may be ahead of it. */
async function minimumOf(
  { eventId, trackLayoutId }: { readonly eventId: string; readonly trackLayoutId: string | null },
  store: Pick<EventStore, 'readStream'>,
  hadHappened: (event: RecordedEvent) => boolean,
): Promise<number> {
  const lastOf = async (stream: string): Promise<z.output<typeof Minimum> | null> => {
    let last: z.output<typeof Minimum> | null = null;
    for await (const batch of store.readStream(stream)) {
      for (const event of batch.filter(hadHappened)) last = Minimum.safeParse(event.data).data ?? last;
    }
    return last;
  };
  const layout = trackLayoutId === null ? null : await lastOf(streamOf(trackLayouts.category, trackLayoutId));
  return minimumIn(await lastOf(streamOf(racingEvents.category, eventId)), layout);
}
