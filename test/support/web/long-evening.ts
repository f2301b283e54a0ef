import type { JsonObject } from '../../../src/kernel/json.ts';
import { idOf, type Client } from '../api/client.ts';
import { bodies, createVenue, enter, registerRig, type Venue } from '../api/venue.ts';

/** Names of every length, of which some are written from right to left. */
const NAMES: readonly (readonly [first: string, last: string])[] = [
  ['Bartholomew-Maximilian', 'Featherstonehaugh-Cholmondeley'],
  ['عبد الرحمن', 'بن محمد الهاشمي'],
  ['Wm', 'Wu'],
  ['Donaudampfschifffahrtsgesellschaftskapitänsmützen', 'W'],
  ['美咲', '佐藤'],
  ['אברהם', 'כהן'],
];

const MS_PER_HOUR = 3_600_000;

/** An event with times of every length up to ten hours, of this many sectors. */
export async function createLongEvening(admin: Client, sectorCount: number) {
  const venue = await createVenue(admin);
  const eventId = idOf(await admin.create('/api/v1/events', bodies.event(venue)));
  const rigIds = await Promise.all(NAMES.slice(0, 2).map(() => rigOf(venue)));
  const totals = [
    2_147_450,
    2_147_450 + 61_234,
    MS_PER_HOUR + 1_234,
    2 * MS_PER_HOUR + 59_999,
    9 * MS_PER_HOUR + 59 * 60_000 + 59_999,
    10 * MS_PER_HOUR,
  ];
  for (const [n, [first, last]] of NAMES.entries()) {
    const participantId = await enter(admin, first, last);
    const drive = (totalTime: number, others: JsonObject = {}): Promise<JsonObject> =>
      admin.create('/api/v1/laps', {
        ...bodies.lap({ ...venue, eventId, participantId, rigId: rigIds[n % rigIds.length] ?? '' }),
        totalTime,
        sectors: sectorsOf(totalTime, sectorCount),
        ...others,
      });
    const total = totals[n] ?? 0;
    await drive(total);
    // The others have driven a slower lap since, which may be invalid.
    if (n > 0) await drive(total + 1_000 * n, { valid: n !== 2 });
  }
  return { eventId, drivers: NAMES.length };
}

/** A time in about equal parts. */
function sectorsOf(totalTime: number, count: number): readonly number[] {
  const part = Math.floor(totalTime / count);
  return Array.from({ length: count }, (_, n) => (n === 0 ? totalTime - part * (count - 1) : part));
}

async function rigOf({ manager, licenseId }: Venue): Promise<string> {
  const { rigId } = await registerRig(manager, licenseId);
  await manager.change(`/api/v1/rigs/${rigId}`, { name: 'Simulator at the window with the long name' });
  return rigId;
}
