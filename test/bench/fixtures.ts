import type { JsonObject } from '../../src/kernel/json.ts';
import { idOf, type Client } from '../support/api/client.ts';
import { registerRig } from '../support/api/venue.ts';
import { entryOf, sampleBody } from '../support/resources/entries.ts';
import type { Fixtures } from './laps.ts';

const COMPETITORS = 24;
const RIGS = 4;
const EVENTS = 3;
const CARS = 6;
const LAYOUTS = 4;

/** Makes everything that laps refer to through the public API, as a venue would. */
export async function makeFixtures(admin: Client): Promise<Fixtures> {
  const ids: Record<string, string[]> = {};
  // Names are as long as those in lap-writes.ts.
  const make = async (name: string, own: (n: number) => JsonObject = () => ({})): Promise<string> => {
    const { path, create, member } = entryOf(name);
    const made = (ids[name] ??= []);
    const n = made.length + 1;
    const body = { ...sampleBody(create, { n: String(n), ids: (of) => ids[of]?.at(-1) ?? '' }), ...own(n) };
    const answer = await admin.create(path, body);
    // A JSON object in that of the answer.
    const id = idOf(member === undefined ? answer : (answer[member] as JsonObject));
    made.push(id);
    return id;
  };
  const licenseId = await make('License');
  const rigs = await times(RIGS, (n) => registerRig(admin, licenseId, `bench-${n}`));
  for (const [n, { rigId }] of rigs.entries()) await admin.change(`/api/v1/rigs/${rigId}`, { name: `Rig ${n + 1}` });
  const rigIds = rigs.map(({ rigId }) => rigId);
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
  const tokens = Object.fromEntries(rigs.map(({ rigId, rig }) => [rigId, rig.token ?? '']));
  const apiKeyId = rigs[0]?.rigKeyId ?? '';
  return { tokens, apiKeyId, licenseId, participantIds, rigIds, eventIds, carIds, trackIds };
}

async function times<T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(await make(made.length + 1));
  return made;
}
