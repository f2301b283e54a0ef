import { z } from 'zod';
import type { Call } from './load.ts';
import { atMost, type Result } from './result.ts';
import type { World } from './world.ts';
import { againstSameBytes, get } from './works-http.ts';

/** Laps in the event, and who drove them. */
const LAPS = 5_000;
const PARTICIPANTS = 120;
const ROWS = 100;

const BoardShown = z.object({
  content: z.array(z.object({ position: z.number(), participantName: z.string().min(1) })),
  totalElements: z.number(),
  leaderboard: z.object({ theoreticalBest: z.number().nullable() }),
});

/** The first rows of the leaderboard of an event, against a plain server that answers the same bytes. */
export async function leaderboard(world: World): Promise<Result[]> {
  const server = await world.service(await world.crowded(LAPS, PARTICIPANTS));
  const {
    eventIds: [eventId = ''],
  } = await world.fixtures();
  const work = `first ${ROWS} rows of the leaderboard of ${PARTICIPANTS} in ${LAPS} laps`;
  return [await againstSameBytes(world, { work, goal: atMost(4), server, next: boardOf(eventId, { rows: ROWS }) })];
}

/** Requests for the first rows of an event's leaderboard, which must have so many at least. */
export function boardOf(eventId: string, { rows }: { readonly rows: number }): () => Call {
  const call = get(`/api/v1/events/${eventId}/leaderboard?size=${ROWS}`, (body) => {
    const { content, totalElements } = BoardShown.parse(JSON.parse(body));
    return content.length >= rows && totalElements >= rows && content[0]?.position === 1;
  });
  return () => call;
}
