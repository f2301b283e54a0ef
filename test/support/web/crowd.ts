import type { JsonObject } from '../../../src/kernel/json.ts';
import { idOf, type Client } from '../api/client.ts';
import { bodies, createVenue, enter } from '../api/venue.ts';

/** Forty drivers, of many scripts; those of the first have thirty letters. */
export const CROWD: readonly (readonly [first: string, last: string])[] = [
  ['Maximiliane', 'Oberländer-Schmidt'],
  ['Bartholomäus', 'Fitzgerald-Quigley'],
  ['Gregory Jeppe', 'Pygmalion-Jiggyq'],
  ['Ngọc Quỳnh', 'Nguyễn Thị Bằng Tuyết'],
  ['Александра', 'Преображенская-Юрьев'],
  ['عبد الرحمن', 'الهاشمي'],
  ['فاطمة الزهراء', 'القحطاني'],
  ['אברהם', 'כהן־אורליאן'],
  ['יעל', 'גולדשטיין'],
  ['ณัฐวุฒิ', 'ศรีสุวรรณ'],
  ['กิตติพงษ์', 'ปิ่นแก้ว'],
  ['प्रियङ्का', 'श्रीवास्तव'],
  ['அருண்குமார்', 'சுப்பிரமணியன்'],
  ['美咲', '佐藤'],
  ['さくら', 'ながさわ'],
  ['王', '小明'],
  ['민준', '김'],
  ['Γιώργος', 'Παπαδόπουλος'],
  ['Ելենա', 'Հարությունյան'],
  ['ნინო', 'ჯავახიშვილი'],
  ['ሰላም', 'ተስፋዬ'],
  ['Þórður', 'Ásgeirsson'],
  ['Åsa', 'Ångström'],
  ['Žofie', 'Šťastná'],
  ['Łukasz', 'Gżegżółka'],
  ['Ğülşah', 'Çağlayangil'],
  ['Ondřej', 'Havránek'],
  ['Noémie', 'Garrigues'],
  ['Sofía', 'Carrascal'],
  ['Matteo', 'Bellandi'],
  ['Wm', 'Wu'],
  ['Q', 'Jp'],
  ['Donaudampfschifffahrtsgesellschaftskapitänsmützen', 'Wagner'],
  ['Ann', 'Featherstonehaugh-Cholmondeley-Marjoribanks-Wriothesley'],
  ['Jean Baptiste Emmanuel Zorg', 'Gyp'],
  ['MAGDALENA', 'WINTERBOTTOM-MCMAHONS'],
  ['Imogen', 'Farrow'],
  ['Jonas', 'Weidner'],
  ['Daan', 'Verhoeven'],
  ['Haruto', 'Minamida'],
];

const LAYOUTS: readonly string[] = [
  'Grand Prix',
  'Sprint',
  'Nordschleife with the long straight',
  'Club',
  'Oval',
  'Night',
];

const CLASSES: readonly string[] = ['GT3', 'GT4', 'Cup'];

/** An event with forty drivers or more, six layouts and three classes; all have driven one lap on the first layout. */
export async function createCrowd(admin: Client, drivers = CROWD.length) {
  const venue = await createVenue(admin);
  const make = async (path: string, body: JsonObject): Promise<string> =>
    idOf(await admin.create(`/api/v1/${path}`, body));
  const trackId = await make('tracks', { ...bodies.track(), displayName: 'Nürburgring' });
  const layoutIds: string[] = [];
  for (const displayName of LAYOUTS)
    layoutIds.push(await make('track-layouts', { ...bodies.trackLayout(trackId), displayName }));
  const carIds: string[] = [];
  for (const name of CLASSES) {
    const carClassId = await make('car-classes', {
      ...bodies.carClass(),
      displayName: `${name} class`,
      shortName: name,
    });
    carIds.push(await make('cars', { brandId: venue.carBrandId, modelName: `Racer ${name}`, carClassId }));
  }
  const [layoutId = ''] = layoutIds;
  const brandIds: string[] = [];
  for (let n = 0; n < 9; n += 1)
    brandIds.push(await make('brands', { ...bodies.brand(), name: `Sponsor of the evening ${n + 1}` }));
  const eventId = await make('events', {
    ...bodies.event({ ...venue, trackLayoutId: layoutId }),
    name: 'The Long Night of the Forty Drivers of Gjøvik and Pyongyang, second evening',
    trackLayoutIds: layoutIds,
    carIds,
    brandIds,
  });
  const participantIds: string[] = [];
  for (let n = 0; n < drivers; n += 1) {
    const [first, last] = CROWD[n % CROWD.length] ?? ['', ''];
    participantIds.push(await enter(admin, first, n < CROWD.length ? last : `${last} ${n}`));
  }
  /** Records a lap of a driver, of about 1:38. */
  const drive = (driver: number, ms: number, others: JsonObject = {}): Promise<JsonObject> =>
    admin.create('/api/v1/laps', {
      ...bodies.lap({ ...venue, eventId, trackLayoutId: layoutId, participantId: participantIds[driver] ?? '' }),
      carId: carIds[driver % carIds.length] ?? '',
      sectors: [31_000 + ((7 * ms) % 500), 35_000 + ((3 * ms) % 700), 32_000],
      totalTime: 98_000 + ms,
      ...others,
    });
  for (let n = 0; n < drivers; n += 1) await drive(n, 37 * n);
  return { venue, eventId, layoutIds, carIds, participantIds, drive };
}
