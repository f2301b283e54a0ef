import {
  leaderboardPage,
  type LeaderboardRequest,
  type LeaderboardRow,
} from '../../../queries/leaderboards/leaderboards.ts';
import { systemClock } from '../../../infra/system/system.ts';
import { Allowance, type BoardSources } from '../../../queries/leaderboards/sources.ts';
import { JoinedBody } from '../../../src/service/http/joined-body.ts';
import type { RecordedEvent } from '../../../src/kernel/ports/event-store.ts';
import type { ReadModels } from '../../../src/kernel/ports/read-store.ts';
import { CachedBoards } from '../../../src/service/live/cached-boards.ts';
import { loadTimeline } from '../../../src/service/live/load-timeline.ts';
import { STAYS } from './running.ts';

interface Given {
  readonly allowance?: Allowance;
  /** What happened to racing events and layouts. */
  readonly events?: readonly RecordedEvent[];
  readonly isFollowed?: boolean;
}

/** The sources of boards in read models that nobody changes. */
export function boardSources(
  models: ReadModels,
  { allowance = new Allowance(), events = [], isFollowed = true }: Given = {},
): BoardSources {
  const store = {
    async *readStream(name: string) {
      yield events.filter(({ stream }) => stream === name);
    },
  };
  const reflect = async () => undefined;
  return {
    models,
    clock: systemClock,
    allowance,
    turn: (work) => work(),
    isFollowed: () => isFollowed,
    async lapBoard(filter, asOf) {
      const { signal } = STAYS;
      const request = { eventId: filter.eventId, position: Number.MAX_SAFE_INTEGER, signal };
      const timeline = await loadTimeline({ ...request, sources: { models, store, reflect, clock: systemClock } });
      return timeline && new CachedBoards().board(timeline, { filter, asOf, turn: (work) => work(), ...STAYS });
    },
  };
}

/** A page of a leaderboard with its rows as clients read them; null when there is no such event. */
export async function shownPage(request: LeaderboardRequest, sources: BoardSources) {
  const page = await leaderboardPage(request, sources);
  // Together they are the JSON of rows.
  return (
    page && { ...page, rows: JSON.parse(new JoinedBody('[', page.rows, ']').bytes.toString()) as LeaderboardRow[] }
  );
}

/** Read models whose documents are other objects each time: nothing is known of them from before. */
export function anew(models: ReadModels): ReadModels {
  return { ...models, find: async (collection, query) => structuredClone(await models.find(collection, query)) };
}
