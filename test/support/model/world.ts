import type { JsonObject } from '../../../src/kernel/json.ts';
import type { Client } from '../api/client.ts';
import { issueLicenseFile } from '../api/venue.ts';
import { Oracle } from './oracle.ts';
import { rootKey, type Key } from './things.ts';

/** A service and its model, which knows everything that any sequence has done there. */
export class World {
  readonly oracle = new Oracle();
  readonly keys: Key[];
  readonly #client: Client;
  readonly #files = new Map<string, JsonObject>();
  /** Number of sequences started here; the first creates what the others share. */
  sequences = 0;
  calls = 0;

  constructor(client: Client) {
    this.#client = client;
    this.keys = [rootKey(client.token ?? '')];
  }

  as(key: Key | null): Client {
    this.calls += 1;
    return this.#client.as(key?.token ?? null);
  }

  /** A signed licence file, always the same, as files do not expire. */
  async fileOf(licenseId: string): Promise<JsonObject> {
    const known = this.#files.get(licenseId) ?? (await issueLicenseFile(this.as(this.keys[0] ?? null), licenseId));
    this.#files.set(licenseId, known);
    return known;
  }
}
