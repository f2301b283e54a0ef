/**
 * Records the history of a release: every event that the service has, made by its API, and the documents that they come
 * to. Run once for each release, from the root: `npm run build && node dist/test/history-files/record.js 0.2.0`. Where
 * the events are recorded already, only the documents are made anew: events are what stores out there hold, for ever.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/kernel/json.ts';
import { withStores } from '../support/history/rebuilding.ts';
import { startService } from '../support/api/service.ts';
import type { Client } from '../support/api/client.ts';
import { bodies, createVenue, registerRig, createLicense, issueKey, type Venue } from '../support/api/venue.ts';
import { gathered } from '../support/event-store/events.ts';
import { documentsOf, eventsOf, HISTORY_FILES, ndjsonOf, recordedReleases } from './documents.ts';

/** Another of what a venue's resources point at. */
async function another(admin: Client, venue: Venue) {
  const make = async (path: string, body: JsonObject): Promise<string> => {
    const { id } = await admin.create(`/api/v1/${path}`, body);
    if (typeof id !== 'string') throw new Error(`${path} gave no id`);
    return id;
  };
  const { licenseId, manager } = await createLicense(admin);
  const trackId = await make('tracks', bodies.track());
  const carBrandId = await make('car-brands', bodies.carBrand());
  const carClassId = await make('car-classes', bodies.carClass());
  const ids = {
    simulatorId: await make('simulators', bodies.simulator()),
    carId: await make('cars', bodies.car(carBrandId, carClassId)),
    trackLayoutId: await make('track-layouts', bodies.trackLayout(trackId)),
    rigId: (await registerRig(manager, licenseId)).rigId,
    brandId: await make('brands', bodies.brand()),
  };
  const eventId = await make('events', bodies.event({ ...venue, ...ids }));
  const freeLicenseId = (await createLicense(admin)).licenseId;
  const participantId = await make('participants', bodies.participant(licenseId));
  return { ...ids, licenseId, trackId, carBrandId, carClassId, eventId, participantId, freeLicenseId };
}

const OFF_AND_ON = [{ enabled: false }, { enabled: true }];

type Other = Awaited<ReturnType<typeof another>>;

/** Changes of the catalogue, by path: one after the other. */
function catalogueChanges(venue: Venue, other: Other): Readonly<Record<string, readonly JsonObject[]>> {
  const simulator = { displayName: 'Renamed', slug: 'renamed', logo: 'LOGO/new.png', logoWide: 'LOGO/new-wide.png' };
  return {
    [`simulators/${venue.simulatorId}`]: [simulator, { ...simulator, enabled: false }, { ...simulator, enabled: true }],
    [`tracks/${venue.trackId}`]: [
      { displayName: 'Renamed track', alternativeNames: ['Other', 'Names'], slug: 'renamed-track' },
      { logo: 'TRACK/new.png', svg: true, country: 'BEL', location: 'Stavelot' }, ...OFF_AND_ON,
    ],
    [`track-layouts/${venue.trackLayoutId}`]: [
      { displayName: 'Renamed layout', slug: 'renamed-layout', type: 'RALLY', trackId: other.trackId, length: 7_004.5 },
      { firstUsage: 1950, lastUsage: 2020, cornerCount: 2, cornerNames: ['One', '-'] },
      { trackMap: 'TRACK/new-map.svg', trackImages: ['TRACK/2.jpg'] }, ...OFF_AND_ON,
    ],
    [`car-brands/${venue.carBrandId}`]: [
      { displayName: 'Renamed maker', slug: 'renamed-maker', logo: 'BRAND/new.svg', svg: true, country: 'FRA' },
      ...OFF_AND_ON,
    ],
    [`car-classes/${venue.carClassId}`]: [
      { displayName: 'Renamed class', shortName: 'GT4', logo: 'CLASS/new.svg', svg: true }, ...OFF_AND_ON,
    ],
    [`cars/${venue.carId}`]: [
      { modelName: 'Renamed car', brandId: other.carBrandId, carClassId: other.carClassId }, ...OFF_AND_ON,
    ],
    [`brands/${venue.brandId}`]: [
      { name: 'Renamed sponsor', websiteUrl: 'https://example.org', logo: 'https://example.org/l.png', logoUrl: true },
      { logoScalePercentage: 80 },
    ],
  };
}

/** Changes of what happens at a venue. */
function racingChanges(venue: Venue, other: Other): Readonly<Record<string, readonly JsonObject[]>> {
  return {
    [`rigs/${venue.rigId}`]: [
      { name: 'Left rig', description: 'By the window', hardwareId: 'hw-replaced', licenseId: other.licenseId },
      ...OFF_AND_ON,
    ],
    [`events/${venue.eventId}`]: [
      { name: 'Renamed event', slug: 'renamed-event', description: 'Another evening', mode: 'HOTLAP' },
      { startsAt: '2026-05-01T18:00:00Z', endsAt: '2026-05-01T22:00:00Z', simulatorId: other.simulatorId },
      { carIds: [venue.carId, other.carId], trackLayoutIds: [other.trackLayoutId, venue.trackLayoutId] },
      { rigIds: [venue.rigId, other.rigId], brandIds: [], i18nJson: { de: { name: 'Abend' } }, settingsJson: { a: 1 } },
      ...OFF_AND_ON,
    ],
    [`signup-fields/${venue.signupFieldId}`]: [
      { fieldKey: 'shirt', label: 'Shirt', description: 'Its size', type: 'SELECT', optionsJson: ['S', 'M'] },
      { required: true }, { required: false }, { sortOrder: 2, defaultJson: 'M', i18nJson: { de: { label: 'Hemd' } } },
      { eventId: other.eventId },
    ],
    [`participants/${venue.participantId}`]: [
      { firstName: 'Grace', lastName: 'Renamed', email: 'grace@example.org', phoneNumber: '1' },
      { extraFieldsJson: { shirt: 'M' }, licenseId: other.freeLicenseId },
    ],
    [`laps/${venue.lapId}`]: [
      { sectors: [1_000, 2_000], totalTime: 3_000 }, { valid: false }, { valid: true },
      { participantId: other.participantId, rigId: other.rigId, eventId: other.eventId },
      { carId: other.carId, trackId: other.trackLayoutId },
    ],
    [`licenses/${other.freeLicenseId}`]: [
      { displayName: 'Renamed licence', expiresAt: '2030-01-01T00:00:00Z' }, { enabled: false }, { enabled: true },
    ],
  };
}

/** Mappings, made, changed, taken back and made again. */
async function map(admin: Client, { simulatorId, trackLayoutId, carId }: Venue): Promise<void> {
  for (const [kind, body] of [['layouts', { trackLayoutId }], ['cars', { carId }]] as const) {
    const path = `/api/v1/simulators/${simulatorId}/${kind}`;
    const one = `${path}/${Object.values(body)[0] ?? ''}`;
    await admin.create(path, { ...body, simulatorIdentifier: 'first' });
    await admin.change(one, { simulatorIdentifier: 'second', ...(kind === 'cars' ? { contentId: 'c2' } : {}) });
    await admin.send('DELETE', one);
    await admin.create(path, { ...body, simulatorIdentifier: 'third' });
  }
}

async function recordedHistory(): Promise<string> {
  const service = await startService();
  const { client: admin, dataDir } = service;
  const venue = await createVenue(admin);
  const other = await another(admin, venue);
  await map(admin, venue);
  const changes = { ...catalogueChanges(venue, other), ...racingChanges(venue, other) };
  for (const [path, bodiesOf] of Object.entries(changes)) {
    for (const body of bodiesOf) await admin.change(`/api/v1/${path}`, body);
  }
  const { id } = await issueKey(venue.manager, 'R');
  await venue.manager.change(`/api/v1/api-keys/${id}`, { name: 'Renamed key', role: 'CR' });
  await venue.manager.send('DELETE', `/api/v1/api-keys/${id}`);
  const events = await withStores(dataDir, ({ store }) => gathered(store.readAll(null)));
  await service.close();
  return ndjsonOf(events);
}

const [, , release] = process.argv;
if (release === undefined) throw new Error('name the release: 0.2.0');
const directory = join(HISTORY_FILES, release);
if (!recordedReleases().includes(release)) {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'events.ndjson'), await recordedHistory());
}
writeFileSync(join(directory, 'documents.json'), await documentsOf(eventsOf(release)));
