import { expect } from 'chai';
import type { JsonObject } from '../../../src/kernel/json.ts';
import { textOf, type Client } from '../api/client.ts';
import type { KeyEntry, LapEntry, Ledger } from './ledger.ts';
import type { Ground } from './load.ts';

/** Simultaneous look-ups: with thousands, a slow read store would answer none in time. */
const AT_ONCE = 50;

/** Compares what a service shows with what was requested. Call it when nothing is being written. */
export class Checks {
  readonly #ground: Ground;
  readonly #ledger: Ledger;
  /** Ids that were found before and need no look-up again. */
  readonly #found = new Set<string>();

  constructor(ground: Ground, ledger: Ledger) {
    this.#ground = ground;
    this.#ledger = ledger;
  }

  /** Every acknowledged write is shown exactly once, and nothing is shown in part. */
  async hold(admin: Client): Promise<void> {
    expect(this.#ledger.surprises).to.deep.equal([]);
    const names = await this.#names(admin);
    await this.#laps(admin, names);
    await this.#rigs(admin);
    await this.#participants(admin);
    await this.#keys(admin);
  }

  /** The names that laps must show: the last acknowledged or one requested since. */
  async #names(admin: Client): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    await Promise.all(
      this.#ground.lanes
        .flatMap(({ named }) => named)
        .map(async ({ path, name, asked }) => {
          const shown = await admin.read(path);
          const isParticipant = path.includes('participants');
          const present = textOf(shown, isParticipant ? 'lastName' : 'name');
          expect([name, ...asked], path).to.include(present);
          names.set(textOf(shown, 'id'), isParticipant ? `${textOf(shown, 'firstName')} ${present}` : present);
        }),
    );
    return names;
  }

  async #laps(admin: Client, names: ReadonlyMap<string, string>): Promise<void> {
    const seen = new Map<number, JsonObject>();
    for (const lap of await admin.list('/api/v1/laps')) {
      if (lap['id'] === this.#ground.venue.lapId) continue;
      const marker = Number(lap['totalTime']);
      expect(seen.has(marker), `lap ${marker} twice`).to.equal(false);
      seen.set(marker, lap);
      const entry = this.#ledger.laps.get(marker) ?? expect.fail(`nobody asked for lap ${marker}`);
      this.#expectWhole(lap, entry, names);
    }
    const entries = [...this.#ledger.laps.values()];
    for (const { marker, id } of entries) if (id !== null) expect(seen.get(marker)?.['id']).to.equal(id);
    await this.#findEach(admin, '/api/v1/laps', entries);
  }

  /** The fields and names of a lap are those of one write. */
  #expectWhole(lap: JsonObject, { marker, lane, versions }: LapEntry, names: ReadonlyMap<string, string>): void {
    const { venue } = this.#ground;
    const [, version = NaN] = Array.isArray(lap['sectors']) ? lap['sectors'].map(Number) : [];
    expect(version, `version of lap ${marker}`).to.be.within(versions.acknowledged, versions.asked);
    expect(lap).to.deep.include({
      participantId: lane.participantId,
      participantName: names.get(lane.participantId),
      rigId: lane.rigId,
      rigName: names.get(lane.rigId),
      eventId: venue.eventId,
      eventName: names.get(venue.eventId),
      sectors: [marker, version],
      totalTime: marker,
      valid: version % 2 === 0,
      car: venue.carId,
      trackId: venue.trackLayoutId,
    });
  }

  async #rigs(admin: Client): Promise<void> {
    const shown = countedBy('hardwareId', await admin.list('/api/v1/rigs?includeDisabled=true'));
    for (const { hardwareId, id, token } of this.#ledger.rigs) {
      if (id === null) continue;
      expect(shown.get(hardwareId), hardwareId).to.equal(id);
      if (!this.#found.has(id)) await expectKey(admin.as(token), 200);
    }
    await this.#findEach(admin, '/api/v1/rigs', this.#ledger.rigs);
  }

  async #participants(admin: Client): Promise<void> {
    const shown = countedBy('licenseId', await admin.list('/api/v1/participants'));
    for (const { licenseId, id } of this.#ledger.participants) {
      if (id !== null && licenseId !== null) expect(shown.get(licenseId)).to.equal(id);
    }
    await this.#findEach(admin, '/api/v1/participants', this.#ledger.participants);
  }

  async #keys(admin: Client): Promise<void> {
    const manager = admin.as(this.#ground.managerToken);
    const issued = (await manager.list('/api/v1/api-keys')).filter((key) => /^key \d/.test(textOf(key, 'name')));
    const shown = countedBy('name', issued);
    for (const key of this.#ledger.keys) {
      if (key.id === null) continue;
      expect(shown.get(key.name), key.name).to.equal(key.id);
      await this.#expectKeyWorks(admin, key);
    }
  }

  /** A key works from its acknowledgement until its revocation is acknowledged. */
  async #expectKeyWorks(admin: Client, { id, token, revocation }: KeyEntry): Promise<void> {
    const known = `${id} ${revocation}`;
    if (revocation === 'asked' || this.#found.has(known)) return;
    await expectKey(admin.as(token), revocation === 'none' ? 200 : 401);
    this.#found.add(known);
  }

  async #findEach(admin: Client, path: string, entries: readonly { readonly id: string | null }[]): Promise<void> {
    const fresh = entries.map(({ id }) => id).filter((id) => id !== null && !this.#found.has(id));
    const find = async (id: string | null): Promise<void> => {
      expect(textOf(await admin.read(`${path}/${id}`), 'id')).to.equal(id);
      this.#found.add(id ?? '');
    };
    for (let from = 0; from < fresh.length; from += AT_ONCE) {
      await Promise.all(fresh.slice(from, from + AT_ONCE).map(find));
    }
  }
}

async function expectKey(client: Client, status: number): Promise<void> {
  expect((await client.get('/api/v1/licenses/current')).status).to.equal(status);
}

/** Ids by the value of a field, which must be unique. */
function countedBy(field: string, list: readonly JsonObject[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const item of list) {
    const value = textOf(item, field);
    expect(ids.has(value), `${field} ${value} twice`).to.equal(false);
    ids.set(value, textOf(item, 'id'));
  }
  return ids;
}
