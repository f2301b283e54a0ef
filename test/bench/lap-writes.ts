import { eventLayouts } from '../../projections/leaderboards/gathering-laps.ts';
import { builtInProjections } from '../../src/service/resources/built-in.ts';
import { laps } from '../../projections/laps.ts';
import { leaderboards } from '../../projections/leaderboards/leaderboards.ts';
import type { Change, Document } from '../../src/kernel/ports/read-store.ts';
import {
  dispatch,
  handlersByType,
  applyChange,
  targetIdOf,
  createUnitOfWork,
} from '../../src/kernel/projection/unit-of-work.ts';
import type { NewLap } from './laps.ts';

export const LAP_MODELS = [laps, leaderboards, eventLayouts] as const;

/** Read models whose documents gather many laps. */
const GATHERING: ReadonlySet<string> = new Set([leaderboards, eventLayouts].map(({ collection }) => collection));

/** A change made by a lap, and the document before and after. */
export interface LapWrite {
  readonly change: Change;
  readonly before: Document | null;
  readonly after: Document;
}

/** A document that laps refer to, with names as long as those of the fixtures. */
const NEIGHBOUR = {
  name: 'Bench cup 1',
  displayName: 'Layout 1',
  firstName: 'Ayrton',
  lastName: 'Tester 10',
  _created: 1,
  _position: 1,
  _revision: 0,
};

/** The writes of one transaction. */
export type LapWrites = readonly LapWrite[];

/** Laps per transaction: the size of the event store's deliveries. */
const BATCH = 256;

/** Computes, before time is taken, what the built-in projections write for laps. */
export function lapWriter(make: (count: number) => readonly NewLap[]) {
  const gathered = new Map<string, Document>();
  let writes: LapWrites = [];
  let position = 0;
  const unit = createUnitOfWork({
    get: async (collection, id) => (GATHERING.has(collection) ? (gathered.get(id) ?? null) : { id, ...NEIGHBOUR }),
    async *stream() {},
    apply: async (changes) => {
      writes = changes.map((change) => {
        const before = gathered.get(targetIdOf(change) ?? '') ?? null;
        const after = applyChange(before, change);
        if (after === null) throw new Error(`a ${change.kind} of a document that there is not`);
        if (GATHERING.has(change.collection)) gathered.set(after.id, after);
        return { change, before, after };
      });
    },
  });
  const handlers = handlersByType(builtInProjections);
  return async (count: number): Promise<readonly LapWrites[]> => {
    const batches: LapWrites[] = [];
    for (let left = count; left > 0; left -= BATCH) {
      const events = make(Math.min(left, BATCH)).map(({ id, event }) => {
        position += 1;
        return { ...event, stream: `lap-${id}`, revision: 0, position };
      });
      const poison = await dispatch(events, { handlers, unit });
      if (poison !== null) throw poison;
      await unit.commit(position);
      batches.push(writes);
    }
    return batches;
  };
}
