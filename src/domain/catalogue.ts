import type { z } from 'zod';
import { commandsFrom, type PartialUpdate } from './body-command.ts';
import { changesTo, evolvedBy, type FieldEvent } from './field-events.ts';
import { enabled, svg } from './fields.ts';
import { decider, whenAbsent, whenPresent, type Claim, type Decider } from '../kernel/aggregate/decider.ts';
import type { DataOf, EventTypes } from '../kernel/event-types.ts';

/** A command of a catalogue: an entry is added, or some of its fields get other values. */
export type CatalogueCommand<S> =
  { readonly type: 'Add'; readonly data: S } | { readonly type: 'Change'; readonly data: PartialUpdate<S> };

/** The types of the events of a catalogue: all but the first (`A`) give some fields of an entry other values. */
export type CatalogueEvents<T extends EventTypes, A extends keyof T> = T & {
  readonly [K in Exclude<keyof T, A>]: FieldEvent<DataOf<T[A]>>;
};

/**
 * The decider of a catalogue. People look after its entries like rows of a table: a change is new values of fields, and
 * the events say which. Only a unique key (`claim`) may be refused.
 */
export function catalogueDecider<T extends EventTypes, A extends keyof T & string>(
  category: string,
  events: CatalogueEvents<T, A>,
  /** `added`: the event by which an entry is added. */
  { added, ...spec }: { readonly added: A; readonly claim?: Claim<DataOf<T[A]> | null> },
): Decider<DataOf<T[A]> | null, CatalogueCommand<DataOf<T[A]>>> {
  type Entry = DataOf<T[A]>;
  const { [added]: _, ...rest } = events;
  // All but the first are field events of an entry, as the type of `events` says.
  const changes = rest as unknown as { readonly [type: string]: FieldEvent<Entry> };
  return decider<Entry, CatalogueCommand<Entry>, EventTypes>({
    ...spec,
    category,
    events,
    // The data of the event that adds an entry are the entry.
    evolve: { ...evolvedBy(changes), [added]: (_, data) => data as Entry },
    decide: {
      Add: whenAbsent((data) => [{ type: added, data }]),
      Change: whenPresent((entry, change) => changesTo(changes, entry, change)),
    },
  });
}

/** Defaults of the fields that may be left out of a new entry with a logo. */
export const logoDefaults = { svg: svg.default(false), enabled: enabled.default(true) };

/** The command that adds an entry of this body to a catalogue; the body has this name in the API document. */
export function additionOf<S>(name: string, body: z.ZodType<S>) {
  return commandsFrom(name, { body, commands: (data) => [{ type: 'Add', data } as const] });
}

/** The command that gives fields of an entry the values in this body. */
export function changeOf<S>(name: string, body: z.ZodType<S>) {
  return commandsFrom(name, { body, commands: (data) => [{ type: 'Change', data } as const] });
}
