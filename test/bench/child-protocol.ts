import { z } from 'zod';
import type { Json } from '../../src/service/kernel/json.ts';

/** A request of the bench to a measured process. */
export const BenchRequest = z.object({ id: z.number(), operation: z.string(), argument: z.unknown() });

export type BenchRequest = z.output<typeof BenchRequest>;

/** Reply to a request; `error` is the text of an exception. With id 0 and unrequested: ready, or failed to start. */
export const Reply = z.object({ id: z.number(), value: z.unknown().optional(), error: z.string().optional() });

export type Reply = z.output<typeof Reply>;

export const READY = 0;

/** Work done by a measured process and what it took. */
export const Timed = z.object({
  /** Requests, events or documents. */
  units: z.number(),
  seconds: z.number(),
  /** CPU of the whole process, all its threads, in µs. */
  cpuMicros: z.number(),
});

export type Timed = z.output<typeof Timed>;

/** What a measured process is there for. */
export interface Role {
  /** Told once it is ready. */
  readonly ready: Json;
  readonly operations: { readonly [name: string]: (argument: unknown) => Promise<Json> };
  close(): Promise<void>;
}

/** Runs work and takes its time and CPU. */
export async function timed(units: number, work: () => Promise<unknown>): Promise<Timed> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(before);
  return { units, seconds, cpuMicros: user + system };
}
