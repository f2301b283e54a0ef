import { Rejection } from '../kernel/aggregate/decider.ts';

/** How far what has happened may lie ahead of the server's clock: clocks of rigs differ by less. */
export const MAX_AHEAD_MS = 5 * 60_000;

/** The rejection of a body that says that something has happened later than it can have (now: epoch ms), or null. */
export function rejectionOfMoments(fields: readonly string[], body: unknown, now: number): Rejection | null {
  const values: Readonly<Record<string, unknown>> = typeof body === 'object' && body !== null ? { ...body } : {};
  const late = fields.filter((field) => {
    const moment = values[field];
    return typeof moment === 'string' && Date.parse(moment) > now + MAX_AHEAD_MS;
  });
  if (late.length === 0) return null;
  const detail = 'must not be more than 5 minutes ahead of the server';
  const faults = late.map((field) => ({ pointer: `/${field}`, detail }));
  return new Rejection('INVALID', 'The request says that something happened that is still to come.', faults);
}
