import { z } from 'zod';
import { Allowance } from '../../queries/leaderboard-sources.ts';
import {
  boardCollections,
  leaderboardPage,
  LeaderboardHeadView,
  LeaderboardRowView,
} from '../../queries/leaderboards.ts';
import { racingEventQuery } from '../../queries/racing-events.ts';
import { reference } from '../domain/examples.ts';
import { instant } from '../domain/fields.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { flag, pageEnvelope, pageAndSize, pageSchema } from '../http/paging.ts';
import type { ApiContext } from './context.ts';
import { rowBase, notFoundProblem } from './reads.ts';

const LeaderboardQuery = z.object({
  ...pageAndSize,
  trackLayoutId: reference('trackLayout', 'Laps on this layout only.').optional(),
  carId: reference('car', 'Laps with this car only.').optional(),
  carClassId: reference('carClass', 'Laps with cars that are of this class now.').optional(),
  validOnly: flag(true, 'Whether only valid laps count for the best.'),
  asOf: instant
    .optional()
    .meta({
      description:
        'The board as it was at this moment; one to come gives that of now. ' +
        'Names and car classes are those of now.',
      examples: ['2026-05-01T20:15:00Z'],
    }),
});

const { shape } = pageSchema(LeaderboardRowView, 'LeaderboardRows');
const LeaderboardView = z
  .object({ ...shape, leaderboard: LeaderboardHeadView })
  .meta({ id: 'Leaderboard', description: 'A page of a leaderboard.' });

/** GET of an event's leaderboard: public like the event, and for a disabled one too, as it is by its id. */
export function leaderboardRow(api: ApiContext, path: string): Endpoint {
  return endpoint({
    ...rowBase('GET', path, racingEventQuery),
    operationId: 'getLeaderboard',
    summary: 'Get a page of the leaderboard of an event',
    description: 'The best lap of each driver, the fastest first.',
    access: 'public',
    params: z.object({ eventId: reference('event', 'Id of the event.') }),
    query: LeaderboardQuery,
    responses: { 200: LeaderboardView },
    features: ['etag'],
    handle: ({ params: { eventId }, query, signal }) => ({
      kind: 'computed',
      version: () => api.models.version(boardCollections),
      async body() {
        const allowance = new Allowance({ budget: api.queryBudget, signal });
        const found = await leaderboardPage({ ...query, eventId }, { models: api.models, allowance });
        if (found === null) throw notFoundProblem();
        return { ...pageEnvelope(found.rows, query, found.total), leaderboard: found.head };
      },
    }),
  });
}
