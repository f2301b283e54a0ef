import { appendFileSync } from 'node:fs';

/**
 * Appends the figures of one proof (how many sequences, seeds, steps or crashes it really ran) as a line of JSON to the
 * file that `RELIABILITY_FILE` names; does nothing where it is not set. Lines are short, so that several processes may
 * write to one file at the same time.
 */
export function report(name: string, figures: Readonly<Record<string, number | string>>): void {
  const file = process.env['RELIABILITY_FILE'];
  if (file === undefined || file === '') return;
  appendFileSync(file, `${JSON.stringify({ name, ...figures })}\n`);
}

/** The proofs that a release has on its page, or is said to lack. */
export const PROOFS: readonly string[] = [
  'Idempotency-Keys, in parallel and after cuts',
  'a backup of a service under load, restored',
  'a full disk under load',
  'a stopped process that holds the lock of a store',
  'kill -9 of a rebuild, which then goes on',
  'kill -9 of a service under load',
  'laps beside strangers',
  'model of the interface, embedded',
  'model of the interface, eventstore + mongodb + s3',
  'random seasons',
  'reference rigs, killed and cut off',
  'simulation: a crash at every step of every write',
  'simulation: clients of the service under faults',
  'soak',
  'two API nodes and two projectors on the double and FerretDB under mixed faults',
];
