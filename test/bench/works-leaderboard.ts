import { z } from 'zod';
import type { Call } from './load.ts';
import { atMost, cpuResult, type Result } from './result.ts';
import { compare } from './rounds.ts';
import type { World } from './world.ts';
import { drive, get, PAGE_SIZE, pageOf } from './works-http.ts';

const CONNECTIONS = 8;
/** Laps of each participant. */
const LAPS_EACH = 20;
const ROWS = 100;

const BoardShown = z.object({
  content: z.array(z.object({ position: z.number(), participantName: z.string().min(1) })),
  totalElements: z.number(),
  leaderboard: z.object({ theoreticalBest: z.number().nullable() }),
});

/** The first rows of the leaderboard of an event with many laps and participants, against page 0 of its laps. */
export async function leaderboard(world: World): Promise<Result[]> {
  const { middle, rounds } = world.scale;
  const participants = middle / LAPS_EACH;
  const server = await world.service(await world.crowded(middle, participants));
  const {
    eventIds: [eventId = ''],
  } = await world.fixtures();
  const work = `first ${ROWS} rows of the leaderboard of ${participants} in ${middle} laps`;
  const side = (label: string, next: () => Call) => drive(world, { server, label, connections: CONNECTIONS, next });
  const page = await side(`page of ${PAGE_SIZE} laps`, pageOf(0, middle));
  return [cpuResult(work, atMost(6), await compare(await side(work, boardOf(eventId)), page, rounds))];
}

/** Requests for the first rows of an event's leaderboard. */
function boardOf(eventId: string): () => Call {
  const call = get(`/api/v1/events/${eventId}/leaderboard?size=${ROWS}`, (body) => {
    const { content, totalElements } = BoardShown.parse(JSON.parse(body));
    return content.length === ROWS && totalElements > ROWS && content[0]?.position === 1;
  });
  return () => call;
}
