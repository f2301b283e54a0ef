import type { PartialUpdate } from './body-command.ts';
import { changesTo, evolvedBy, type FieldEvent } from './field-events.ts';
import { decider, evolveExisting, type Decider } from '../kernel/aggregate/decider.ts';
import { reject, type Rejection } from '../kernel/aggregate/rejection.ts';
import type { EventTypes } from '../kernel/event-types.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { DocumentMeta } from '../kernel/ports/read-store.ts';

/**
 * The document of a mapping that has these fields. `_mapped` is false once it was taken back: nothing is deleted
 * (docs/architecture.md#projection-rules), and names stay current for the day it is mapped again.
 */
export type MappingDocument<F> = DocumentMeta &
  Readonly<F> & {
    readonly _mapped: boolean;
    /** When its own newest event happened, ISO 8601: mappings do not show it. */
    readonly _updatedAt: string;
  };

/** Id of a mapping to a simulator. The interface does not show it. */
export function mappingId(simulatorId: string, mappedId: string): string {
  return `${simulatorId}:${mappedId}`;
}

/** A command of a mapping: it is made, some of its fields get other values, or it is taken back. */
export type MappingCommand<S> =
  | { readonly type: 'Map'; readonly data: S }
  | { readonly type: 'Change'; readonly data: PartialUpdate<S> }
  | { readonly type: 'Unmap'; readonly data: Record<string, never> };

export const UNMAP = { type: 'Unmap', data: {} } as const;

interface Mappings<S extends JsonObject> {
  /** Streams have the id `mappingId(simulatorId, mappedId)`. */
  readonly category: string;
  readonly events: EventTypes;
  /** The names of the events by which a mapping is made, made once more after it was taken back, and taken back. */
  readonly mapped: string;
  readonly remapped: string;
  readonly unmapped: string;
  /** The events by which its fields get other values. */
  readonly changes: { readonly [type: string]: FieldEvent<S> };
  readonly taken: Rejection;
}

export type Mapping<S> = S & { readonly mapped: boolean };

/** The decider of mappings to a simulator. A mapping that was taken back counts as absent. */
export function mappingDecider<S extends JsonObject>(all: Mappings<S>): Decider<Mapping<S> | null, MappingCommand<S>> {
  const { mapped, remapped, unmapped, changes, taken, ...spec } = all;
  // The data of the events by which a mapping is made are the mapping.
  const inForce = (_: unknown, data: JsonObject) => ({ ...(data as S), mapped: true });
  return decider<Mapping<S>, MappingCommand<S>, EventTypes>({
    ...spec,
    exists: (mapping) => mapping?.mapped === true,
    evolve: {
      ...evolvedBy(changes),
      [mapped]: inForce,
      [remapped]: inForce,
      [unmapped]: evolveExisting((mapping) => ({ ...mapping, mapped: false })),
    },
    decide: {
      Map: (mapping, data) =>
        mapping?.mapped === true ? taken : [{ type: mapping === null ? mapped : remapped, data }],
      Change: whenMapped((mapping, change) => changesTo(changes, mapping, change)),
      Unmap: whenMapped(() => [{ type: unmapped, data: {} }]),
    },
  });
}

function whenMapped<S, D, E>(decide: (mapping: Mapping<S>, data: D) => readonly E[]) {
  return (mapping: Mapping<S> | null, data: D): readonly E[] | Rejection =>
    mapping?.mapped === true ? decide(mapping, data) : reject('NOT_FOUND', 'No such mapping.');
}
