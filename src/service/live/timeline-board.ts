import { z } from 'zod';
import { racingEvents } from '../../../projections/racing-events.ts';
import { trackLayouts } from '../../../projections/track-layouts.ts';
import type { EventTimes } from '../../../queries/event-state.ts';
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
  const { minimum, times } = await rulesOf(filter, sources.store, ({ position, metadata: { occurredAt } }) => {
    return (next === undefined || position < next.position) && Date.parse(occurredAt) <= asOf;
  });
  const laps = new LapBoard(filter, { minimum, finishedAt: times.finishedAt }, lapsOf);
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
  /** The laps that the board shows of a participant after the changes that it has seen. */
  function* lapsOf(participantId: string): Generator<FactsOfLap> {
    const position = changes[board.index - 1]?.position ?? 0;
    for (const change of participants.get(participantId) ?? []) {
      const isSeen = change.position <= position;
      if (isSeen && holds(change, position) && laps.shows(change.after)) yield [change.lap, change.after];
    }
  }
  const board = {
    laps,
    /** Those of the event at the board's moment. */
    times,
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

/** The parts of events that set the minimum and the times. Events of release 0.1.0 lack the minimum. */
const Minimum = z.object({ minLapTime: z.int().nullable() });
const Times = z.object({ startsAt: z.string().nullable(), endsAt: z.string().nullable() });
const Finish = z.object({ finishedAt: z.string() });

const NO_TIMES: EventTimes = { startsAt: null, endsAt: null, finishedAt: null };

/** What counted on a board at some moment, and the times of its event: by events, as read models may be ahead of it. */
async function rulesOf(
  { eventId, trackLayoutId }: { readonly eventId: string; readonly trackLayoutId: string | null },
  store: Pick<EventStore, 'readStream'>,
  hadHappened: (event: RecordedEvent) => boolean,
): Promise<{ readonly minimum: number; readonly times: EventTimes }> {
  const read = async (stream: string) => {
    let minimum: z.output<typeof Minimum> | null = null;
    let times = NO_TIMES;
    for await (const batch of store.readStream(stream)) {
      for (const event of batch.filter(hadHappened)) {
        minimum = Minimum.safeParse(event.data).data ?? minimum;
        times = timesAfter(times, event);
      }
    }
    return { minimum, times };
  };
  const event = await read(streamOf(racingEvents.category, eventId));
  const layout = trackLayoutId === null ? null : await read(streamOf(trackLayouts.category, trackLayoutId));
  return { minimum: minimumIn(event.minimum, layout?.minimum ?? null), times: event.times };
}

function timesAfter(before: EventTimes, { type, data }: RecordedEvent): EventTimes {
  switch (type) {
    case 'EventScheduled':
    case 'EventRescheduled': {
      const { startsAt, endsAt } = Times.parse(data);
      return { startsAt, endsAt, finishedAt: before.finishedAt };
    }
    case 'EventFinished':
      return { ...before, finishedAt: Finish.parse(data).finishedAt };
    case 'EventReopened':
      return { ...before, finishedAt: null };
    default:
      return before;
  }
}
