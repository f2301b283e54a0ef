import { expect } from 'chai';
import { expectStatus, type Answer, type Client } from './client.ts';
import type { Json } from '../../../src/kernel/json.ts';

interface Verdict {
  readonly verdict: string;
  readonly id?: string;
  readonly problem?: { readonly status: number; readonly errors?: readonly { readonly pointer: string }[] };
}

export const BATCH = '/api/v1/laps/batch';

/** What became of each lap of a batch. */
export function verdictsOf(answer: Answer): readonly Verdict[] {
  // The client has already checked the answer against the document.
  return expectStatus(answer, 200).body['results'] as unknown as readonly Verdict[];
}

/** Sends laps as a batch, and returns what became of each. */
export async function sendBatch(client: Client, laps: readonly Json[]): Promise<readonly Verdict[]> {
  const verdicts = verdictsOf(await client.post(BATCH, { laps }));
  expect(verdicts).to.have.length(laps.length);
  return verdicts;
}
