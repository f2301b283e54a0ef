import { Refused, type Connection } from '../connection.ts';
import type { components } from '../generated/api.ts';

type Lap = components['schemas']['Lap'];

const RIG_NAME = 'Imported results';
/** Laps that are read at a time. */
const PAGE_LAPS = 1_000;

/** The reason with which the laps of an import are struck; the history of each lap shows it. */
export function undoReason(importId: string): string {
  return `import ${importId} was undone`;
}

/** Some laps of the rig of imports. */
export interface LapsPage {
  readonly laps: readonly Lap[];
  /** Whether there is another page. */
  readonly hasMore: boolean;
}

/** The rig that imported laps of a licence are of, and which of them it has. */
export class ImportRig {
  readonly #venue: Connection;
  readonly #licenseId: string;
  #rigId: string | null;
  #laps: Promise<readonly Lap[]> | null = null;
  #boots: Promise<ReadonlyMap<string, components['schemas']['BootCompleteness']>> | null = null;

  private constructor(venue: Connection, licenseId: string, rigId: string | null) {
    this.#venue = venue;
    this.#licenseId = licenseId;
    this.#rigId = rigId;
  }

  /** The rig of the licence of the key; it need not be registered yet. @throws {Refused} */
  static async find(venue: Connection): Promise<ImportRig> {
    const { data: license } = await venue.answered(() => venue.GET('/api/v1/licenses/current'));
    return new ImportRig(venue, license.id, await rigOf(venue, license.id));
  }

  /** Null until it is registered. */
  get id(): string | null {
    return this.#rigId;
  }

  /**
   * Registers the rig unless it is; returns its id. Its own key is revoked, as the key of the venue records its laps.
   * @throws {Refused}
   */
  async register(): Promise<string> {
    if (this.#rigId !== null) return this.#rigId;
    const venue = this.#venue;
    const params = { path: { licenseId: this.#licenseId } };
    const { data: licenseFile } = await venue.answered(() =>
      venue.POST('/api/v1/licenses/{licenseId}/file', { params }),
    );
    const body = { name: RIG_NAME, hardwareId: hardwareIdOf(this.#licenseId), licenseFile };
    try {
      const { data } = await venue.answered(() => venue.POST('/api/v1/rigs', { body }));
      this.#rigId = data.rig.id;
      const path = { apiKeyId: data.apiKey.apiKey.id };
      await venue.answered<unknown>(async () => {
        const { error, response } = await venue.DELETE('/api/v1/api-keys/{apiKeyId}', { params: { path } });
        // 404: the answer to an earlier attempt was lost.
        const isRevoked = error === undefined || response.status === 404;
        return { error, response, ...(isRevoked ? { data: true } : {}) };
      });
    } catch (error) {
      // Another import was faster, or the answer to the first attempt was lost.
      if (!(error instanceof Refused) || error.status !== 409) throw error;
      this.#rigId = await rigOf(venue, this.#licenseId);
    }
    if (this.#rigId === null) throw new Refused(404, `The rig "${RIG_NAME}" cannot be registered`);
    return this.#rigId;
  }

  /**
   * The name under which the laps of a file are recorded: the id of the file, with a number behind it where what was
   * recorded before was undone.
   */
  async importIdOf(fileId: string): Promise<string> {
    let importId = fileId;
    let round = 1;
    while (await this.#isUndone(importId)) {
      round += 1;
      importId = `${fileId}-${round}`;
    }
    return importId;
  }

  /** Numbers of the laps of an import that are recorded. */
  async recordedIn(importId: string): Promise<ReadonlySet<number>> {
    const recorded = new Set<number>();
    this.#boots ??= this.#readBoots();
    const boot = (await this.#boots).get(importId);
    if (boot === undefined) return recorded;
    for (let number = 1; number <= boot.expected; number += 1) recorded.add(number);
    for (const [first = 0, last = 0] of boot.missing) {
      for (let number = first; number <= last; number += 1) recorded.delete(number);
    }
    return recorded;
  }

  /** The laps of an import, in the order of the file. */
  async lapsOf(importId: string): Promise<readonly Lap[]> {
    this.#laps ??= this.#readLaps();
    const laps = (await this.#laps).filter(({ sequence }) => sequence?.boot === importId);
    return laps.sort((a, b) => numberOf(a) - numberOf(b));
  }

  /** A page of the laps of all imports, those recorded last first; `page` counts from 0. */
  async newestLaps(page: number): Promise<LapsPage> {
    return this.#lapsPage(page, 'createdAt,desc');
  }

  /** All laps of the rig, page by page: one answer with all of them might not come in time. */
  async #readLaps(): Promise<readonly Lap[]> {
    const laps = new Map<string, Lap>();
    let page = 0;
    let hasMore = true;
    while (hasMore) {
      const read = await this.#lapsPage(page, 'createdAt');
      for (const lap of read.laps) laps.set(lap.id, lap);
      hasMore = read.hasMore;
      page += 1;
    }
    return [...laps.values()];
  }

  async #lapsPage(page: number, sort: string): Promise<LapsPage> {
    if (this.#rigId === null) return { laps: [], hasMore: false };
    const query = { rigId: this.#rigId, page, size: PAGE_LAPS, sort };
    const { data } = await this.#venue.answered(() => this.#venue.GET('/api/v1/laps/paged', { params: { query } }));
    return { laps: data.content, hasMore: page + 1 < data.totalPages };
  }

  async #readBoots() {
    if (this.#rigId === null) return new Map<string, components['schemas']['BootCompleteness']>();
    const params = { path: { rigId: this.#rigId } };
    const { data } = await this.#venue.answered(() => this.#venue.GET('/api/v1/rigs/{rigId}/completeness', { params }));
    return new Map(data.rigs[0]?.boots.map((boot) => [boot.boot, boot]));
  }

  /** Whether an import was undone to its end: its first lap is the last one that is struck. */
  async #isUndone(importId: string): Promise<boolean> {
    if ((await this.recordedIn(importId)).size === 0) return false;
    const laps = await this.lapsOf(importId);
    if (laps.some(({ valid }) => valid)) return false;
    for (const { id: lapId } of laps) {
      const params = { path: { lapId } };
      const { data } = await this.#venue.answered(() => this.#venue.GET('/api/v1/laps/{lapId}/history', { params }));
      if (data.some(({ reason }) => reason === undoReason(importId))) return true;
    }
    return false;
  }
}

function numberOf({ sequence }: Lap): number {
  return sequence?.number ?? 0;
}

function hardwareIdOf(licenseId: string): string {
  return `imported-results-${licenseId}`;
}

async function rigOf(venue: Connection, licenseId: string): Promise<string | null> {
  const params = { path: { hardwareId: hardwareIdOf(licenseId) } };
  try {
    const { data } = await venue.answered(() => venue.GET('/api/v1/rigs/hardwareId/{hardwareId}', { params }));
    return data.id;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  }
}
