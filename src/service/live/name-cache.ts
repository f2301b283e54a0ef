import { z } from 'zod';
import { carEvents } from '../../../commands/cars.ts';
import { rigEvents } from '../../../commands/rigs.ts';
import { trackLayoutEvents } from '../../../commands/track-layouts.ts';
import { nameIn, type Brand, type Nameable } from '../../../queries/leaderboards/board-names.ts';
import { createYielder } from '../../runtime/give-way.ts';
import { upcast } from '../../kernel/event-types.ts';
import type { Position, RecordedEvent } from '../../kernel/ports/event-store.ts';
import type { ReadModels } from '../../kernel/ports/read-store.ts';

const RENAMES = {
  RigRenamed: rigEvents.RigRenamed,
  CarRenamed: carEvents.CarRenamed,
  TrackLayoutRenamed: trackLayoutEvents.TrackLayoutRenamed,
};

export const RENAMING = Object.keys(RENAMES);

const NewName = z.union([
  z.object({ name: z.string() }).transform(({ name }) => name),
  z.object({ modelName: z.string() }).transform(({ modelName }) => modelName),
  z.object({ displayName: z.string() }).transform(({ displayName }) => displayName),
]);

export function newNameIn(event: RecordedEvent): string {
  return NewName.parse(upcast(RENAMES, event));
}

export type NameCache = ReturnType<typeof createNameCache>;

/**
 * Creates a cache of current names. Events keep it up to date, but the makers of cars and the public names of people are
 * looked up again instead. `reflect` waits until the read models reflect a position.
 */
export function createNameCache(models: ReadModels, reflect: (position: Position) => Promise<void>) {
  const names = new Map<string, string | null>();
  /** By car: its maker. */
  const brands = new Map<string, Brand>();
  /** By participant: the licences that say by which name everybody sees them. */
  const namedBy = new Map<string, readonly string[]>();
  /** Participants who may have other names since they were looked up. */
  const outdated = new Set<string>();
  const lookingUp = new Set<string>();
  async function lookUpOne(thing: Nameable, position: Position | null): Promise<void> {
    const { id } = thing;
    if (names.has(id)) return;
    lookingUp.add(id);
    try {
      let found = await nameIn(models, thing);
      if (found === null) {
        if (position === null) return;
        // It may have been created just now.
        await reflect(position);
        found = await nameIn(models, thing);
      }
      // What an event or another look-up brought meanwhile is newer.
      if (!names.has(id)) names.set(id, found?.name ?? null);
      if (found?.namedBy !== undefined && !namedBy.has(id)) namedBy.set(id, found.namedBy);
      if (found?.brand !== undefined && !brands.has(id)) brands.set(id, found.brand);
    } finally {
      lookingUp.delete(id);
    }
  }
  async function lookUpAll(things: readonly Nameable[], position: Position | null): Promise<void> {
    const step = createYielder();
    for (const thing of things) {
      await lookUpOne(thing, position);
      await step();
    }
  }
  return {
    /** The name; '' if there is none, or if it was not looked up. */
    of: (id: string) => names.get(id) ?? '',
    /** The name of the maker of a car; '' as above. */
    brandOf: (carId: string) => brands.get(carId)?.name ?? '',
    /** Whether a car that was looked up is of this maker. */
    hasBrand: (id: string) => Array.from(brands.values()).some((brand) => brand.id === id),
    /** Whether a participant who was looked up is shown as this licence says. */
    hasPeopleOf: (licenseId: string) => Array.from(namedBy.values()).some((licenses) => licenses.includes(licenseId)),
    /** A participant may have another name by now. */
    outdatePerson: (id: string) => void outdated.add(id),
    /** Everybody who is shown as a licence says may have another name by now. */
    outdatePeopleOf(licenseId: string): void {
      for (const [id, licenses] of namedBy) if (licenses.includes(licenseId)) outdated.add(id);
      for (const id of lookingUp) outdated.add(id);
    },
    /** The name; null if there is none. */
    orNull: (id: string) => names.get(id) ?? null,
    rename(id: string, name: string): void {
      if (names.has(id) || lookingUp.has(id)) names.set(id, name);
    },
    /**
     * Looks up the names that are not known yet. Where one is missing, waits until the read models reflect `position`, that of
     * the event that refers to the thing; so call it outside of a turn. With null it does not wait, and looks the name up
     * again the next time.
     */
    async lookUp(things: readonly Nameable[], position: Position | null): Promise<void> {
      const unknown = things.filter(({ id }) => !names.has(id));
      if (unknown.length > 0) await lookUpAll(unknown, position);
    },
    /** Whether all names were looked up. */
    knows: (things: readonly Nameable[]) => things.every(({ id }) => names.has(id)),
    /** Looks up the names again that may be others by now. Call it one at a time, so that the last one reads the newest. */
    async refreshPeople(): Promise<void> {
      for (const id of [...outdated]) {
        outdated.delete(id);
        try {
          const person = await nameIn(models, { kind: 'participant', id });
          if (person === null) continue;
          names.set(id, person.name);
          if (person.namedBy !== undefined) namedBy.set(id, person.namedBy);
        } catch (error) {
          outdated.add(id);
          throw error;
        }
      }
    },
    async refreshBrands(carIds: Iterable<string>): Promise<void> {
      for (const id of carIds) {
        const car = await nameIn(models, { kind: 'car', id });
        if (car?.brand !== undefined) brands.set(id, car.brand);
      }
    },
  };
}
