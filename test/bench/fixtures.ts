import { z } from 'zod';
import type { JsonObject } from '../../src/service/kernel/json.ts';
import type { Fixtures } from './laps.ts';

/** The key that the services of the bench are started with. */
export const ADMIN_TOKEN = 'bench-bootstrap-admin-token';

const COMPETITORS = 24;
const RIGS = 4;
const EVENTS = 3;
const CARS = 6;
const LAYOUTS = 4;

const Made = z.object({ id: z.string() });
const LicenseMade = z.object({ license: Made });
const RigMade = z.object({ rig: Made, apiKey: z.object({ token: z.string(), apiKey: Made }) });
const LicenseFile = z.object({
  licenseId: z.string(),
  licenseKey: z.string(),
  issuedAt: z.string(),
  signature: z.string(),
});

/** Makes everything that laps refer to through the public API, as a venue would. */
export async function makeFixtures(url: string): Promise<Fixtures> {
  const api = new Api(url);
  const licenseId = await api.license('Bench venue');
  const rigs = await api.rigs(licenseId);
  const rigIds = rigs.map(({ rig }) => rig.id);
  const carIds = await api.cars();
  const trackIds = await api.layouts();
  const simulatorId = await api.make('simulators', {
    displayName: 'Bench simulator',
    slug: 'bench',
    logo: 'LOGO/bench.svg',
    logoWide: 'LOGO/bench-wide.svg',
  });
  const eventIds = await each(EVENTS, (n) =>
    api.make('events', {
      name: `Bench cup ${n}`,
      slug: `bench-cup-${n}`,
      description: 'An evening of laps',
      simulatorId,
      carIds,
      trackLayoutIds: trackIds,
      rigIds,
      brandIds: [],
    }),
  );
  const participantIds = await each(COMPETITORS, async (n) =>
    api.make('participants', {
      licenseId: await api.license(`Competitor ${n}`),
      firstName: 'Ayrton',
      lastName: `Tester ${n}`,
      email: `competitor${n}@bench.example`,
      phoneNumber: '+49 89 000000',
    }),
  );
  const tokens = Object.fromEntries(rigs.map(({ rig, apiKey }) => [rig.id, apiKey.token]));
  const apiKeyId = rigs[0]?.apiKey.apiKey.id ?? '';
  return { tokens, apiKeyId, licenseId, participantIds, rigIds, eventIds, carIds, trackIds };
}

class Api {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async make(collection: string, body: JsonObject): Promise<string> {
    const { id } = Made.parse(await this.#send('POST', collection, body));
    return id;
  }

  async license(name: string): Promise<string> {
    const { license } = LicenseMade.parse(await this.#send('POST', 'licenses', { name, displayName: name }));
    return license.id;
  }

  async rigs(licenseId: string): Promise<z.output<typeof RigMade>[]> {
    const licenseFile = LicenseFile.parse(await this.#send('POST', `licenses/${licenseId}/file`, null));
    return each(RIGS, async (n) => {
      const made = RigMade.parse(await this.#send('POST', 'rigs', { hardwareId: `bench-${n}`, licenseFile }));
      await this.#send('PATCH', `rigs/${made.rig.id}`, { name: `Rig ${n}` });
      return made;
    });
  }

  async cars(): Promise<string[]> {
    const logo = 'BRAND/bench.svg';
    const brandId = await this.make('car-brands', { displayName: 'Bench cars', slug: 'bench', logo, country: 'DEU' });
    const carClassId = await this.make('car-classes', { displayName: 'GT bench', shortName: 'GTB', logo });
    return each(CARS, (n) => this.make('cars', { brandId, modelName: `Model ${n}`, carClassId }));
  }

  async layouts(): Promise<string[]> {
    const trackId = await this.make('tracks', {
      displayName: 'Bench ring',
      alternativeNames: [],
      slug: 'bench-ring',
      logo: 'TRACK/bench.svg',
      country: 'DEU',
      location: 'Nowhere',
    });
    return each(LAYOUTS, (n) =>
      this.make('track-layouts', {
        displayName: `Layout ${n}`,
        slug: `layout-${n}`,
        type: 'PERMANENT_ROAD',
        trackId,
        length: 5_148,
        firstUsage: 1927,
        lastUsage: -1,
        cornerCount: 2,
        cornerNames: ['Start', '-'],
        trackMap: '',
        trackImages: [],
      }),
    );
  }

  async #send(method: string, path: string, body: JsonObject | null): Promise<unknown> {
    const headers = { 'X-API-Key': ADMIN_TOKEN, ...(body === null ? {} : { 'Content-Type': 'application/json' }) };
    const content = body === null ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${this.#url}/api/v1/${path}`, { method, headers, ...content });
    const text = await answer.text();
    if (answer.status !== 200 && answer.status !== 201) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }
}

/** One after the other, for the numbers 1 to `count`. */
async function each<T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let n = 1; n <= count; n += 1) made.push(await make(n));
  return made;
}
