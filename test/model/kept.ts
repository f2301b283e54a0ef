import type { Call } from '../support/model/calls.ts';

/** A sequence that once failed. */
interface Kept {
  readonly what: string;
  readonly calls: readonly Call[];
}

/** Sequences that once failed, played before any others. */
export const KEPT: readonly Kept[] = [];
