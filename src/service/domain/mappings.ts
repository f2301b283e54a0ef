import { reject, type Rejection } from '../kernel/aggregate/decider.ts';
import type { DocumentMeta } from '../kernel/ports/read-store.ts';

/**
 * The document of a mapping that has these fields. `_mapped` is false once it was taken back: nothing is deleted
 * (docs/architecture.md#projection-rules), and names stay current for the day it is mapped again.
 */
export type MappingDocument<F> = DocumentMeta & Readonly<F> & { readonly _mapped: boolean };

/** Id of what maps something to a simulator; mappings have no id of their own in the interface. */
export function mappingId(simulatorId: string, mappedId: string): string {
  return `${simulatorId}:${mappedId}`;
}

/** Whether a mapping is in force: it is there, and was not taken back. */
export function isMapped<S extends { readonly mapped: boolean }>(
  state: S | null,
): state is S & { readonly mapped: true } {
  return state?.mapped === true;
}

/** Guards a decision that needs the mapping to be in force: one that was taken back is as good as none. */
export function whenMapped<S extends { readonly mapped: boolean }, D, E>(
  decide: (state: S, data: D) => readonly E[] | Rejection,
) {
  return (state: S | null, data: D): readonly E[] | Rejection =>
    isMapped(state) ? decide(state, data) : reject('NOT_FOUND', 'No such mapping.');
}
