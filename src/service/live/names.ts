import { z } from 'zod';
import { carEvents } from '../../../commands/cars.ts';
import { participantEvents } from '../../../commands/participants.ts';
import { rigEvents } from '../../../commands/rigs.ts';
import { trackLayoutEvents } from '../../../commands/track-layouts.ts';
import { fullName } from '../../../projections/laps.ts';
import { nameIn, type Brand, type Nameable, type Names } from '../../../queries/leaderboards/names.ts';
import { Yielder } from '../domain/give-way.ts';
import { upcast } from '../kernel/event-types.ts';
import type { RecordedEvent } from '../kernel/ports/event-store.ts';
import type { ReadModels } from '../kernel/ports/read-store.ts';

const RENAMES = {
  ParticipantRenamed: participantEvents.ParticipantRenamed,
  RigRenamed: rigEvents.RigRenamed,
  CarRenamed: carEvents.CarRenamed,
  TrackLayoutRenamed: trackLayoutEvents.TrackLayoutRenamed,
};

export const RENAMING = Object.keys(RENAMES);

const NewName = z.union([
  z.object({ firstName: z.string(), lastName: z.string() }).transform(fullName),
  z.object({ name: z.string() }).transform(({ name }) => name),
  z.object({ modelName: z.string() }).transform(({ modelName }) => modelName),
  z.object({ displayName: z.string() }).transform(({ displayName }) => displayName),
]);

export function newNameIn(event: RecordedEvent): string {
  return NewName.parse(upcast(RENAMES, event));
}

/** Current names, kept up to date by events; the makers of cars are looked up again instead. */
export class NameCache implements Names {
  readonly #models: ReadModels;
  /** Waits until the read models reflect every event that this process has received. */
  readonly #caughtUp: () => Promise<void>;
  readonly #names = new Map<string, string | null>();
  /** By car: its maker. */
  readonly #brands = new Map<string, Brand>();
  readonly #lookingUp = new Set<string>();

  constructor(models: ReadModels, caughtUp: () => Promise<void>) {
    this.#models = models;
    this.#caughtUp = caughtUp;
  }

  /** The name; '' if there is none, or if it was not looked up. */
  readonly of = (id: string): string => this.#names.get(id) ?? '';

  /** The name of the maker of a car; '' as above. */
  readonly brandOf = (carId: string): string => this.#brands.get(carId)?.name ?? '';

  /** Whether a car that was looked up is of this maker. */
  hasBrand(id: string): boolean {
    return Array.from(this.#brands.values()).some((brand) => brand.id === id);
  }

  /** The name; null if there is none. */
  orNull(id: string): string | null {
    return this.#names.get(id) ?? null;
  }

  rename(id: string, name: string): void {
    if (this.#names.has(id) || this.#lookingUp.has(id)) this.#names.set(id, name);
  }

  /** Looks up the names that are not known yet; null if all are known. */
  lookUp(things: readonly Nameable[]): Promise<void> | null {
    const unknown = things.filter(({ id }) => !this.#names.has(id));
    return unknown.length === 0 ? null : this.#lookUpAll(unknown);
  }

  async refreshBrands(carIds: Iterable<string>): Promise<void> {
    for (const id of carIds) {
      const car = await nameIn(this.#models, { kind: 'car', id });
      if (car?.brand !== undefined) this.#brands.set(id, car.brand);
    }
  }

  async #lookUpAll(things: readonly Nameable[]): Promise<void> {
    const yielder = new Yielder();
    for (const thing of things) {
      await this.#lookUpOne(thing);
      await yielder.step();
    }
  }

  async #lookUpOne(thing: Nameable): Promise<void> {
    const { id } = thing;
    if (this.#names.has(id)) return;
    this.#lookingUp.add(id);
    let found = await nameIn(this.#models, thing);
    if (found === null) {
      // It may have been created just now.
      await this.#caughtUp();
      found = await nameIn(this.#models, thing);
    }
    // What an event or another look-up brought meanwhile is newer.
    if (!this.#names.has(id)) this.#names.set(id, found?.name ?? null);
    if (found?.brand !== undefined && !this.#brands.has(id)) this.#brands.set(id, found.brand);
    this.#lookingUp.delete(id);
  }
}
