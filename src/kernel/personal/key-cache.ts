import type { PersonalKeys } from '../ports/personal-keys.ts';
import type { Clock } from '../ports/system.ts';

/** Longest time, in ms, for which a process uses a key that it holds in memory without asking the key store again. */
export const KEY_CACHE_MS = 10_000;

/** Most keys in memory: 1 MB or so. */
const MAX_CACHED_KEYS = 10_000;

interface Cached {
  /** Null: erased. Undefined: there was no key. */
  readonly key: Uint8Array | null | undefined;
  /** When the key store is asked again; monotonic, in ms. */
  readonly until: number;
}

/** Keys in memory, for a bounded time. */
export class KeyCache {
  readonly #keys: Pick<PersonalKeys, 'find' | 'create'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** In the order in which they were asked for. */
  readonly #cached = new Map<string, Cached>();
  /** Counts the calls of `forget`: what was asked for before one may be out of date. */
  #forgotten = 0;

  constructor(keys: Pick<PersonalKeys, 'find' | 'create'>, clock: Pick<Clock, 'monotonic'>) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** The keys of subjects: null for erased ones, undefined for those without a key. @throws {StoreUnavailable} */
  async find(subjects: Iterable<string>): Promise<ReadonlyMap<string, Uint8Array | null | undefined>> {
    const now = this.#clock.monotonic();
    const found = new Map<string, Uint8Array | null | undefined>();
    const missing: string[] = [];
    for (const subject of subjects) {
      const cached = this.#cached.get(subject);
      if (cached !== undefined && cached.until > now) found.set(subject, cached.key);
      else missing.push(subject);
    }
    if (missing.length > 0) {
      const asked = await this.#ask(missing);
      for (const subject of missing) found.set(subject, asked.get(subject));
    }
    return found;
  }

  /** The same, whatever is in memory. */
  async findAgain(subjects: readonly string[]): Promise<ReadonlyMap<string, Uint8Array | null | undefined>> {
    for (const subject of subjects) this.#cached.delete(subject);
    return this.find(subjects);
  }

  /** The key of a subject, which is made if there is none; null: they were erased. @throws {StoreUnavailable} */
  async create(subject: string): Promise<Uint8Array | null> {
    const before = this.#forgotten;
    const until = this.#clock.monotonic() + KEY_CACHE_MS;
    const key = await this.#keys.create(subject);
    if (before === this.#forgotten) this.#keep(subject, { key, until });
    return key;
  }

  /** Drops the key of a subject who was erased. */
  forget(subject: string): void {
    this.#forgotten += 1;
    this.#cached.delete(subject);
  }

  async #ask(subjects: readonly string[]): Promise<ReadonlyMap<string, Uint8Array | null>> {
    const before = this.#forgotten;
    // From before the question on: the key may be destroyed as soon as it was answered.
    const until = this.#clock.monotonic() + KEY_CACHE_MS;
    const asked = await this.#keys.find(subjects);
    if (before === this.#forgotten) {
      for (const subject of subjects) this.#keep(subject, { key: asked.get(subject), until });
    }
    return asked;
  }

  #keep(subject: string, cached: Cached): void {
    this.#cached.delete(subject);
    this.#cached.set(subject, cached);
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size <= MAX_CACHED_KEYS) break;
      this.#cached.delete(oldest);
    }
  }
}
