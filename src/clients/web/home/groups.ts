import { eventStateAt, type EventTimes } from '../shared/event-state.ts';

const PHASES = ['running', 'coming', 'undated', 'past'] as const;
export type Phase = (typeof PHASES)[number];

/** Whether an event runs at a moment (ms), will run, has run, or has no date. */
export function phaseAt(event: EventTimes, now: number): Phase {
  const state = eventStateAt(event, now);
  if (state === 'finished') return 'past';
  if (state === 'upcoming') return 'coming';
  return event.startsAt === null ? 'undated' : 'running';
}

/** Events of one phase and day. */
export interface DayOfEvents<E> {
  readonly phase: Phase;
  /** As it is shown; null: those that run, or have no date, are not grouped by days. */
  readonly day: string | null;
  readonly events: readonly E[];
}

/**
 * Events in the order in which people look for them: what runs, what comes, the next first, what has no date, and what
 * was, the last first.
 * @param dayOf shows the day of an event; null: it has none
 */
export function groupedEvents<E extends EventTimes>(
  events: readonly E[],
  now: number,
  dayOf: (event: E) => string | null,
): readonly DayOfEvents<E>[] {
  return PHASES.flatMap((phase) => {
    const ofPhase = events.filter((event) => phaseAt(event, now) === phase);
    ofPhase.sort((a, b) => compare(a.startsAt, b.startsAt) * (phase === 'coming' ? 1 : -1));
    const days = new Map<string | null, E[]>();
    for (const event of ofPhase) {
      const day = phase === 'coming' || phase === 'past' ? dayOf(event) : null;
      const known = days.get(day);
      if (known === undefined) days.set(day, [event]);
      else known.push(event);
    }
    return [...days].map(([day, ofDay]) => ({ phase, day, events: ofDay }));
  });
}

function compare(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return (a ?? '') < (b ?? '') ? -1 : 1;
}
