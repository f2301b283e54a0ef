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
