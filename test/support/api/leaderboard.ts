import { setImmediate as turn } from 'node:timers/promises';
import type { JsonObject } from '../../../src/kernel/json.ts';
import { idOf, textOf, type Client } from './client.ts';
import { bodies, enter, type Venue } from './venue.ts';

/** Schedules an event of its own at a venue. */
export async function createRace(admin: Client, venue: Venue) {
  const eventId = idOf(await admin.create('/api/v1/events', bodies.event(venue)));
  const body = bodies.lap({ ...venue, eventId });
  let last = 0;
  const later = async (write: () => Promise<JsonObject>): Promise<JsonObject> => {
    while (Date.now() <= last) await turn();
    const written = await write();
    last = Date.parse(textOf(written, 'updatedAt'));
    return written;
  };
  return {
    eventId,
    /** Registers a participant under a licence of their own. */
    enter: (firstName: string, lastName: string) => enter(admin, firstName, lastName),
    /** Records a lap in 1/1000 of so many sectors; later than whatever was answered before. */
    drive: (participantId: string, sectors: readonly number[], others: JsonObject = {}): Promise<JsonObject> => {
      const totalTime = sectors.reduce((sum, time) => sum + time, 0);
      return later(() => admin.create('/api/v1/laps', { ...body, participantId, sectors, totalTime, ...others }));
    },
    change: (lap: JsonObject, change: JsonObject) => later(() => admin.change(`/api/v1/laps/${idOf(lap)}`, change)),
    /** A page of the leaderboard. */
    board: async (query = '') => shownBoard(await admin.as(null).read(`/api/v1/events/${eventId}/leaderboard${query}`)),
  };
}

/** The event, and all that it takes to record laps in it. */
export type Race = Awaited<ReturnType<typeof createRace>>;

/** The parts of a leaderboard; every answer was held against the document. */
export function shownBoard(body: JsonObject) {
  return { rows: body['content'] as readonly JsonObject[], head: body['leaderboard'] as JsonObject };
}
