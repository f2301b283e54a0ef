import createClient from 'openapi-fetch';
import type { components, paths } from '../../../src/clients/generated/api.ts';

/** What a rig, a screen and an admin do with the generated types, without a cast. */

type Lap = components['schemas']['Lap'];

/** The media types are those of JSON and of problems: lists may be had as CSV, too. */
export function connect(baseUrl: string, token: string) {
  return createClient<paths, `application/${string}`>({ baseUrl, headers: { 'X-API-Key': token } });
}

type Connection = ReturnType<typeof connect>;

/** Records a lap; `totalTime` is null while it is accepted (202) only. A problem is thrown with its pointers. */
export async function recordLap(client: Connection, body: components['schemas']['RecordLap'], key: string) {
  const { data, error } = await client.POST('/api/v1/laps', { body, params: { header: { 'Idempotency-Key': key } } });
  if (error !== undefined) throw new Error([error.title, ...(error.errors ?? []).map(({ pointer }) => pointer)].join());
  return 'status' in data ? { id: data.id, totalTime: null } : { id: data.id, totalTime: data.totalTime };
}

/** The valid laps of an event, all of them. */
export async function validLaps(client: Connection, eventId: string): Promise<readonly Lap[]> {
  const { data = [] } = await client.GET('/api/v1/laps', { params: { query: { eventId, valid: true } } });
  return data;
}

/** The first page of the laps of a driver, newest first, and how many there are. */
export async function newestLaps(client: Connection, participantId: string) {
  const query = { participantId, sort: 'createdAt,desc', size: 5 };
  const { data } = await client.GET('/api/v1/laps/paged', { params: { query } });
  return { total: data?.totalElements ?? 0, laps: data?.content ?? [] };
}

/** Who leads an event, and in what time. */
export async function leaderOf(client: Connection, eventId: string) {
  const { data } = await client.GET('/api/v1/events/{eventId}/leaderboard', { params: { path: { eventId } } });
  const [first] = data?.content ?? [];
  return first && { name: first.participantName, time: first.bestLap.totalTime };
}

/** Makes a simulator; what has a default is left out. */
export async function addSimulator(client: Connection, name: string) {
  const logos = { logo: 'LOGO/sim.png', logoWide: 'LOGO/sim-wide.png' };
  const { data } = await client.POST('/api/v1/simulators', { body: { displayName: name, slug: name, ...logos } });
  return data && ('status' in data ? null : data.enabled);
}

/** Uploads a logo; says whether that was done. */
export async function uploadLogo(client: Connection, targetName: string, cdnFile: Blob) {
  const { response } = await client.POST('/api/v1/cdn', {
    body: { cdnRequest: { type: 'LOGO', targetName }, cdnFile },
    bodySerializer: ({ cdnRequest }) => {
      const form = new FormData();
      form.set('cdnRequest', JSON.stringify(cdnRequest));
      form.set('cdnFile', cdnFile);
      return form;
    },
    parseAs: 'text',
  });
  return response.status === 201;
}

/** What must not compile. */
export const refused = {
  // @ts-expect-error a lap without `valid`
  halfALap: (client: Connection, lap: Omit<Lap, 'valid'>) => client.POST('/api/v1/laps', { body: lap }),
  // @ts-expect-error a filter that there is not
  unknownFilter: (client: Connection) => client.GET('/api/v1/laps', { params: { query: { event: 'x' } } }),
  // @ts-expect-error an id that is needed
  noId: (client: Connection) => client.GET('/api/v1/laps/{lapId}'),
};
