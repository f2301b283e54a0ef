import { expect } from 'chai';
import type { Json, JsonObject } from '../../../src/kernel/json.ts';
import { expectStatus, idOf, textOf, type Client } from '../api/client.ts';
import { bodies, createLicense, createVenue, registerRig } from '../api/venue.ts';
import {
  BOOTS,
  HIGHEST,
  MINIMUMS,
  drivenMoment,
  numberedLap,
  randomChange,
  type Referents,
} from '../simulation/laps.ts';
import type { RandomSource } from '../simulation/random.ts';

/** Texts that people have as names; some are special to CSV. */
const NAMES = ['Ada', 'Ada', 'Niki', 'Zoë "Z" Ü', 'Senna, A.', '=Max', 'O’Ward; P', '  b', 'ada'] as const;

/** Most laps of a batch. */
const BATCH = 8;

/** What a season has of each, by the names of laps' fields and of paths. */
type Ids = Referents &
  Readonly<Record<'carClassIds' | 'carBrandIds' | 'parentTrackIds' | 'licenseIds', readonly string[]>>;

/** A season at a venue: laps, and corrections of every kind, drawn from a seed and sent over HTTP. */
export class Season {
  readonly ids: Ids;
  readonly #admin: Client;
  readonly #chances: RandomSource;
  readonly #lapIds: string[] = [];
  #keys = 0;
  #leftLicenseId: string | null = null;

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
    const rigIds = [venue.rigId, (await registerRig(admin, venue.licenseId)).rigId];
    const carIds = [venue.carId];
    for (const carClassId of carClassIds) carIds.push(await add('cars', bodies.car(venue.carBrandId, carClassId)));
    const trackIds = [venue.trackLayoutId];
    for (const trackId of parentTrackIds) trackIds.push(await add('track-layouts', bodies.trackLayout(trackId)));
    const second = { ...bodies.event(venue), carIds, trackLayoutIds: trackIds.slice(1), rigIds };
    const eventIds = [venue.eventId, await add('events', second)];
    const participantIds = [venue.participantId];
    for (let drivers = 1 + chances.below(5); drivers > 0; drivers -= 1) {
      const { licenseId } = await createLicense(admin);
      participantIds.push(await add('participants', bodies.participant(licenseId)));
    }
    const licenseIds = [venue.licenseId, (await createLicense(admin)).licenseId];
    const own = { participantIds, eventIds, carIds, trackIds, rigIds };
    return new Season(admin, chances, { ...own, carClassIds, carBrandIds, parentTrackIds, licenseIds });
  }

  /** Sends one request, or some that belong together. */
  async play(): Promise<void> {
    const chances = this.#chances;
    if (chances.oneIn(2) || this.#lapIds.length === 0) return this.#drive();
    if (chances.oneIn(25)) return this.#strikeBest();
    if (chances.oneIn(2)) return this.#changeOther();
    // Mostly one of the newest, so that laps are changed repeatedly.
    const id = chances.pick(chances.oneIn(3) ? this.#lapIds : this.#lapIds.slice(-10));
    const { sequence: _, ...lap } = this.#lap();
    const change = chances.oneIn(5) ? lap : randomChange(chances, this.ids);
    await this.#change('laps', id, { ...change, reason: 'seen again' });
  }

  async #drive(): Promise<void> {
    const chances = this.#chances;
    if (chances.oneIn(2)) {
      this.#lapIds.push(idOf(await this.#admin.create('/api/v1/laps', this.#lap())));
      return;
    }
    const laps = Array.from({ length: 1 + chances.below(BATCH) }, () => ({
      ...this.#lap(),
      key: `${(this.#keys += 1)}`,
    }));
    // What is sent again is one lap.
    for (const verdict of chances.oneIn(4) ? ['created', 'duplicate'] : ['created']) {
      const { body } = expectStatus(await this.#admin.post('/api/v1/laps/batch', { laps }), 200);
      // The answer was held against the document.
      const results = body['results'] as readonly JsonObject[];
      expect(results.map((result) => result['verdict'])).to.deep.equal(laps.map(() => verdict));
      if (verdict === 'created') this.#lapIds.push(...results.map(idOf));
    }
  }

  #lap(): JsonObject {
    return { ...numberedLap(this.#chances, this.ids) };
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
    const { pick, oneIn, below } = this.#chances;
    const { ids } = this;
    if (oneIn(10)) return this.#moveParticipant(pick(ids.participantIds));
    if (oneIn(10)) return this.#announce(pick(ids.rigIds));
    const name = `${pick(NAMES)} ${below(4)}`;
    const enabled = !oneIn(3);
    const some = (all: readonly string[]) => {
      const left = all.filter((_, n) => n === 0 || oneIn(2));
      return oneIn(2) ? left : left.toReversed();
    };
    const changes: readonly (readonly [path: string, ids: readonly string[], body: JsonObject])[] = [
      ['participants', ids.participantIds, { firstName: pick(NAMES), lastName: pick(NAMES) }],
      ['participants', ids.participantIds, { lastName: name }],
      ['participants', ids.participantIds, pick(CONTACTS)],
      ['rigs', ids.rigIds, { name, description: pick([null, name]) }],
      ['rigs', ids.rigIds, { licenseId: pick(ids.licenseIds), enabled }],
      ['events', ids.eventIds, { name, mode: pick([null, 'HOTLAP', 'AI_RACE']) }],
      ['events', ids.eventIds, { trackLayoutIds: some(ids.trackIds) }],
      ['events', ids.eventIds, { minLapTime: pick(MINIMUMS) }],
      ['events', ids.eventIds, { finishedAt: oneIn(3) ? null : drivenMoment(this.#chances) }],
      ['events', ids.eventIds, { finishedAt: oneIn(2) ? null : drivenMoment(this.#chances) }],
      ['events', ids.eventIds, { carIds: some(ids.carIds), rigIds: some(ids.rigIds) }],
      ['events', ids.eventIds, { startsAt: pick(STARTS), endsAt: null, enabled }],
      ['cars', ids.carIds, { carClassId: pick(ids.carClassIds) }],
      ['cars', ids.carIds, { modelName: name, brandId: pick(ids.carBrandIds), enabled }],
      ['car-classes', ids.carClassIds, { displayName: name }],
      ['car-brands', ids.carBrandIds, { displayName: name }],
      ['track-layouts', ids.trackIds, { displayName: name, enabled }],
      ['track-layouts', ids.trackIds, { minLapTime: pick(MINIMUMS) }],
      ['track-layouts', ids.trackIds, { trackId: pick(ids.parentTrackIds), length: 1.5 }],
      ['tracks', ids.parentTrackIds, { displayName: name }],
      ['licenses', ids.licenseIds, { displayName: name }],
    ];
    const [path, its, body] = pick(changes);
    await this.#change(path, pick(its), body);
  }

  /** To the licence that the last one has left, as each has one participant; at first to a new one. */
  async #moveParticipant(id: string): Promise<void> {
    const before = textOf(await this.#admin.read(`/api/v1/participants/${id}`), 'licenseId');
    const licenseId = this.#leftLicenseId ?? (await createLicense(this.#admin)).licenseId;
    await this.#change('participants', id, { licenseId });
    this.#leftLicenseId = before;
  }

  async #announce(rigId: string): Promise<void> {
    const body = { boot: this.#chances.pick(BOOTS), upTo: 1 + this.#chances.below(HIGHEST) };
    expectStatus(await this.#admin.put(`/api/v1/rigs/${rigId}/sequence`, body), 200);
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
