import type { Json, JsonObject } from '../../../src/service/kernel/json.ts';
import { expectStatus, idOf, textOf, type Client } from '../api/client.ts';
import { bodies, createLicense, createVenue, registerRig } from '../api/venue.ts';
import { randomChange, randomLap } from '../simulation/laps.ts';
import type { RandomSource } from '../simulation/random.ts';

/** Texts that people have as names; some are special to CSV. */
const NAMES = ['Ada', 'Ada', 'Niki', 'Zoë "Z" Ü', 'Senna, A.', '=Max', 'O’Ward; P', '  b', 'ada'] as const;

/** Numbers and starts by which rigs count their laps. */
const HIGHEST = 14;
const BOOTS = ['2026-01-01', '~', 'B'] as const;

/** Most laps of a batch. */
const BATCH = 8;

/** What a season has of each, by the names of laps' fields and paths. */
interface Ids {
  readonly participantIds: string[];
  readonly eventIds: string[];
  readonly carIds: string[];
  readonly trackIds: string[];
  readonly rigIds: string[];
  readonly carClassIds: readonly string[];
  readonly carBrandIds: readonly string[];
  readonly parentTrackIds: readonly string[];
  readonly licenseIds: readonly string[];
  /** A licence without a participant: who moves leaves another one behind. */
  readonly spareLicenseIds: string[];
}

/** A season at a venue: laps, and corrections of every kind, drawn from a seed and sent over HTTP. */
export class Season {
  readonly ids: Ids;
  readonly #admin: Client;
  readonly #chances: RandomSource;
  readonly #lapIds: string[] = [];

  private constructor(admin: Client, chances: RandomSource, ids: Ids) {
    this.#admin = admin;
    this.#chances = chances;
    this.ids = ids;
  }

  /** Creates what laps refer to. */
  static async begin(admin: Client, chances: RandomSource): Promise<Season> {
    const venue = await createVenue(admin);
    const add = async (path: string, body: JsonObject) => idOf(await admin.create(`/api/v1/${path}`, body));
    const carClassIds = [venue.carClassId, await add('car-classes', bodies.carClass())];
    const carBrandIds = [venue.carBrandId, await add('car-brands', bodies.carBrand())];
    const parentTrackIds = [venue.trackId, await add('tracks', bodies.track())];
    const spare = await createLicense(admin);
    const season = new Season(admin, chances, {
      participantIds: [venue.participantId],
      eventIds: [venue.eventId],
      carIds: [venue.carId],
      trackIds: [venue.trackLayoutId],
      rigIds: [venue.rigId],
      ...{ carClassIds, carBrandIds, parentTrackIds },
      licenseIds: [venue.licenseId, spare.licenseId],
      spareLicenseIds: [spare.licenseId],
    });
    const { participantIds, eventIds, carIds, trackIds, rigIds } = season.ids;
    for (const carClassId of carClassIds) carIds.push(await add('cars', bodies.car(venue.carBrandId, carClassId)));
    for (const trackId of parentTrackIds) trackIds.push(await add('track-layouts', bodies.trackLayout(trackId)));
    rigIds.push((await registerRig(admin, venue.licenseId)).rigId);
    eventIds.push(await add('events', { ...bodies.event(venue), carIds, trackLayoutIds: trackIds.slice(1), rigIds }));
    for (let drivers = 1 + chances.below(5); drivers > 0; drivers -= 1) {
      const { licenseId } = await createLicense(admin);
      participantIds.push(await add('participants', bodies.participant(licenseId)));
    }
    return season;
  }

  /** Sends one request, or some that belong together. */
  async play(): Promise<void> {
    const chances = this.#chances;
    if (chances.oneIn(2) || this.#lapIds.length === 0) return this.#drive();
    if (chances.oneIn(25)) return this.#strikeBest();
    if (chances.oneIn(3)) return this.#changeOther();
    // Mostly one of the newest, so that laps are changed repeatedly.
    const id = chances.pick(chances.oneIn(3) ? this.#lapIds : this.#lapIds.slice(-10));
    const { sequence: _, ...lap } = this.#lap();
    const change = chances.oneIn(5) ? lap : randomChange(chances, this.ids);
    await this.#change('laps', id, { ...change, reason: 'seen again' });
  }

  /** Renames an event, which makes each of its live boards anew: so every reader knows when there is no more to come. */
  async end(): Promise<void> {
    for (const id of this.ids.eventIds) await this.#change('events', id, { name: 'The end' });
  }

  async #drive(): Promise<void> {
    if (this.#chances.oneIn(2)) {
      this.#lapIds.push(idOf(await this.#admin.create('/api/v1/laps', this.#lap())));
      return;
    }
    const laps = Array.from({ length: 1 + this.#chances.below(BATCH) }, () => this.#lap());
    const { body } = expectStatus(await this.#admin.post('/api/v1/laps/batch', { laps }), 200);
    // The answer was held against the document.
    for (const result of body['results'] as readonly JsonObject[]) this.#lapIds.push(idOf(result));
  }

  #lap(): JsonObject {
    const chances = this.#chances;
    const number = 1 + chances.below(HIGHEST);
    const lap = { ...randomLap(chances, this.ids), sectors: this.#sectors() };
    const totalTime = chances.oneIn(20) ? 0 : lap.sectors.reduce((sum, time) => sum + time, chances.below(3));
    return { ...lap, totalTime, ...(chances.oneIn(2) ? { sequence: { boot: chances.pick(BOOTS), number } } : {}) };
  }

  /** Mostly three; sometimes as many as a document keeps only beside others, or none. */
  #sectors(): readonly number[] {
    const [usual, unusual] = [3, this.#chances.pick([0, 1, 2, 4, 7, 8])];
    return Array.from({ length: this.#chances.oneIn(8) ? unusual : usual }, () => 20 + this.#chances.below(12));
  }

  /** Invalidates the fastest valid laps of a driver, as an evening of stewards does. */
  async #strikeBest(): Promise<void> {
    const { participantIds, eventIds } = this.ids;
    const query = `participantId=${this.#chances.pick(participantIds)}&eventId=${this.#chances.pick(eventIds)}`;
    const { content } = await this.#admin.read(`/api/v1/laps/paged?${query}&valid=true&size=10`);
    // The answer was held against the document.
    for (const lap of content as readonly JsonObject[]) await this.#change('laps', idOf(lap), { valid: false });
  }

  async #changeOther(): Promise<void> {
    const { pick, oneIn } = this.#chances;
    const { ids } = this;
    const name = `${pick(NAMES)} ${this.#chances.below(4)}`;
    const some = (all: readonly string[]) => {
      const left = all.filter((_, n) => n === 0 || oneIn(2));
      return oneIn(2) ? left : left.toReversed();
    };
    const changes: readonly (() => Promise<unknown>)[] = [
      () => this.#change('participants', pick(ids.participantIds), { firstName: pick(NAMES), lastName: pick(NAMES) }),
      () => this.#change('participants', pick(ids.participantIds), pick(CONTACTS)),
      () => this.#moveParticipant(),
      () => this.#change('rigs', pick(ids.rigIds), { name, description: pick([null, name]) }),
      () => this.#change('rigs', pick(ids.rigIds), { licenseId: pick(ids.licenseIds), enabled: !oneIn(3) }),
      () => this.#announce(),
      () => this.#change('events', pick(ids.eventIds), { name, mode: pick([null, 'HOTLAP', 'AI_RACE']) }),
      () => this.#change('events', pick(ids.eventIds), { trackLayoutIds: some(ids.trackIds) }),
      () => this.#change('events', pick(ids.eventIds), { carIds: some(ids.carIds), rigIds: some(ids.rigIds) }),
      () => this.#change('events', pick(ids.eventIds), { enabled: !oneIn(3), startsAt: pick(STARTS), endsAt: null }),
      () => this.#change('cars', pick(ids.carIds), { carClassId: pick(ids.carClassIds) }),
      () => this.#change('cars', pick(ids.carIds), { modelName: name, brandId: pick(ids.carBrandIds) }),
      () => this.#change('cars', pick(ids.carIds), { enabled: !oneIn(3) }),
      () => this.#change('car-classes', pick(ids.carClassIds), { displayName: name }),
      () => this.#change('car-brands', pick(ids.carBrandIds), { displayName: name }),
      () => this.#change('track-layouts', pick(ids.trackIds), { displayName: name, enabled: !oneIn(3) }),
      () => this.#change('track-layouts', pick(ids.trackIds), { trackId: pick(ids.parentTrackIds), length: 1.5 }),
      () => this.#change('tracks', pick(ids.parentTrackIds), { displayName: name }),
      () => this.#change('licenses', pick(ids.licenseIds), { displayName: name }),
    ];
    await pick(changes)();
  }

  async #moveParticipant(): Promise<void> {
    const id = this.#chances.pick(this.ids.participantIds);
    const before = textOf(await this.#admin.read(`/api/v1/participants/${id}`), 'licenseId');
    const [licenseId = before] = this.ids.spareLicenseIds.splice(0, 1, before);
    await this.#change('participants', id, { licenseId });
  }

  async #announce(): Promise<void> {
    const { pick, below } = this.#chances;
    const body = { boot: pick(BOOTS), upTo: 1 + below(HIGHEST) };
    expectStatus(await this.#admin.put(`/api/v1/rigs/${pick(this.ids.rigIds)}/sequence`, body), 200);
  }

  async #change(path: string, id: string, body: Json): Promise<void> {
    await this.#admin.change(`/api/v1/${path}/${id}`, body);
  }
}

const CONTACTS = [
  { email: 'ada@example.org', phoneNumber: '+49 30 1' },
  { email: 'b@example.org', extraFieldsJson: { shirt: 'M', n: [1, null] } },
  { phoneNumber: '', extraFieldsJson: {} },
];

const STARTS = [null, '2026-01-01T00:00:00.000Z', '2026-06-01T12:30:00+02:00', '2036-01-01T00:00:00.000Z'];
