import { setImmediate as turn } from 'node:timers/promises';
import type { JsonObject } from '../../../src/service/kernel/json.ts';
import { idOf, textOf, type Client } from './client.ts';
import { bodies, enter, type Venue } from './venue.ts';

/** An event of its own at a venue, and all that it takes to record laps in it. */
export interface Race {
  readonly eventId: string;
  /** Registers a participant under a licence of their own. */
  readonly enter: (firstName: string, lastName: string) => Promise<string>;
  /** Records a lap in 1/1000 of so many sectors; later than whatever was answered before. */
  readonly drive: (participantId: string, sectors: readonly number[], others?: JsonObject) => Promise<JsonObject>;
  readonly change: (lap: JsonObject, change: JsonObject) => Promise<JsonObject>;
  /** A page of the leaderboard. */
  readonly board: (query?: string) => Promise<ReturnType<typeof shownBoard>>;
}

/** Schedules an event, with a driver for it. */
export async function createRace(admin: Client, venue: Venue): Promise<Race> {
  const eventId = idOf(await admin.create('/api/v1/events', bodies.event(venue)));
  const body = bodies.lap({ ...venue, eventId });
  let last = '';
  const later = async <T extends JsonObject>(write: () => Promise<T>): Promise<T> => {
    const before = last === '' ? 0 : Date.parse(last);
    while (Date.now() <= before) await turn();
    const written = await write();
    last = textOf(written, 'updatedAt');
    return written;
  };
  return {
    eventId,
    enter: (firstName, lastName) => enter(admin, firstName, lastName),
    drive: (participantId, sectors, others = {}) =>
      later(() =>
        admin.create('/api/v1/laps', {
          ...body,
          participantId,
          sectors,
          totalTime: sectors.reduce((sum, time) => sum + time, 0),
          ...others,
        }),
      ),
    change: (lap, change) => later(() => admin.change(`/api/v1/laps/${idOf(lap)}`, change)),
    board: async (query = '') => shownBoard(await admin.as(null).read(`/api/v1/events/${eventId}/leaderboard${query}`)),
  };
}

/** The parts of a leaderboard; every answer was held against the document. */
export function shownBoard(body: JsonObject) {
  return { rows: body['content'] as readonly JsonObject[], head: body['leaderboard'] as JsonObject };
}
