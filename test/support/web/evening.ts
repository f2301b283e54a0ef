import type { JsonObject } from '../../../src/kernel/json.ts';
import { expectStatus, idOf, type Client } from '../api/client.ts';
import { upload } from '../api/uploads.ts';
import { bodies, createVenue, enter, registerRig, type Venue } from '../api/venue.ts';

/** Drivers of an evening, with the times of their first laps in ms: the fastest first. */
const DRIVERS: readonly (readonly [string, string, readonly number[]])[] = [
  ['Matteo', 'Bellandi', [41_212, 57_390, 38_723]],
  ['Aylin', 'Demirel', [41_560, 56_895, 39_013]],
  ['Oliver', 'Thackeray', [41_728, 57_236, 39_165]],
  ['Camille', 'Delaunay', [41_710, 56_980, 39_597]],
  ['Daan', 'Verhoeven', [41_907, 57_080, 39_334]],
  ['Sofía', 'Carrascal', [42_116, 57_016, 39_628]],
  ['Haruto', 'Minamida', [42_009, 57_430, 39_535]],
  ['Noémie', 'Garrigues', [42_008, 57_557, 39_596]],
  ['Jonas', 'Weidner', [41_960, 57_779, 39_457]],
  ['Imogen', 'Farrow', [41_970, 57_855, 39_888]],
  ['Ondřej', 'Havránek', [42_508, 57_551, 40_380]],
  ['Elin', 'Sandström', [42_140, 57_915, 40_009]],
];

/** An event with everything that a board can show. */
export type Evening = Awaited<ReturnType<typeof createEvening>>;

/** Prepares an evening on which every driver has a good lap, and some a second one. */
export async function createEvening(admin: Client) {
  const venue = await createVenue(admin);
  const make = async (path: string, body: JsonObject): Promise<string> =>
    idOf(await admin.create(`/api/v1/${path}`, body));
  const trackId = await make('tracks', { ...bodies.track(), displayName: 'Spa-Francorchamps' });
  const layout = (displayName: string): Promise<string> =>
    make('track-layouts', { ...bodies.trackLayout(trackId), displayName });
  /** There are laps on the first. */
  const layoutIds = [await layout('Grand Prix'), await layout('Endurance')] as const;
  const car = async (modelName: string, shortName: string): Promise<string> => {
    const carClassId = await make('car-classes', { ...bodies.carClass(), displayName: shortName, shortName });
    return make('cars', { brandId: venue.carBrandId, modelName, carClassId });
  };
  /** Each of a class of its own. */
  const carIds = [await car('Ferrari 296 GT3', 'GT3'), await car('Porsche 718 GT4', 'GT4')] as const;
  const rigIds = await Promise.all(['Rig 1 window', 'Rig 2 centre', 'Rig 3 wall'].map((name) => rigOf(venue, name)));
  const eventId = await make('events', {
    ...bodies.event({ ...venue, trackLayoutId: layoutIds[0] }),
    name: 'GT Hotlap Challenge',
    i18nJson: { de: { name: 'GT-Hotlap-Abend' } },
    description: '',
    trackLayoutIds: layoutIds,
    carIds,
    rigIds,
    brandIds: await sponsorsOf(admin),
  });
  /** In the order of the first board. */
  const drivers = await Promise.all(
    DRIVERS.map(async ([firstName, lastName]) => ({
      participantId: await enter(admin, firstName, lastName),
      name: `${firstName} ${lastName}`,
    })),
  );
  /** Records a lap of the driver at an index of `drivers`; times in ms. */
  const drive = (driver: number, sectors: readonly number[], others: JsonObject = {}): Promise<JsonObject> =>
    admin.create('/api/v1/laps', {
      participantId: drivers[driver]?.participantId ?? '',
      rigId: rigIds[driver % rigIds.length] ?? '',
      eventId,
      carId: carIds[driver % 2] ?? '',
      trackId: layoutIds[0],
      valid: true,
      sectors,
      totalTime: sectors.reduce((sum, time) => sum + time, 0),
      ...others,
    });
  for (const [index, [, , sectors]] of DRIVERS.entries()) await drive(index, sectors);
  for (const [index, [, , sectors]] of DRIVERS.entries())
    if (index % 3 > 0) await drive(index, slower(sectors), { valid: index !== 4 });
  return { venue, eventId, layoutIds, carIds, rigIds, drivers, drive };
}

/** A lap with one sector better and two worse. */
function slower([first = 0, second = 0, third = 0]: readonly number[]): readonly number[] {
  return [first - 120, second + 480, third + 245];
}

async function rigOf({ manager, licenseId }: Venue, name: string): Promise<string> {
  const { rigId } = await registerRig(manager, licenseId);
  await manager.change(`/api/v1/rigs/${rigId}`, { name });
  return rigId;
}

/** A sponsor with a logo here, and one whose logo is elsewhere. */
async function sponsorsOf(admin: Client): Promise<readonly string[]> {
  await uploadPicture(admin, 'sponsor.svg', logoOf('APEX', '#c8102e'));
  const here = { name: 'Apex Tyres', websiteUrl: 'https://example.com/apex', logo: 'BRAND/sponsor.svg' };
  const elsewhere = { name: 'Kerb Coffee', websiteUrl: 'https://example.com/kerb', logo: 'https://example.com/k.png' };
  const first = await admin.create('/api/v1/brands', here);
  const second = await admin.create('/api/v1/brands', { ...elsewhere, logoUrl: true });
  return [idOf(first), idOf(second)];
}

function logoOf(text: string, colour: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 48"><rect width="160" height="48" rx="8" fill="${colour}"/><text x="80" y="34" font-size="30" font-weight="700" font-family="sans-serif" text-anchor="middle" fill="#fff">${text}</text></svg>`;
}

/** Uploads a picture to the folder of brands. */
export async function uploadPicture(admin: Client, targetName: string, svg: string): Promise<void> {
  expectStatus(await upload(admin, `BRAND/${targetName}`, svg), 201);
}

/** The content of a page of a list. */
export function contentOf({ content }: JsonObject): readonly JsonObject[] {
  // Every answer has been checked against the API document.
  return content as readonly JsonObject[];
}
