import { z } from 'zod';
import type { Json } from '../../src/service/kernel/json.ts';

/** A request of the bench to a measured process. */
export const BenchRequest = z.object({ id: z.number(), operation: z.string(), argument: z.unknown() });

export type BenchRequest = z.output<typeof BenchRequest>;

/** Reply to a request; `error` is the text of an exception. Id 0: the process is ready, or has failed to start. */
export const Reply = z.object({ id: z.number(), value: z.unknown().optional(), error: z.string().optional() });

export type Reply = z.output<typeof Reply>;

export const READY = 0;

/** Work done by a measured process: units are requests, events or documents; CPU is that of all its threads, in µs. */
export const Timed = z.object({ units: z.number(), seconds: z.number(), cpuMicros: z.number() });

export type Timed = z.output<typeof Timed>;

/** The role of a measured process. */
export interface Role {
  /** Value of the ready message; null by default. */
  readonly ready?: Json;
  readonly operations: { readonly [name: string]: (argument: unknown) => Promise<Json> };
  close?(): Promise<void>;
}

/** Measures time and CPU of `work`, which returns its units. */
export async function timed(work: () => Promise<number>): Promise<Timed> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const units = await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(before);
  return { units, seconds, cpuMicros: user + system };
}
