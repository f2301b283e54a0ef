import { z } from 'zod';
import type { Json, JsonObject } from '../../src/service/kernel/json.ts';
import { entryOf, sampleBody } from '../support/resources/entries.ts';
import type { Target } from '../support/strangers/attacks.ts';
import { ADMIN_TOKEN, type Fixtures } from './laps.ts';

const COMPETITORS = 24;
const RIGS = 4;
const EVENTS = 3;
const CARS = 6;
const LAYOUTS = 4;
const FILE_BYTES = 5_000_000;

const Made = z.object({ id: z.string() });
const RigKey = z.object({ apiKey: z.object({ token: z.string(), apiKey: Made }) });
const RigShown = z.object({ rig: Made, apiKey: z.object({ token: z.string() }) });
const KeyShown = z.object({ token: z.string() });
const LapsShown = z.object({ content: z.array(z.object({ id: z.string(), participantId: z.string() })) });
const LicenseFile = z.record(z.string(), z.string());

/** Makes everything that laps refer to through the public API, as a venue would. */
export async function makeFixtures(url: string): Promise<Fixtures> {
  const send = sender(url);
  const ids: Record<string, string[]> = {};
  const keys: z.output<typeof RigKey>['apiKey'][] = [];
  // Names are as long as those in lap-writes.ts.
  const make = async (name: string, own: (n: number) => JsonObject = () => ({})): Promise<string> => {
    const { path, create, member } = entryOf(name);
    const made = (ids[name] ??= []);
    const n = made.length + 1;
    const body = { ...sampleBody(create, { n: String(n), ids: (of) => ids[of]?.at(-1) ?? '' }), ...own(n) };
    const answer = await send('POST', path, body);
    const { id } = Made.parse(member === undefined ? answer : z.record(z.string(), z.unknown()).parse(answer)[member]);
    if (name === 'Rig') keys.push(RigKey.parse(answer).apiKey);
    made.push(id);
    return id;
  };
  const licenseId = await make('License');
  const licenseFile = LicenseFile.parse(await send('POST', `/api/v1/licenses/${licenseId}/file`, null));
  const rigIds = await times(RIGS, () => make('Rig', (n) => ({ hardwareId: `bench-${n}`, licenseFile })));
  for (const [n, id] of rigIds.entries()) await send('PATCH', `/api/v1/rigs/${id}`, { name: `Rig ${n + 1}` });
  for (const name of ['CarBrand', 'CarClass', 'Track', 'Simulator', 'Brand']) await make(name);
  const carIds = await times(CARS, () => make('Car'));
  const trackIds = await times(LAYOUTS, () => make('TrackLayout', (n) => ({ displayName: `Layout ${n}` })));
  const eventIds = await times(EVENTS, () =>
    make('Event', (n) => ({ name: `Bench cup ${n}`, carIds, trackLayoutIds: trackIds, rigIds, brandIds: [] })),
  );
  const participantIds = await times(COMPETITORS, async () => {
    await make('License');
    return make('Participant', (n) => ({ firstName: 'Ayrton', lastName: `Tester ${n}` }));
  });
  const tokens = Object.fromEntries(rigIds.map((id, n) => [id, keys[n]?.token ?? '']));
  return { tokens, apiKeyId: keys[0]?.apiKey.id ?? '', licenseId, participantIds, rigIds, eventIds, carIds, trackIds };
}

/** Registers rigs, whose ids and tokens are returned, and finds or makes what strangers aim at. */
export async function makeTarget(url: string, fixtures: Fixtures, rigs: number) {
  const send = sender(url);
  const { licenseId, rigIds, eventIds, carIds, trackIds } = fixtures;
  const licenseFile = LicenseFile.parse(await send('POST', `/api/v1/licenses/${licenseId}/file`, null));
  let made = 0;
  const tokens = await times(rigs, async () => {
    const hardwareId = `stranger-${(made += 1)}`;
    const rig = RigShown.parse(await send('POST', '/api/v1/rigs', { hardwareId, licenseFile }));
    return [rig.rig.id, rig.apiKey.token] as const;
  });
  const [eventId = '', rigId = '', carId = '', trackLayoutId = ''] = [eventIds, rigIds, carIds, trackIds].map(
    ([id]) => id,
  );
  const lap = LapsShown.parse(await send('GET', `/api/v1/laps/paged?size=1&eventId=${eventId}`, null)).content[0];
  const key = KeyShown.parse(await send('POST', '/api/v1/api-keys', { name: 'Tenant', role: 'CRUD' }));
  const file = await upload(url);
  const ids = { eventId, rigId, carId, trackLayoutId, lapId: lap?.id ?? '', participantId: lap?.participantId ?? '' };
  const target: Target = { ...ids, file, token: key.token };
  return { target, tokens };
}

async function upload(url: string): Promise<string> {
  const form = new FormData();
  form.set('cdnRequest', JSON.stringify({ type: 'LOGO', targetName: 'stranger.png' }));
  form.set('cdnFile', new Blob([new Uint8Array(FILE_BYTES)]));
  const sent = { method: 'POST', headers: { 'X-API-Key': ADMIN_TOKEN }, body: form };
  const answer = await fetch(`${url}/api/v1/cdn`, sent);
  if (answer.status !== 201) throw new Error(`POST of a file: ${answer.status} ${await answer.text()}`);
  return '/cdn/LOGO/stranger.png';
}

/** Sends requests with the ADMIN key. They must succeed; resolves to the JSON of the answer. */
function sender(url: string) {
  return async (method: string, path: string, body: Json): Promise<unknown> => {
    const type = body === null ? {} : { 'Content-Type': 'application/json' };
    const content = body === null ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(url + path, { method, headers: { 'X-API-Key': ADMIN_TOKEN, ...type }, ...content });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
}

async function times<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(await make());
  return made;
}
