import type { Round } from './comparison.ts';

/** As long as the service's: a connection must not be lost between two rounds. In ms. */
export const KEEP_ALIVE_MS = 65_000;

/** What a measured process does: child.ts takes the role, and children.ts asks for its operations. */
export interface Role {
  /** The address of a server. */
  readonly url?: string;
  /** Their arguments and results are JSON. */
  readonly operations: { readonly [name: string]: (argument: never) => Promise<unknown> };
  /** CPU of the process that is measured, in µs, where that is not this one. */
  readonly cpuMicros?: () => number;
  readonly close?: () => Promise<void>;
}

/** An operation and its argument. */
export type Request = readonly [operation: string, argument: unknown];

/** The result of a request, or the text of an exception. */
export interface Reply {
  readonly value?: unknown;
  readonly error?: string;
}

/** Measures time and CPU of `work`, which returns its units. */
export async function timed(work: () => Promise<number>): Promise<Round> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const units = await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(before);
  return { units, seconds, cpuMicros: user + system };
}
